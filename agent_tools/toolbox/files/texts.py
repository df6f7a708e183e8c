"""Text files as a whole: decoded as read_file does, and written back octet by octet in their own charset."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from agent_tools.contract.errors import RefusedError
from agent_tools.guards.files.opening import Opened
from agent_tools.text.charset import decode
from agent_tools.text.charset_names import codec_of
from agent_tools.text.sniff import Kind, classify, human_size
from agent_tools.toolbox.files.stamps import Stamp

HEAD = 8_192
UTF8 = "utf-8"
BOM = "\ufeff"
_MARKS = {
    UTF8: codecs.BOM_UTF8,
    "utf-16le": codecs.BOM_UTF16_LE,
    "utf-16be": codecs.BOM_UTF16_BE,
    "utf-32le": codecs.BOM_UTF32_LE,
    "utf-32be": codecs.BOM_UTF32_BE,
}


@dataclass(frozen=True, slots=True)
class Text:
    """A text without its byte order mark, the charset's WHATWG name, the mark, and the file's stamp."""

    text: str
    charset: str
    mark: bytes
    stamp: Stamp

    def encoded(self, text: str) -> bytes:
        """Return another text in this one's charset and with its mark; raises `UnicodeEncodeError`."""
        return self.mark + text.encode(codec_of(self.charset))


def text_of(file: Opened, shown: str, most: int) -> Text:
    """Read a text file that can be written back octet by octet; raises `RefusedError`."""
    if file.size > most:
        raise RefusedError(
            f"path: {shown} has {human_size(file.size)}, and files up to {human_size(most)} are edited.",
            reason="too_large",
        )
    octets = file.read(most + 1)
    if len(octets) != file.size:
        raise RefusedError(f"path: {shown} is being written by somebody else; read it again.", reason="changed")
    if classify(octets[:HEAD]).kind is Kind.BINARY:
        raise RefusedError(f"path: {shown} is no text file.", reason="not_text")
    decoded = decode(octets)
    mark = _MARKS.get(decoded.charset, b"")
    found = Text(decoded.text, decoded.charset, mark if mark and octets.startswith(mark) else b"", Stamp.of(file))
    if decoded.lossy or _again(found) != octets:
        raise RefusedError(
            f"path: {shown} is not wholly readable as {decoded.charset}, so an edit would change more than it says.",
            reason="not_text",
        )
    return found


def is_read_as(octets: bytes, text: str) -> bool:
    """Tell whether a file of these octets will be read as this text, but for a mark that it begins with."""
    return decode(octets).text == text.removeprefix(BOM)


def _again(found: Text) -> bytes | None:
    try:
        return found.encoded(found.text)
    except UnicodeEncodeError:
        return None
