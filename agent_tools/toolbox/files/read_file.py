"""Reads a file of the session by lines: text of any size and charset, PDFs, notebooks, kept outputs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from pydantic import Field

from agent_tools.contract.context import ToolContext
from agent_tools.contract.errors import RefusedError
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import UNCHANGED_OF, ToolResult
from agent_tools.guards.files.opening import Opened, opened
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.text import pool
from agent_tools.text.charset import decode
from agent_tools.text.documents.notebook import notebook_text
from agent_tools.text.documents.pdf import pdf_text
from agent_tools.text.sniff import Content, Kind, classify, human_size
from agent_tools.toolbox.files import stamps
from agent_tools.toolbox.files.lines import Wanted, Window, take, window_of_file
from agent_tools.toolbox.files.stamps import Stamp
from agent_tools.workspace import outputs
from agent_tools.workspace.folders import roots_of

MOST_SHOWN = 18_000
"""Characters of one window; the notes around it stay below the limit of an output."""
HEAD = 8_192
PDF_SECONDS = 30.0
PDF, PDF_SIGN, SIGN_WITHIN = "application/pdf", b"%PDF-", 1_024
NOTEBOOK = ".ipynb"
MEBI = 1_048_576


class ReadFileConfig(ToolConfig):
    """What an operator decides about reading."""

    most_lines: int = Field(
        default=2_000, ge=1, le=100_000, title="Lines at a time", description="Most lines that one call shows."
    )
    longest_line: int = Field(
        default=2_000, ge=80, le=10_000, title="Longest line", description="Characters after which a line is cut."
    )
    scanned_mb: int = Field(
        default=256, ge=1, le=4_096, title="Scanned", description="Megabytes that one call reads to find its lines."
    )
    document_mb: int = Field(
        default=50,
        ge=1,
        le=500,
        title="Largest document",
        description="Megabytes up to which a PDF or notebook is read.",
    )


class ReadFileInput(ToolInput):
    """Which lines of which file."""

    path: str = Field(
        min_length=1,
        description="The file, such as workspace/notes.txt, library/paper.pdf, or the reference of a kept output.",
    )
    offset: int = Field(default=1, ge=1, description="The first line to show; 1 is the file's first.")
    limit: int | None = Field(default=None, ge=1, description="How many lines to show; leave out for as many as fit.")


@dataclass(frozen=True, slots=True)
class Found:
    """What a file is: the place without links, its stamp, its kind, and either a window of its text or its octets."""

    place: Place
    stamp: Stamp
    content: Content
    window: Window | None = None
    octets: bytes = b""


class ReadFile(ToolExecutor[ReadFileConfig, ReadFileInput]):
    """The text of a file with numbered lines."""

    Config = ReadFileConfig
    Input = ReadFileInput
    title = "Read file"
    summary = (
        "Read a file of the workspace, the library or the skills. Gives numbered lines; read a long file window by "
        "window with offset and limit. PDFs and notebooks come as text. Also reads kept outputs by their reference."
    )
    enabled_by_default = True
    max_output_chars = 20_000

    def is_read_only(self, tool_input: ReadFileInput, config: ReadFileConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: ReadFileInput, config: ReadFileConfig) -> bool:
        return True

    async def execute(self, tool_input: ReadFileInput, config: ReadFileConfig, context: ToolContext) -> ToolResult:
        wanted = Wanted(
            offset=tool_input.offset,
            limit=min(tool_input.limit or config.most_lines, config.most_lines),
            characters=MOST_SHOWN,
            longest=config.longest_line,
            scan=config.scanned_mb * MEBI,
        )
        if tool_input.path.strip().startswith(outputs.PREFIX):
            text = await sync_to_async(_kept)(tool_input.path, context)
            return _answer(tool_input.path.strip(), take([text], wanted, Window()), wanted)
        roots = await asyncio.to_thread(roots_of, context.workspace_id)
        place = roots.find(tool_input.path)
        real = await asyncio.to_thread(roots.resolved, place)
        known = await stamps.known(context, real)
        asked = (wanted.offset, wanted.limit)
        seen = known.stamp if known is not None and known.shown == asked and known.call_id else None
        found = await asyncio.to_thread(_load, roots, real, wanted, seen, config.document_mb * MEBI)
        if found is None and known is not None:
            return ToolResult.ok(
                {"path": place.text, "unchanged": True},
                f"{place.shown} is unchanged since call {known.call_id} showed these lines; its result still holds.",
                {UNCHANGED_OF: known.call_id},
            )
        assert found is not None  # noqa: S101 - it is none only where a stamp was known
        result = await self._result(found, place, wanted)
        await stamps.remember(context, real, found.stamp, shown=asked, call_id=context.call_id)
        return result

    async def _result(self, found: Found, place: Place, wanted: Wanted) -> ToolResult:
        if found.content.media_type == PDF:
            text = await pool.run(PDF_SECONDS, pdf_text, found.octets)
            return _answer(place.shown, take([text], wanted, Window()), wanted, "the text of a PDF")
        if found.octets:
            decoded = decode(found.octets)
            cells = await asyncio.to_thread(notebook_text, decoded.text)
            kind = "the cells of a notebook" if cells is not None else ""
            text = decoded.text if cells is None else cells
            return _answer(place.shown, take([text], wanted, Window(charset=decoded.charset)), wanted, kind)
        if found.window is not None:
            return _answer(place.shown, found.window, wanted)
        if found.content.kind is Kind.EMPTY:
            return ToolResult.ok({"path": place.text, "lines": 0}, f"{place.shown} is empty.")
        data = {"path": place.text, "media_type": found.content.media_type, "size": found.stamp.size}
        return ToolResult.ok(data, f"{place.shown}: {found.content.statement(found.stamp.size)}.")


def _load(roots: Roots, place: Place, wanted: Wanted, seen: Stamp | None, largest: int) -> Found | None:
    """Open a file and take from it what is wanted; none where it is in the state that was seen."""
    with opened(roots, place) as file:
        stamp = Stamp.of(file)
        if stamp == seen:
            return None
        content = _kind_of(file)
        is_document = content.media_type == PDF or place.parts[-1].lower().endswith(NOTEBOOK)
        if is_document and file.size:
            if file.size > largest:
                raise RefusedError(
                    f"path: {place.shown} has {human_size(file.size)}; documents up to {human_size(largest)} are read.",
                    reason="too_large",
                )
            return Found(place, stamp, content, octets=file.read(file.size))
        if content.kind in {Kind.BINARY, Kind.EMPTY}:
            return Found(place, stamp, content)
        return Found(place, stamp, content, window_of_file(file, wanted))


def _kind_of(file: Opened) -> Content:
    head = file.read(HEAD)
    if PDF_SIGN in head[:SIGN_WITHIN] and not head.lstrip().startswith(b"<"):
        return Content(Kind.BINARY, PDF)
    return classify(head)


def _kept(reference: str, context: ToolContext) -> str:
    call_id = outputs.call_of(reference)
    text = None if call_id is None else outputs.read_whole(context.session_id, call_id)
    if text is None:
        raise RefusedError(f"path: this conversation keeps no output {reference.strip()}.", reason="not_found")
    return text


def _answer(shown: str, window: Window, wanted: Wanted, kind: str = "") -> ToolResult:
    first, last = wanted.offset, wanted.offset + len(window.lines) - 1
    total = f"{window.total:,}" if window.complete else f"more than {window.total:,}"
    data: dict[str, Any] = {"path": shown, "first": first, "last": last, "total": window.total}
    metadata = {"charset": window.charset, "total_is_exact": window.complete}
    if not window.lines:
        if not window.total:
            return ToolResult.ok(data, f"{shown} holds no text.", metadata)
        beyond = "offset: is beyond what one call can reach" if not window.complete else "offset: is beyond the end"
        return ToolResult.failed(
            f"{beyond}: {shown} has {total} lines.", reason="nothing_more", data=data, metadata=metadata
        )
    numbered = "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(window.lines, first))
    notes = [f"Lines {first:,}-{last:,} of {total}" + (f", {kind}" if kind else "")]
    if window.charset != "utf-8":
        notes.append(f"read as {window.charset}")
    if window.lossy:
        notes.append("some characters could not be read")
    more = last < window.total or not window.complete
    way = f" Go on with offset={last + 1}." if more else ""
    return ToolResult.ok(data, f"[{shown}: {'; '.join(notes)}.{way}]\n{numbered}", metadata)
