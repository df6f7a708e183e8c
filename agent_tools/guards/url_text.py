"""The parts of a URL behind its host, as text: encoding path and query, and masking secrets for display."""

from __future__ import annotations

import re

# Percent-encode sets of the WHATWG URL standard; a backslash in a query is encoded too, so that nobody misreads it.
_PATH_UNSAFE = re.compile(r"[^!$%&'()*+,\-./0-9:;=@A-Z\[\]_a-z|~]")
_QUERY_UNSAFE = re.compile(r"[^!$%&()*+,\-./0-9:;=?@A-Z\[\]^_`a-z{|}~]")
_ONE_DOT = re.compile(r"\.|%2e", re.IGNORECASE)
_TWO_DOTS = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE)
_SECRET_PARAMETER = re.compile(
    r"([?&](?:[^=&#?]*(?:token|secret|password|passwd|signature|credential|api[-_.]?key)|key|sig|auth|pwd)=)[^&#]+",
    re.IGNORECASE,
)


def encoded_target(text: str) -> str:
    """Return path and query for the wire: dot segments resolved, other characters percent-encoded as UTF-8.

    Escapes are kept as they are, and so is a bare percent sign.
    """
    path, mark, query = text.partition("?")
    return _without_dots(_PATH_UNSAFE.sub(_percent, path)) + mark + _QUERY_UNSAFE.sub(_percent, query)


def masked(text: str) -> str:
    """Replace the values of query parameters whose names promise a secret."""
    return _SECRET_PARAMETER.sub(r"\1***", text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in match[0].encode())


def _without_dots(path: str) -> str:
    """Resolve `.` and `..` segments, also percent-encoded ones; never above the root."""
    kept: list[str] = []
    segments = path.removeprefix("/").split("/")
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if _TWO_DOTS.fullmatch(segment):
            del kept[-1:]
        elif not _ONE_DOT.fullmatch(segment):
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)
