"""Speaks to language models: requests that a strict provider accepts, streams read as they are, errors in one tree."""
