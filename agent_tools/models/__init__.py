"""The rows of the tool platform."""

from __future__ import annotations

from agent_tools.models.log import AgentToolLog
from agent_tools.models.permission import Grant, PermissionRule
from agent_tools.models.token import ApiToken
from agent_tools.models.tool import AgentTool, InstalledDefault

__all__ = ["AgentTool", "AgentToolLog", "ApiToken", "Grant", "InstalledDefault", "PermissionRule"]
