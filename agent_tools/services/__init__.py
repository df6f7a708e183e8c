"""Writes, and running calls: the doors of the platform come in here."""
