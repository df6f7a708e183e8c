"""The rows and results as JSON, and back."""
