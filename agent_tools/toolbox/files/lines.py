"""Takes lines out of a file of any size, in constant memory: windows of numbered lines, long ones cut."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agent_tools.guards.files.opening import Opened
from agent_tools.text.charset import decode
from agent_tools.text.charset_names import codec_of

CHUNK = 262_144
HEAD = 65_536
"""Octets by which the charset is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which lines are wanted: from `offset` (1 is the first) up to `limit`, within so many characters in all and so
    many a line; no more than `scan` octets are read for it.
    """

    offset: int
    limit: int
    characters: int
    longest: int
    scan: int


@dataclass(slots=True)
class Window:
    """Lines of a text as they are shown. `total` counts the lines there are, `complete` tells whether all were counted;
    `lossy` that characters were not readable as `charset`.
    """

    lines: list[str] = field(default_factory=list)
    total: int = 0
    complete: bool = True
    charset: str = "utf-8"
    lossy: bool = False


def charset_of(file: Opened) -> str:
    """Return the WHATWG name of a text file's charset, by its beginning."""
    head = file.read(HEAD)
    return decode(head, truncated=file.size > len(head)).charset


def window_of_file(file: Opened, wanted: Wanted) -> Window:
    """Read the wanted lines of a text file."""
    charset = charset_of(file)
    window = Window(charset=charset, complete=file.size <= wanted.scan)
    return take(_pieces(file, charset, wanted.scan), wanted, window)


def _pieces(file: Opened, charset: str, most: int) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec_of(charset))("replace")
    read = 0
    while read < most and (octets := file.read(min(CHUNK, most - read), read)):
        piece = decoder.decode(octets)
        yield piece.removeprefix("\ufeff") if read == 0 else piece
        read += len(octets)
    yield decoder.decode(b"", final=True)


def take(pieces: Iterable[str], wanted: Wanted, window: Window) -> Window:
    """Fill a window from the pieces of a text. Lines end with LF or CR LF, with CR where a text begins without any."""
    end = ""
    begun = ""  # of the line that is being read, as much of it as is shown
    length = 0  # of that line so far
    used = 0
    for piece in pieces:
        window.lossy = window.lossy or "\ufffd" in piece
        end = end or _end_in(piece)
        number = window.total + 1
        rest = piece
        if not _within(number, wanted, window, used):
            # Nothing of these lines is shown: count them, unless the first wanted one begins in this piece.
            count = piece.count(end) if end else 0
            if number + count < wanted.offset or number >= wanted.offset:
                window.total += count
                length = len(piece) - piece.rfind(end) - 1 if count else length + len(piece)
                begun = ""
                continue
        while end and (at := rest.find(end)) >= 0:
            part, rest = rest[:at], rest[at + 1 :]
            number = window.total + 1
            if _within(number, wanted, window, used):
                line = _shown(begun + part[: wanted.longest + 1], length + len(part), wanted.longest)
                window.lines.append(line)
                used += len(line) + 8
            window.total += 1
            begun, length = "", 0
        if len(begun) <= wanted.longest:
            begun += rest[: wanted.longest + 1]
        length += len(rest)
    if length:
        if _within(window.total + 1, wanted, window, used):
            window.lines.append(_shown(begun, length, wanted.longest))
        window.total += 1
    return window


def _end_in(piece: str) -> str:
    if "\n" in piece:
        return "\n"
    return "\r" if "\r" in piece[:-1] else ""


def _within(number: int, wanted: Wanted, window: Window, used: int) -> bool:
    if not wanted.offset <= number < wanted.offset + wanted.limit:
        return False
    # The first line is shown whatever its length, and the lines shown are neighbours.
    return number == wanted.offset or (used < wanted.characters and len(window.lines) == number - wanted.offset)


def _shown(line: str, length: int, longest: int) -> str:
    text = line.removesuffix("\r")
    if length <= longest:
        return text
    return f"{text[:longest]}… [{length - longest:,} more characters in this line]"
