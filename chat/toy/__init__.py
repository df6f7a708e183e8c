"""A toy, for trying: a real but tiny language model on this machine. The site runs it as a process of its own."""
