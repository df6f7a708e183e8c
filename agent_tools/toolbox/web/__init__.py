"""The web family."""
