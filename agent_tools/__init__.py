"""The tool platform: what a tool is, which exist, and running them inside their limits."""
