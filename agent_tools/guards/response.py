"""What a request is and what came of it, as values that know no HTTP library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

DEFAULT_TIMEOUT = 10.0  # seconds
DEFAULT_MAX_BYTES = 102_400
MAX_REDIRECTS = 5
MAX_TYPE = 255  # characters of a Content-Type that are looked at
MAX_REASON = 100  # characters of a reason phrase that are kept


class Headers:
    """The header fields of a response in their order: names in lower case, several values for a name possible."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Iterable[tuple[str, str]] = ()) -> None:
        self._fields = tuple((name.lower(), value) for name, value in fields)

    def get(self, name: str, default: str = "") -> str:
        """Return all values of a field joined by commas, as RFC 9110, 5.3 allows."""
        values = self.get_all(name)
        return ", ".join(values) if values else default

    def get_all(self, name: str) -> tuple[str, ...]:
        """Return the values of a field, one for each time it was sent."""
        return tuple(value for key, value in self._fields if key == name.lower())

    def __contains__(self, name: object) -> bool:
        return any(key == str(name).lower() for key, _ in self._fields)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Headers) and self._fields == other._fields

    def __hash__(self) -> int:
        return hash(self._fields)

    def __repr__(self) -> str:
        # Values may be cookies and tokens.
        return f"Headers({', '.join(key for key, _ in self._fields)})"


class BodyFlaw(StrEnum):
    """Why a body is not what its server meant to send."""

    UNSUPPORTED_CODING = "unsupported_coding"  # nothing of it is given
    MISLABELLED = "mislabelled"  # the body was not coded as its server says and is given as it came
    BROKEN_CODING = "broken_coding"  # what could be decoded is given
    INCOMPLETE = "incomplete"  # the connection, or the coded data, ended early
    TRAILING_DATA = "trailing_data"  # something stood behind the coded data and was ignored


@dataclass(frozen=True, slots=True)
class BodyNote:
    """A flaw of the body and a sentence about it."""

    flaw: BodyFlaw
    message: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request and its limits: header fields in order, `timeout` in seconds over everything, `max_bytes` decoded."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    timeout: float = DEFAULT_TIMEOUT
    max_bytes: int = DEFAULT_MAX_BYTES
    max_redirects: int = MAX_REDIRECTS


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that was followed: the URL that answered with it, and the status."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Response:
    """What the last hop answered; `url` is its URL, `hops` the redirects that led to it.

    `content` is decoded and at most `max_bytes` long, `truncated` says that there was more, `wire_size` counts the
    body's bytes as received; `note` names a flaw of the body; `elapsed_ms` is the time of the whole request.
    """

    url: str
    status: int
    reason_phrase: str
    headers: Headers
    content: bytes = b""
    truncated: bool = False
    wire_size: int = 0
    hops: tuple[Hop, ...] = ()
    note: BodyNote | None = None
    elapsed_ms: int = 0

    @property
    def content_type(self) -> str:
        """The Content-Type field as it was sent, its first `MAX_TYPE` characters; empty without one."""
        values = self.headers.get_all("content-type")
        return values[-1][:MAX_TYPE] if values else ""
