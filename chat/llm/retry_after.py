"""Reads how long a provider asks to be left alone."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime


def read_retry_after(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Return the seconds to wait, or none where the headers say nothing usable.

    `retry-after-ms` (OpenAI) goes before `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). `now` is in
    seconds since the epoch; `headers` has lower-case keys or ignores case.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if not math.isnan(seconds):
            return max(seconds, 0.0)
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(date.replace(tzinfo=date.tzinfo or UTC).timestamp() - (time.time() if now is None else now), 0.0)
    except (ValueError, OverflowError):
        return None
