"""Reads: what the pages ask of the rows."""
