"""Names and ids in the form that providers take, and the way back."""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Iterable

from chat.llm.profile import IdStyle
from chat.llm.types import HistoryCall

MAX_NAME = 64
_MAX_ID = 40
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_ID = re.compile(rf"[\x21-\x7e]{{1,{_MAX_ID}}}")
_OWN_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{_MAX_ID}}}")
_ALPHABET = string.digits + string.ascii_letters
_ALNUM_LENGTH = 9


class ToolNames:
    """Maps our names of tools to function names of the form `^[A-Za-z0-9_-]{1,64}$`, each once, and back."""

    def __init__(self, names: Iterable[str]) -> None:
        self._wire: dict[str, str] = {}
        self._own: dict[str, str] = {}
        ordered = sorted(dict.fromkeys(names), key=lambda name: (fit_name(name) != name, name))
        for name in ordered:
            self._wire[name] = self._free(fit_name(name))
            self._own[self._wire[name]] = name

    def wire(self, name: str) -> str:
        """Return the function name of a tool; of an unknown one something that a provider takes."""
        return self._wire.get(name) or fit_name(name)

    def own(self, name: str) -> str:
        """Return the tool that a model named; an unknown name stays as it is."""
        return self._own.get(name, name)

    def _free(self, name: str) -> str:
        candidate, number = name, 1
        while candidate in self._own:
            number += 1
            suffix = f"_{number}"
            candidate = name[: MAX_NAME - len(suffix)] + suffix
        return candidate


def fit_name(name: str) -> str:
    """Return the nearest name that a provider takes."""
    return _UNFIT.sub("_", name)[:MAX_NAME] or "unnamed"


class CallIds:
    """Gives each call of a request its id on the wire, the same one in every request."""

    def __init__(self, style: IdStyle) -> None:
        self._style = style
        self._given: dict[str, str] = {}
        self._used: set[str] = set()

    def give(self, call: HistoryCall, *, ours: bool) -> str:
        """Return a call's id; `ours` says that the request goes to the provider that made the call."""
        candidate = self._preferred(call, ours=ours)
        number = 0
        while candidate in self._used:
            number += 1
            candidate = self._derived(f"{call.id}#{number}")
        self._used.add(candidate)
        self._given[call.id] = candidate
        return candidate

    def of(self, call_id: str) -> str:
        """Return the id that was given to one of our calls."""
        return self._given[call_id]

    def _preferred(self, call: HistoryCall, *, ours: bool) -> str:
        if self._style is IdStyle.ALNUM9:
            return self._derived(call.id)
        provided = call.provider_id or ""
        if self._style is IdStyle.PROVIDER and ours and _ID.fullmatch(provided) and provided not in self._used:
            return provided
        return call.id if _OWN_ID.fullmatch(call.id) else self._derived(call.id)

    def _derived(self, seed: str) -> str:
        digest = hashlib.sha256(seed.encode("utf-8", "replace"))
        if self._style is not IdStyle.ALNUM9:
            return f"call_{digest.hexdigest()[:24]}"
        number = int.from_bytes(digest.digest(), "big")
        letters = []
        for _ in range(_ALNUM_LENGTH):
            number, rest = divmod(number, len(_ALPHABET))
            letters.append(_ALPHABET[rest])
        return "".join(letters)
