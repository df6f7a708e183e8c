"""Pages that lead elsewhere by themselves: nothing follows them here, but a reader is told where they lead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

from agent_tools.guards.network_errors import InvalidUrlError
from agent_tools.guards.response import Response
from agent_tools.guards.urls import parse_url, resolve_location

_LOOKED_AT = 65_536  # characters
_META = re.compile(r"<meta\s[^>]{0,500}?http-equiv\s{0,9}=\s{0,9}[\"']?\s{0,9}refresh\b[^>]{0,2000}>", re.IGNORECASE)
_CONTENT = re.compile(r"content\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_URL = re.compile(r"^\s*[\d.]*\s*[;,]?\s*url\s*=\s*[\"']?\s*([^\"']+)", re.IGNORECASE)


def refresh_note(contents: Iterable[str], head: Response) -> list[str]:
    """Return a sentence about the place to which a Refresh field or a meta tag leads; none where it stays."""
    for value in contents:
        found = _URL.match(value)
        if found is None:
            continue
        try:
            here = parse_url(head.url)
            target = resolve_location(here, unescape(found[1]).strip())
        except InvalidUrlError:
            continue
        if target != here:
            return [f"The page leads on to {target} by a refresh, which is not followed."]
    return []


def meta_refreshes(html: str) -> Iterator[str]:
    """Give what the page's meta tags say where they refresh."""
    for meta in _META.finditer(html, 0, _LOOKED_AT):
        if content := _CONTENT.search(meta[0]):
            yield next(filter(None, content.groups()), "")
