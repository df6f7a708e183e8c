"""Commands of the platform."""
