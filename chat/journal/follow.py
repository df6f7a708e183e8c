"""Follows a conversation's journal: never misses an event, never gives one twice, at the reader's own pace."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from typing import Any

from chat.database import in_database
from chat.journal.store import read, topic_of
from chat.journal.wake import hub

LOOK_SECONDS = 2.0


async def follow(conversation_id: uuid.UUID, after: int) -> AsyncGenerator[dict[str, Any], None]:
    """Yield every event after a number, then what follows, for as long as the reader likes.

    A reader that stands before the fold gets an unnumbered `snapshot {upto}` and what follows it.
    """
    with hub().listening(topic_of(conversation_id)) as ear:
        while True:
            page = await in_database(read, conversation_id, after)
            for event in page.events:
                yield event
            after = page.upto
            if not page.full:
                await ear.wait(LOOK_SECONDS)
