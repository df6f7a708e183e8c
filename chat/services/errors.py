"""What a person asks of a conversation and cannot have."""

from __future__ import annotations

from agent_tools.contract.errors import AgentToolsError


class MissingError(AgentToolsError):
    """There is no such thing, or it is not this person's."""

    default_reason = "not_found"


class NotNowError(AgentToolsError):
    """The thing is not in the state for this."""

    default_reason = "not_now"


class LimitError(AgentToolsError):
    """A limit that operators set is used up."""

    default_reason = "daily_limit"
