"""What writing and editing share: whoever changes a file must know it as it is, and is shown what changed."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolConfig
from agent_tools.contract.permissions import Action, Verdict
from agent_tools.guards.files.opening import Opened
from agent_tools.guards.files.roots import Place
from agent_tools.text.charset import decode
from agent_tools.text.charset_names import codec_of
from agent_tools.text.sniff import Kind, classify
from agent_tools.toolbox.files.diffs import Diff
from agent_tools.toolbox.files.stamps import Known, Stamp

MEBI = 1_048_576
MOST_OF_A_DIFF = 100_000
SHOWN_OF_A_DIFF = 3_000
_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE}


class ChangingConfig(ToolConfig):
    """What an operator decides about changing files."""

    most_mb: int = Field(
        default=10, ge=1, le=100, title="Largest file", description="Megabytes up to which a file is written or edited."
    )
    ask: bool = Field(
        default=False, title="Ask each time", description="Ask the person before each call, unless a rule allows it."
    )

    def verdicts(self) -> Sequence[Verdict]:
        return [Verdict(Action.ASK, "It changes files of the workspace.")] if self.ask else []


@dataclass(frozen=True, slots=True)
class Text:
    """A text file as a whole: its text without a mark, the charset, the mark, its stamp, the octets it came from."""

    text: str
    charset: str
    mark: bytes
    stamp: Stamp

    def encoded(self, text: str) -> bytes:
        """Return another text in this one's charset and with its mark; raises `RefusedError`."""
        try:
            return self.mark + text.encode(codec_of(self.charset))
        except UnicodeEncodeError as error:
            sign = text[error.start : error.start + 1]
            raise RefusedError(
                f"new_string: {sign!r} (U+{ord(sign):04X}) cannot be written in {self.charset}, the file's charset.",
                reason="not_encodable",
            ) from error


def text_of(file: Opened, shown: str, most: int) -> Text:
    """Read a text file that can be written back octet by octet; raises `RefusedError`."""
    if file.size > most:
        raise RefusedError(f"path: {shown} is larger than the {most:,} bytes that may be edited.", reason="too_large")
    octets = file.read(file.size + 1)
    if classify(octets[:8_192]).kind is Kind.BINARY:
        raise RefusedError(f"path: {shown} is no text file.", reason="not_text")
    decoded = decode(octets)
    mark = _BOMS.get(decoded.charset, b"")
    mark = mark if mark and octets.startswith(mark) else b""
    found = Text(decoded.text, decoded.charset, mark, Stamp.of(file))
    if decoded.lossy or _again(found) != octets:
        raise RefusedError(
            f"path: {shown} is not wholly readable as {decoded.charset}, so an edit would change more than it says.",
            reason="not_text",
        )
    return found


def _again(found: Text) -> bytes | None:
    try:
        return found.encoded(found.text)
    except RefusedError:
        return None


def must_be(known: Known | None, place: Place, *, creating: bool = True) -> Callable[[os.stat_result | None], None]:
    """Return the check that a file is as the session knows it; one that is not there may be created."""

    def check(state: os.stat_result | None) -> None:
        if state is None:
            if creating:
                return
            raise RefusedError(f"path: {place.shown} is gone.", reason="not_found")
        refuse_unless_known(known, Stamp.of(state), place)

    return check


def refuse_unless_known(known: Known | None, stamp: Stamp, place: Place) -> None:
    """Refuse a file that the session has not seen in this state."""
    if known is None:
        raise RefusedError(
            f"path: {place.shown} exists and was not read in this conversation; read it first.", reason="not_read"
        )
    if known.stamp != stamp:
        raise RefusedError(
            f"path: {place.shown} was changed since you read it; read it again and look at the changes.",
            reason="changed",
        )


def told(place: Place, diff: Diff | None, **facts: Any) -> dict[str, Any]:
    """Return what programs and the page learn of a change."""
    data: dict[str, Any] = {"path": place.text, **facts}
    if diff is not None:
        data |= {
            "diff": diff.beginning(MOST_OF_A_DIFF),
            "added": diff.added,
            "removed": diff.removed,
            "diff_cut": len(diff.text) > MOST_OF_A_DIFF,
        }
    return data


def worded(sentence: str, diff: Diff | None) -> str:
    """Return what the model reads of a change."""
    return f"{sentence}\n{diff.beginning(SHOWN_OF_A_DIFF)}" if diff is not None and diff.text else sentence
