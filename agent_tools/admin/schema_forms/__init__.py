"""Real Django form fields from a JSON Schema: for a type's configuration and for a tool's input."""
