"""The REST door: tools, types and logs for developers."""
