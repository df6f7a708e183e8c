"""A toy, for trying: a real but tiny language model on this machine. The site's process imports nothing of it."""
