"""Runs turns: requests to the model, calls of tools, again, to an end that is always reached."""
