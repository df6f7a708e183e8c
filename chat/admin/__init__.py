"""The operator's pages of the chat. Importing it registers everything."""

from __future__ import annotations

from chat.admin import conversation_admin, model_admin, request_admin

__all__ = ["conversation_admin", "model_admin", "request_admin"]
