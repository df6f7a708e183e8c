"""Commands of the chat."""
