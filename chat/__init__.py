"""Conversations of people with a language model that uses the tools."""
