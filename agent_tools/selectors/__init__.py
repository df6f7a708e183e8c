"""Reads: what the doors ask of the rows."""
