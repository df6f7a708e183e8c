"""Searches files line by line in linear time, within bounds of work. Runs in a process that can be killed."""

from __future__ import annotations

import codecs
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.opening import check_readable, opened
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.walking import Entry, walk
from agent_tools.text.charset import decode
from agent_tools.text.charset_names import codec_of
from agent_tools.text.sniff import Kind, classify
from agent_tools.toolbox.files.globs import Glob
from agent_tools.toolbox.files.ignoring import Ignoring
from agent_tools.toolbox.files.patterns import Query, Sieve, compiled

SLICE = 4_194_304
LONGEST_SHOWN = 400
HEAD = 8_192
UTF_8 = "utf-8"
UNUSUAL = re.compile(rb"[\x00-\x08\x0e-\x1f]|\A(?:%PDF|\xff\xfe|\xfe\xff)")
"""What UTF-8 text has not: controls, of other charsets too, and the signs of other kinds of files."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line shown: the file's path as it is shown, the line's number, its text, and whether it matches."""

    path: str
    number: int
    text: str
    matches: bool


@dataclass(slots=True)
class Report:
    """What was found: lines, matches by file, what was searched and left out, and the bound that ended the work."""

    lines: list[Line] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    files: int = 0
    binary: int = 0
    hidden: int = 0
    octets: int = 0
    matches: int = 0
    ended: str = ""


def search(roots: Roots, place: Place, query: Query) -> Report:
    """Search a file, or the files below a folder in the order of their paths. Raises `RefusedError`."""
    return _Search(roots, place, query).run()


class _Search:
    def __init__(self, roots: Roots, place: Place, query: Query) -> None:
        self._roots, self._place, self._query = roots, place, query
        self._regex = compiled(query)
        self._sieve = Sieve(query)
        self._glob = Glob(query.glob) if query.glob else None
        self._until = time.monotonic() + query.seconds
        self._report = Report()

    def run(self) -> Report:
        try:
            with opened(self._roots, self._place) as file:
                self._file(file.descriptor, file.place, file.size)
        except FileRefusedError as error:
            if error.reason != "not_a_file":
                raise
            self._folder()
        return self._report

    def _folder(self) -> None:
        ignoring = Ignoring(self._query.all_files)
        base = len(self._roots.resolved(self._place).parts)
        for entry in walk(self._roots, self._place, ignoring.enters):
            ignoring.learn(entry)
            if self._is_over():
                break
            if ignoring.leaves_out(entry) or not entry.is_file:
                continue
            if self._glob is None or self._glob.matches("/".join(entry.place.parts[base:])):
                self._entry(entry)
        self._report.hidden = ignoring.hidden

    def _is_over(self) -> bool:
        if time.monotonic() > self._until:
            self._report.ended = f"{self._query.seconds:g} seconds"
        elif self._report.octets > self._query.octets:
            self._report.ended = f"{self._query.octets:,} bytes"
        return bool(self._report.ended)

    def _entry(self, entry: Entry) -> None:
        try:
            descriptor = entry.open()
        except OSError:
            return
        try:
            state = os.fstat(descriptor)
            check_readable(entry.place, entry.place, state)
            self._file(descriptor, entry.place, state.st_size)
        except (FileRefusedError, OSError):
            return
        finally:
            os.close(descriptor)

    def _file(self, descriptor: int, place: Place, size: int) -> None:
        self._report.files += 1
        first = os.pread(descriptor, min(size, SLICE), 0)
        charset = _charset_of(first[:HEAD])
        if charset is None:
            self._report.binary += 1
            return
        if len(first) == size and charset == UTF_8 and not self._sieve.passes(first):
            self._report.octets += size
            return
        found = _Found(place.shown, self._query, self._report)
        number = 1
        for text in self._texts(descriptor, charset):
            self._slice(text, number, found)
            number += text.count("\n")
            if self._is_over():
                break

    def _texts(self, descriptor: int, charset: str) -> Iterator[str]:
        """Give a file's text in pieces that end with a line, or where a line is longer than a piece."""
        decoder = codecs.getincrementaldecoder(codec_of(charset))("replace")
        rest, at = "", 0
        while octets := os.pread(descriptor, SLICE, at):
            piece = rest + decoder.decode(octets)
            piece = piece.removeprefix("\ufeff") if not at else piece
            at += len(octets)
            self._report.octets += len(octets)
            cut = piece.rfind("\n") + 1 or (len(piece) if len(piece) > 2 * SLICE else 0)
            if cut:
                yield piece[:cut]
            rest = piece[cut:]
        rest += decoder.decode(b"", final=True)
        if rest:
            yield rest

    def _slice(self, text: str, number: int, found: _Found) -> None:
        """Search one piece, whose first line has this number."""
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        if self._sieve.passes(text):
            for at, line in enumerate(lines):
                match = self._regex.search(line.removesuffix("\r"))
                if match:
                    found.add(lines, at, number, match.start())


def _charset_of(head: bytes) -> str | None:
    """Return the charset of a text by its beginning; none where it is no text. UTF-8 is told at once."""
    if not UNUSUAL.search(head):
        with suppress(UnicodeDecodeError):
            codecs.getincrementaldecoder(UTF_8)().decode(head)
            return UTF_8
    return None if classify(head).kind is Kind.BINARY else decode(head, truncated=True).charset


class _Found:
    """Takes the matches of one file into the report."""

    def __init__(self, path: str, query: Query, report: Report) -> None:
        self._path, self._query, self._report = path, query, report
        self._shown_to = 0

    def add(self, lines: list[str], at: int, first: int, column: int) -> None:
        report, query = self._report, self._query
        before = report.matches
        report.matches += 1
        report.counts[self._path] = report.counts.get(self._path, 0) + 1
        if not query.skip <= before < query.skip + query.most:
            return
        begin = max(0, at - query.context, self._shown_to - first + 1)
        end = min(len(lines), at + query.context + 1)
        if self._shown_to >= first + at:  # it was shown as context of the one before
            for place, line in enumerate(report.lines):
                if line.path == self._path and line.number == first + at:
                    report.lines[place] = Line(line.path, line.number, shown(lines[at], column), matches=True)
            begin = max(begin, at + 1)
        for place in range(begin, end):
            text = shown(lines[place], column if place == at else 0)
            report.lines.append(Line(self._path, first + place, text, place == at))
            self._shown_to = first + place


def shown(line: str, column: int) -> str:
    """Return a line cut around what is to be seen in it."""
    text = line.removesuffix("\r")
    if len(text) <= LONGEST_SHOWN:
        return text
    begin = max(0, min(column - LONGEST_SHOWN // 4, len(text) - LONGEST_SHOWN))
    end = begin + LONGEST_SHOWN
    return ("…" if begin else "") + text[begin:end] + (f"… [{len(text):,} characters]" if end < len(text) else "")
