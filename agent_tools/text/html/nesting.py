"""Bounds on nesting, kept before the parser sees a page: its time grows with the square of the open elements."""

from __future__ import annotations

import re
from collections import Counter

from agent_tools.text.html.tree import names

MAX_OPEN = 256  # browsers stop at 512; real pages stay below 100
MAX_OPEN_FORMATTING = 10  # the parser opens all of these again in every paragraph that follows
MAX_ATTRIBUTES_LENGTH = 20_000
MAX_ATTRIBUTES = 200

# WHATWG HTML: elements without content, and those whose end tag may be left out.
_UNCOUNTED = names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
    "a p li dt dd tr td th thead tbody tfoot caption colgroup option optgroup rt rp rb rtc html head body",
)
_FORMATTING = names("b big code em font i nobr s small strike strong tt u")
_RAW = names("script style textarea title xmp iframe noembed noframes")
# A tag's name and, where it ends at all, the rest of it.
_TAG = re.compile(r"""<(?:(!--)|(/?)([a-zA-Z][^\s/>]*)((?:[^>"'=]++|=\s*"[^"]*"|=\s*'[^']*'|["'=])*+>)?)""")


def bound_nesting(html: str) -> str:
    """Return `html` without the tags that would nest deeper than MAX_OPEN; their text stays. Linear in its length."""
    scan = _Scan(html)
    scan.run()
    if not scan.cuts:
        return html
    parts: list[str] = []
    kept = 0
    for start, end, instead in scan.cuts:
        parts += (html[kept:start], instead)
        kept = end
    return "".join([*parts, html[kept:]])


class _Scan:
    """One pass over the tags, which counts what is open of each kind and notes what has to go."""

    def __init__(self, html: str) -> None:
        self.cuts: list[tuple[int, int, str]] = []
        self._html = html
        self._open: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._depth = 0
        self._formatting = 0

    def run(self) -> None:
        position: int | None = 0
        while position is not None:
            tag = _TAG.search(self._html, position)
            if tag is None:
                return
            position = self._comment_end(tag.end()) if tag[1] else self._tag(tag)

    def _comment_end(self, start: int) -> int | None:
        end = self._html.find("-->", start)
        return None if end < 0 else end + len("-->")

    def _tag(self, tag: re.Match[str]) -> int | None:
        name = tag[3].lower()
        rest = tag[4]
        if rest is None:
            return None
        end = tag.end()
        if tag[2]:
            if self._closes_dropped(name):
                self.cuts.append((tag.start(), end, ""))
            return end
        if name in _RAW:
            closing = re.compile(f"</{name}", re.IGNORECASE).search(self._html, end)
            return closing.start() if closing else None
        if name not in _UNCOUNTED and not self._opens(name):
            self.cuts.append((tag.start(), end, ""))
        elif len(rest) > MAX_ATTRIBUTES_LENGTH and rest.count(" ") > MAX_ATTRIBUTES:
            self.cuts.append((tag.end(3), end, ">"))
        return end

    def _opens(self, name: str) -> bool:
        formatting = name in _FORMATTING
        if self._depth >= MAX_OPEN or (formatting and self._formatting >= MAX_OPEN_FORMATTING):
            self._dropped[name] += 1
            return False
        self._open[name] += 1
        self._depth += 1
        self._formatting += formatting
        return True

    def _closes_dropped(self, name: str) -> bool:
        if self._dropped[name]:
            self._dropped[name] -= 1
            return True
        if self._open[name]:
            self._open[name] -= 1
            self._depth -= 1
            self._formatting -= name in _FORMATTING
        return False
