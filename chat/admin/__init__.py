"""What operators see of the chat. Importing it registers everything."""
