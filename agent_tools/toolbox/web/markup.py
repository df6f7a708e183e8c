"""What is open at a place in HTML: an element that is no text for a reader, or one that gives what follows its form."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST_OPENED = 6  # elements that are opened again behind a cut
_MOST_REMEMBERED = 100
_UNREAD = ("script", "style", "template", "svg", "noscript", "textarea", "title")
_FORMS = ("table", "tr", "pre", "ul", "ol", "dl", "blockquote")
_TAG = re.compile(rf"<!--|<(?P<end>/?)(?P<name>{'|'.join(_UNREAD + _FORMS)})(?=[\s>/])".encode("ascii"), re.IGNORECASE)
_ENDS = {name.encode(): re.compile(f"</{name}".encode("ascii"), re.IGNORECASE) for name in _UNREAD}
_COMMENT = re.compile(b"-->")


@dataclass(frozen=True, slots=True)
class Opened:
    """`unread` is where an element began (a script, a comment) in whose middle the place is, if it is in one; `again`
    holds the tags that what follows the place must begin with.
    """

    unread: int | None
    again: bytes


def opened_at(html: bytes, place: int) -> Opened:
    """Tell what is open at a place; linear, and about right for markup of any quality."""
    forms: list[bytes] = []
    at = 0
    while tag := _TAG.search(html, at, place):
        name = (tag["name"] or b"").lower()
        at = tag.end()
        if name in _ENDS or not name:
            if tag["end"]:
                continue
            closed = (_ENDS[name] if name else _COMMENT).search(html, at, place)
            if closed is None:
                return Opened(tag.start(), b"<%b>" % name if name else b"<!--")
            at = closed.end()
        elif not tag["end"]:
            forms.append(name)
            del forms[:-_MOST_REMEMBERED]
        elif name in forms:
            del forms[len(forms) - 1 - forms[::-1].index(name) :]
    return Opened(None, b"".join(b"<%b>" % name for name in forms[-_MOST_OPENED:]))
