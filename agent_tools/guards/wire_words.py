"""Faults of the protocol in plain words: what the libraries say is for programmers and may quote what a server sent."""

from __future__ import annotations

_UNKNOWN = "it cannot be understood"
# The beginnings, or some words, of what h11 and httpcore say.
_WORDS = {
    "Server disconnected": "the server closed the connection without an answer",
    "peer closed connection": "the connection ended before the body began",
    "illegal status line": "it does not begin with an HTTP status line",
    "illegal request line": "it does not begin with an HTTP status line",
    "no response line": "it does not begin with an HTTP status line",
    "status_code": "its status is none of HTTP's",
    "illegal header line": "one of its header lines is malformed",
    "Receive buffer too long": "its headers are too long",
    "conflicting Content-Length": "it states several different lengths",
    "bad Content-Length": "its Content-Length is no length",
    "Transfer-Encoding": "its Transfer-Encoding is not supported",
    "illegal chunk header": "a chunk of its body has no valid size",
    "chunk footer": "a chunk of its body has not the size that it states",
    "continuation line": "one of its header lines is malformed",
    "unexpectedly closed": "the server closed the connection before the headers were complete",
    "_SWITCH_": "it changes to a protocol that was not asked for",
}


def in_words(error: Exception) -> str:
    """Return a clause that says what is wrong with a message, with nothing of the message in it."""
    said = str(error)
    return next((words for key, words in _WORDS.items() if key in said), _UNKNOWN)
