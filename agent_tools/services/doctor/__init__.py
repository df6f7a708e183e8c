"""Measures how well commands are kept apart, by trying to get out."""
