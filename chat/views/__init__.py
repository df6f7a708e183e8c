"""The pages of the chat, by what they show."""
