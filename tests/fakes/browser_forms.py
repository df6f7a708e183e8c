"""Reads a page's form as a browser does, so that tests send back what the page really holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

Fields = dict[str, Any]


@dataclass
class _Reader(HTMLParser):
    form_id: str
    fields: Fields = field(default_factory=dict)
    inside: bool = False
    area: str = ""
    text: list[str] = field(default_factory=list)
    select: str = ""
    first_option: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def add(self, name: str, value: str) -> None:
        known = self.fields.get(name)
        self.fields[name] = value if known is None else [*(known if isinstance(known, list) else [known]), value]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name = found.get("name") or ""
        if tag == "form":
            self.inside = found.get("id") == self.form_id
        if not self.inside:
            return
        if tag == "input" and name:
            self._input(name, found)
        elif tag == "textarea":
            self.area, self.text = name, []
        elif tag == "select":
            self.select, self.first_option = name, None
        elif tag == "option" and self.select:
            value = found.get("value") or ""
            self.first_option = value if self.first_option is None else self.first_option
            if "selected" in found:
                self.add(self.select, value)

    def _input(self, name: str, found: dict[str, str | None]) -> None:
        kind = found.get("type", "text")
        if kind in {"submit", "button", "image"}:
            return
        if kind in {"checkbox", "radio"}:
            if "checked" in found:
                self.add(name, found.get("value") or "on")
            return
        self.add(name, found.get("value") or "")

    def handle_data(self, data: str) -> None:
        if self.area:
            self.text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.area:
            # HTML: a line end right behind the opening tag is dropped, and line ends are sent as CRLF.
            value = "".join(self.text).replace("\r\n", "\n").removeprefix("\n").replace("\n", "\r\n")
            self.add(self.area, value)
            self.area = ""
        elif tag == "select" and self.select:
            if self.select not in self.fields and self.first_option is not None:
                self.add(self.select, self.first_option)
            self.select = ""


def filled_in(html: str, form_id: str) -> Fields:
    """Return what a browser would send of the form with that id, had nobody touched it."""
    reader = _Reader(form_id)
    reader.feed(html)
    return reader.fields
