"""Schema of the chat\x27s rows over time."""
