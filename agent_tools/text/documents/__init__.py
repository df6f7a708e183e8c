"""Documents that are no plain text, as text. Untrusted input: called in processes that can be killed."""
