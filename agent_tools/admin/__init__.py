"""The operator's door: the built-in admin, extended."""
