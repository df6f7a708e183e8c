"""Writes: each a short transaction without network inside."""
