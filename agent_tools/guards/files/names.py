"""Paths as models write and read them: checked as text, and shown so that any name on a disk stays one line of text.

Unusual names are shown as git shows them, in double quotes with C's escapes and octal bytes (git-config,
`core.quotePath`), and are understood in the same form.
"""

from __future__ import annotations

import os
import re

from agent_tools.guards.files.errors import FileRefusedError

LONGEST_PATH = 4_000
LONGEST_NAME = 255
"""Octets of one name that every usual file system can hold."""
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_LETTERS = {letter: sign for sign, letter in _ESCAPES.items()}
_UNFIT = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
_ESCAPED = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)


def parts_of(path: str) -> tuple[str, ...]:
    """Return the names of which a path consists, without empty ones and `.`; raises `FileRefusedError`."""
    text = _unquoted(path.strip()) if path.strip().startswith('"') else path.strip()
    if not text:
        raise FileRefusedError("path: must not be empty; begin with workspace/.", reason="path_refused")
    if len(text) > LONGEST_PATH:
        raise FileRefusedError(f"path: is longer than {LONGEST_PATH:,} characters.", reason="path_refused")
    if "\0" in text:
        raise FileRefusedError("path: must not hold a NUL.", reason="path_refused")
    if ".." in text or "~" in text:
        raise FileRefusedError(
            "path: must not hold '..' or '~'; write it from its root on, such as workspace/notes.txt.",
            reason="path_refused",
        )
    try:
        os.fsencode(text)
    except UnicodeEncodeError as error:
        raise FileRefusedError("path: holds characters that no file name can hold.", reason="path_refused") from error
    return tuple(name for name in text.split("/") if name not in {"", "."})


def check_new_name(name: str) -> None:
    """Refuse what a new file or folder had better not be called; raises `FileRefusedError`."""
    if _UNFIT.search(name):
        raise FileRefusedError(
            f"path: a new name must not hold control characters or a backslash: {quoted(name)}. Divide folders by '/'.",
            reason="path_refused",
        )
    if len(os.fsencode(name)) > LONGEST_NAME:
        raise FileRefusedError(f"path: a name may have at most {LONGEST_NAME} bytes.", reason="path_refused")


def quoted(path: str) -> str:
    """Return a path as it is shown: as it is, or in quotes where it holds anything that would not stand out as text."""
    if path.isprintable() and not path.startswith(('"', " ")) and not path.endswith(" ") and "\\" not in path:
        return path
    return '"' + "".join(_escaped(sign) for sign in path) + '"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return f"\\{_ESCAPES[sign]}"
    if sign.isprintable():
        return sign
    return "".join(f"\\{octet:03o}" for octet in os.fsencode(sign))


def _unquoted(text: str) -> str:
    if len(text) < len('""') or not text.endswith('"'):
        raise FileRefusedError("path: begins with '\"' but does not end with it.", reason="path_refused")
    octets = bytearray()
    last = 0
    inner = text[1:-1]
    for found in _ESCAPED.finditer(inner):
        octets += inner[last : found.start()].encode("utf-8", "surrogateescape")
        octets += _meant(found[1])
        last = found.end()
    octets += inner[last:].encode("utf-8", "surrogateescape")
    return os.fsdecode(bytes(octets))


def _meant(escape: str) -> bytes:
    if escape in _LETTERS:
        return _LETTERS[escape].encode()
    if escape.isdigit():
        return bytes([int(escape, 8) & 0xFF])
    raise FileRefusedError(f"path: '\\{escape}' is no escape of a quoted path.", reason="path_refused")
