"""Reads identifiers out of addresses and queries."""

from __future__ import annotations

import re
import uuid

from django.db.models import BigIntegerField

FORM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def uuid_or_none(text: str) -> uuid.UUID | None:
    """Return the UUID a text spells (RFC 9562: with its hyphens, in either case), or none."""
    return uuid.UUID(text) if FORM.fullmatch(text) else None


def row_id(text: str) -> int | None:
    """Return the number of a row, from 0 to 2^63 - 1, that an address or a field names; none where it names none."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(BigIntegerField.MAX_BIGINT))):
        return None
    number = int(text)
    return number if number <= BigIntegerField.MAX_BIGINT else None
