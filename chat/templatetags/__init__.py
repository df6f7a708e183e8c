"""Filters of the chat's templates."""
