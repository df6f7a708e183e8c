"""What a tool gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_tools.contract.calls import CallStatus, Ran

UNCHANGED_OF = "unchanged_of"
"""Key of the metadata in which a tool that answers "unchanged" names the id of the call that gave the original: the
two count as equal results when repeated calls are looked for.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The outcome of one call.

    `data` is the structured value for programs and pages (JSON-like, never cut), `content` the text for the model,
    `error` one plain sentence when it failed, `reason` its stable code, `metadata` facts beside the result. `ran`
    says whether the call may have had effects.
    """

    success: bool
    status: CallStatus
    data: Any = None
    content: str = ""
    error: str | None = None
    reason: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    ran: Ran = Ran.YES

    @classmethod
    def ok(cls, data: Any = None, content: str | None = None, metadata: Mapping[str, Any] | None = None) -> ToolResult:
        """Make a success; without `content` a text `data` is the model's text, other data is left to the pipeline,
        which shows it as JSON.
        """
        text = content if content is not None else data if isinstance(data, str) else ""
        return cls(success=True, status=CallStatus.SUCCESS, data=data, content=text, metadata=dict(metadata or {}))

    @classmethod
    def failed(
        cls,
        error: str,
        *,
        reason: str,
        status: CallStatus = CallStatus.ERROR,
        data: Any = None,
        content: str = "",
        metadata: Mapping[str, Any] | None = None,
        ran: Ran = Ran.YES,
    ) -> ToolResult:
        """Make a failure; without `content` the model reads `error`."""
        return cls(
            success=False,
            status=status,
            data=data,
            content=content or error,
            error=error,
            reason=reason,
            metadata=dict(metadata or {}),
            ran=ran,
        )
