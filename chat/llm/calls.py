"""Assembles tool calls from deltas: by id, else by index, else into the call opened last.

Providers omit, repeat and delay ids, indexes and names, and some send arguments as objects or all of them again each
time; each rule here answers one of those habits, none guesses at missing text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from chat.llm.arguments import Nesting, is_cut, is_json, parse_object, resolve
from chat.llm.fragments import Fragment, read_fragment
from chat.llm.scrub import scrub
from chat.llm.types import CallOpened, CallProgress, CallSealed, Incomplete, RawCall
from chat.llm.unknown import absorb

CallEvent: TypeAlias = CallOpened | CallProgress | CallSealed


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
    named_again: bool = False
    nesting: Nesting = field(default_factory=Nesting)
    followed: int = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def is_whole(self) -> bool:
        """Tell whether the arguments are an object that is neither empty nor open."""
        for piece in self.pieces[self.followed :]:
            self.nesting.feed(piece)
        self.followed = len(self.pieces)
        return bool(self.pieces) and not self.nesting.is_open and bool(parse_object(self.text))

    def take(self, fragment: Fragment) -> None:
        self.id = self.id or fragment.id
        self.index = fragment.index if self.index is None else self.index
        if fragment.arguments.strip():
            self.named_again = False
        elif fragment.name:
            self.named_again = self.is_whole()
        self._take_name(fragment.name)
        absorb(self.extra, fragment.extra, known=frozenset())
        if not fragment.arguments:
            return
        if fragment.is_object:
            self.pieces.clear()
            self.nesting, self.followed = Nesting(), 0
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
            fragment = read_fragment(entry)
            call = self._candidate(fragment)
            if call is None or _begins_another(call, fragment, named_here):
                events += self._seal()
                name = call.name if call is not None and not fragment.name else ""
                call = _OpenCall(position=len(self._calls), name=name)
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

    def _candidate(self, fragment: Fragment) -> _OpenCall | None:
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


def _begins_another(call: _OpenCall, fragment: Fragment, named_here: set[int]) -> bool:
    """Tell whether a fragment that leads to `call` is the beginning of another call.

    Without a name it is not, unless a whole call was named once more and this is what follows.
    """
    if not fragment.name:
        return call.named_again and bool(fragment.arguments.strip())
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
    if not fragment.arguments.strip() or not call.is_whole():
        return False
    return not fragment.arguments.startswith(call.text)


def _tell(call: _OpenCall, fragment: Fragment) -> list[CallEvent]:
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
