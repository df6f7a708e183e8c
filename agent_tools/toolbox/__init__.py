"""Tool types, a family a folder, a module a tool; loaded by name only."""
