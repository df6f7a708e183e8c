"""Reads identifiers out of addresses and queries."""

from __future__ import annotations

import re
import uuid

FORM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def uuid_or_none(text: str) -> uuid.UUID | None:
    """Return the UUID a text spells (RFC 9562: with its hyphens, in either case), or none."""
    return uuid.UUID(text) if FORM.fullmatch(text) else None
