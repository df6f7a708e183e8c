"""Assembles tool calls from deltas: by id, else by index, else into the call opened last.

Providers omit, repeat and delay ids, indexes and names, and some send arguments as objects or all of them again each
time; each rule here answers one of those habits, none guesses at missing text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from chat.llm.arguments import is_cut, is_json, parse_object, resolve
from chat.llm.scrub import scrub
from chat.llm.types import CallOpened, CallProgress, CallSealed, Incomplete, RawCall
from chat.llm.unknown import absorb

CallEvent: TypeAlias = CallOpened | CallProgress | CallSealed
_ENTRY_KEYS = frozenset({"id", "index", "type", "function", "name", "arguments"})
_FUNCTION_KEYS = frozenset({"name", "arguments"})


@dataclass(slots=True)
class _Fragment:
    """One entry of a delta's `tool_calls`, in our words."""

    id: str
    index: int | None
    name: str
    arguments: str
    is_object: bool
    extra: dict[str, Any]


@dataclass(slots=True)
class _OpenCall:
    position: int
    id: str = ""
    index: int | None = None
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    extra: dict[str, Any] = field(default_factory=dict)
    announced: bool = False
    sealed: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def take(self, fragment: _Fragment) -> None:
        self.id = self.id or fragment.id
        self.index = fragment.index if self.index is None else self.index
        self._take_name(fragment.name)
        absorb(self.extra, fragment.extra, known=frozenset())
        if not fragment.arguments:
            return
        if fragment.is_object:
            self.pieces.clear()
        self.pieces.append(fragment.arguments)
        self.characters = len(fragment.arguments) + (0 if fragment.is_object else self.characters)

    def _take_name(self, name: str) -> None:
        if not name or name == self.name:
            return
        if name.startswith(self.name):
            self.name = name
        elif not self.pieces:
            self.name += name


class CallTable:
    """Feed it the entries of each delta; `close` gives the calls. Positions count the calls in the order of opening."""

    def __init__(self) -> None:
        self._calls: list[_OpenCall] = []
        self.interleaved = False
        self.cumulative = False
        self.scrubbed = 0

    def feed(self, entries: object) -> list[CallEvent]:
        """Take one delta's `tool_calls`; whatever is not an entry is ignored."""
        listed = entries if isinstance(entries, list) else [entries]
        events: list[CallEvent] = []
        named_here: set[int] = set()
        for entry in listed:
            if not isinstance(entry, Mapping):
                continue
            fragment = _fragment(entry)
            call = self._candidate(fragment)
            if call is None or _begins_another(call, fragment, named_here):
                events += self._seal()
                call = _OpenCall(position=len(self._calls))
                self._calls.append(call)
            if fragment.name:
                named_here.add(call.position)
            if fragment.arguments.strip() and call is not self._calls[-1]:
                self.interleaved = True
            call.take(fragment)
            events += _tell(call, fragment)
        return events

    def close(self, *, cut: bool) -> tuple[RawCall, ...]:
        """Return all calls; `cut` says that the model ran into its limit, so that the last one may lack its end."""
        self._fold_nameless()
        last = self._calls[-1].position if self._calls else -1
        return tuple(self._finish(call, cut=cut and call.position == last) for call in self._calls)

    def _candidate(self, fragment: _Fragment) -> _OpenCall | None:
        if not self._calls:
            return None
        latest = self._calls[-1]
        backwards = self._calls[::-1]
        if fragment.id:
            known = next((call for call in backwards if call.id == fragment.id), None)
            if known:
                return known
        if fragment.index is None:
            return latest
        indexed = next((call for call in backwards if call.index == fragment.index), None)
        if indexed is None and not fragment.name and latest.index is None:
            return latest
        return indexed

    def _seal(self) -> list[CallEvent]:
        events: list[CallEvent] = []
        for call in self._calls:
            if not call.sealed and call.name and parse_object(call.text) is not None:
                call.sealed = True
                events.append(CallSealed(_raw(call, scrub(call.text)[0], None)))
        return events

    def _fold_nameless(self) -> None:
        """Give pieces that never got a name to the call before them, when it still lacks its end."""
        kept: list[_OpenCall] = []
        for call in self._calls:
            if not call.name and not call.id and kept and not is_json(kept[-1].text):
                kept[-1].pieces += call.pieces
            else:
                kept.append(call)
        self._calls = kept

    def _finish(self, call: _OpenCall, *, cut: bool) -> RawCall:
        text, repeated = resolve(call.pieces)
        self.cumulative = self.cumulative or repeated
        text, lost = scrub(text)
        self.scrubbed += lost
        incomplete = None
        if not call.name:
            incomplete = Incomplete.NAMELESS
        elif (cut and not text.strip()) or (text.strip() and not is_json(text) and (cut or is_cut(text))):
            incomplete = Incomplete.TRUNCATED
        return _raw(call, text, incomplete)


def _begins_another(call: _OpenCall, fragment: _Fragment, named_here: set[int]) -> bool:
    """Tell whether a fragment that leads to `call` is the beginning of another call. Without a name it never is."""
    if not fragment.name:
        return False
    if fragment.id and call.id and fragment.id != call.id:
        return True
    same_id = bool(fragment.id) and fragment.id == call.id
    same_index = fragment.index is not None and fragment.index == call.index
    if same_id and fragment.index is not None and call.index is not None and not same_index:
        return True
    if not call.name:
        return False
    if fragment.index is None and call.position in named_here:
        return True
    if fragment.name != call.name:
        return bool(call.pieces) or not (same_id or same_index)
    if not fragment.arguments.strip() or not call.pieces or not call.pieces[-1].rstrip().endswith("}"):
        return False
    told = call.text
    return bool(parse_object(told)) and not fragment.arguments.startswith(told)


def _tell(call: _OpenCall, fragment: _Fragment) -> list[CallEvent]:
    events: list[CallEvent] = []
    if not call.name:
        return events
    announced, call.announced = call.announced, True
    if not announced:
        events.append(CallOpened(call.position, call.name))
    if (fragment.arguments or not announced) and call.characters:
        events.append(CallProgress(call.position, call.characters))
    return events


def _raw(call: _OpenCall, text: str, incomplete: Incomplete | None) -> RawCall:
    return RawCall(
        position=call.position,
        name=call.name,
        arguments=text,
        provider_id=call.id or None,
        incomplete=incomplete,
        extra=call.extra,
    )


def _fragment(entry: Mapping[str, Any]) -> _Fragment:
    function = entry.get("function")
    body: Mapping[str, Any] = function if isinstance(function, Mapping) else entry
    arguments = body.get("arguments")
    extra: dict[str, Any] = {}
    absorb(extra, entry, known=_ENTRY_KEYS)
    if body is function:
        inner: dict[str, Any] = {}
        absorb(inner, body, known=_FUNCTION_KEYS)
        if inner:
            extra["function"] = inner
    text = arguments if isinstance(arguments, str) else "" if arguments is None else _dump(arguments)
    return _Fragment(
        id=_text(entry.get("id")),
        index=_index(entry.get("index")),
        name=_text(body.get("name")),
        arguments=text,
        is_object=isinstance(arguments, Mapping),
        extra=extra,
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(value: object) -> str:
    if isinstance(value, str):
        return scrub(value)[0].strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
