"""The operator's pages of the chat. Importing it registers everything."""

from __future__ import annotations

from chat.admin import model_admin

__all__ = ["model_admin"]
