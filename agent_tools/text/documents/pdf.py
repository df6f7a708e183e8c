"""The text of a PDF, page by page, through PDFium."""

from __future__ import annotations

import re

import pypdfium2

from agent_tools.contract.errors import ToolError

MOST_PAGES = 2_000
MOST_CHARACTERS = 20_000_000
_LINE_END = re.compile(r"\r\n?")
_HYPHEN = "\x02"  # PDFium's sign for a hyphen at a line's end
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
NO_TEXT = "[This PDF has no text on any page; its pages are probably scanned pictures.]"


def pdf_text(octets: bytes) -> str:
    """Return the text with a line before each page that names it; raises `ToolError` with the reason `pdf_encrypted` or
    `pdf_broken`. PDFium is not thread-safe: one call at a time in a process.
    """
    try:
        document = pypdfium2.PdfDocument(octets)
    except pypdfium2.PdfiumError as error:
        raise _refusal(error) from None
    try:
        pages = len(document)
        parts: list[str] = []
        size = 0
        found = False
        for number in range(min(pages, MOST_PAGES)):
            text = _page(document, number)
            found = found or bool(text.strip())
            parts.append(f"--- page {number + 1} of {pages} ---\n{text.strip()}\n")
            size += len(text)
            if size > MOST_CHARACTERS:
                parts.append(f"[The text of the pages from {number + 2} on is left out.]")
                break
    finally:
        document.close()
    if pages > MOST_PAGES:
        parts.append(f"[Only the first {MOST_PAGES:,} of {pages:,} pages were read.]")
    return "\n".join(parts) if found else NO_TEXT


def _page(document: pypdfium2.PdfDocument, number: int) -> str:
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return "[This page is broken.]"
    try:
        text_page = page.get_textpage()
        text = str(text_page.get_text_bounded())
        text_page.close()
    except pypdfium2.PdfiumError:
        return "[This page cannot be read.]"
    finally:
        page.close()
    return _CONTROLS.sub(" ", _LINE_END.sub("\n", text).replace(_HYPHEN, "-"))


def _refusal(error: Exception) -> ToolError:
    if "password" in str(error).lower():
        return ToolError(
            "This PDF is encrypted and needs a password; nothing of it can be read.", reason="pdf_encrypted"
        )
    return ToolError("This PDF is broken and cannot be opened.", reason="pdf_broken")
