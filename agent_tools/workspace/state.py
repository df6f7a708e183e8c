"""The session's small state, kept in rows."""

from __future__ import annotations

import uuid
from typing import Any

from agent_tools.workspace.models import SessionValue


class StoredSessionState:
    """Implements the contract's `SessionState` for one session."""

    def __init__(self, session_id: uuid.UUID) -> None:
        self.session_id = session_id

    async def get(self, key: str, default: Any = None) -> Any:
        """Return the value, or the default."""
        row = await SessionValue.objects.filter(session_id=self.session_id, key=key).afirst()
        return default if row is None else row.value

    async def set(self, key: str, value: Any) -> None:
        """Store a JSON value under a key of at most 300 characters."""
        await SessionValue.objects.aupdate_or_create(session_id=self.session_id, key=key, defaults={"value": value})

    async def delete(self, key: str) -> None:
        """Forget the key; an absent one is fine."""
        await SessionValue.objects.filter(session_id=self.session_id, key=key).adelete()
