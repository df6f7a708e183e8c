"""What every part of the platform agrees on: standard library and pydantic only, no framework."""
