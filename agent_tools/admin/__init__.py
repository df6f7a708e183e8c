"""The operator's door: the built-in admin, extended. Importing it registers everything."""

from __future__ import annotations

from agent_tools.admin import kept_admin, log_admin, permission_admin, token_admin, tool_admin

__all__ = ["kept_admin", "log_admin", "permission_admin", "token_admin", "tool_admin"]
