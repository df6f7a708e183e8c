"""The desk family: small helpers of everyday work."""
