"""html2text, fed by our tree instead of its own parser, and able to write a part aside before placing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from html2text import HTML2Text

from agent_tools.text.html.escape import collapse, escape
from agent_tools.text.html.tree import WRAPPERS, Element, Node

_CLOSING = frozenset(",.;:!?)]}")


@dataclass(frozen=True, slots=True)
class Aside:
    """A piece of a line that was written aside: its text without the spaces around it, and whether they were there."""

    before: bool
    text: str
    after: bool


class Writer(HTML2Text):
    """Writes trees as Markdown.

    html2text's own parser (html.parser, slow on malformed pages) is never fed; its hooks are called by the tree's
    events, and it keeps account of paragraphs, line breaks and spaces. What it gets wrong (emphasis, links, lists,
    tables, code) is written by the handlers, by tag.
    """

    def __init__(self, handlers: Mapping[str, Handler], skip: frozenset[str], limit: int) -> None:
        super().__init__(bodywidth=0)
        self.unicode_snob = True
        self.headings: set[str] = set()
        self.marks: frozenset[str] = frozenset()  # kinds of emphasis that are open
        self.lines = 0  # inside how many things that must stay on one line
        self.labels = 0  # inside how many links
        self.cells = 0  # inside how many cells of a table
        self.lists = 0
        self.quotes = 0
        self.following = ""  # the character after the present element
        self.explained: set[str] = set()
        self._handlers = handlers
        self._skip = skip
        self._limit = limit
        self._written = 0
        self._aside = 0

    def convert(self, root: Element) -> str:
        """Return a tree as Markdown; stops taking in more of it soon after the limit, in characters."""
        self.start = True
        self.write(root.children)
        return self.finish().strip()

    def write(self, nodes: Sequence[Node]) -> None:
        """Write nodes one after the other."""
        for index, node in enumerate(nodes):
            if self._written > self._limit:
                return
            if isinstance(node, str):
                self.handle_data(node)
                continue
            following = nodes[index + 1] if index + 1 < len(nodes) else ""
            self.following = following[:1] if isinstance(following, str) else ""
            self.write_element(node)

    def write_element(self, element: Element) -> None:
        """Write an element by its handler, or only what it holds."""
        if element.tag in self._skip:
            return
        handler = self._handlers.get(element.tag)
        if handler is None:
            self.write(element.children)
        else:
            handler(self, element)

    def content(self, nodes: Sequence[Node]) -> Iterator[Node]:
        """Yield nodes as if the wrappers among them were not there."""
        for node in nodes:
            if isinstance(node, str) or node.tag not in WRAPPERS:
                yield node
            elif node.tag not in self._skip:
                yield from self.content(node.children)

    def text(self, element: Element) -> str:
        """Return the text that is shown below an element, unescaped."""
        parts = [node if isinstance(node, str) else self.text(node) for node in self.content(element.children)]
        return "".join(parts)

    def handle_data(self, data: str, entity_char: bool = False) -> None:
        del entity_char
        text = collapse(data)
        if text.startswith(" "):
            self.space = True
        core = text.strip(" ")
        if not core:
            return
        escaped = escape(core, line_start=self.at_line_start, label=self.labels > 0, cell=self.cells > 0)
        if self.last == "]" and escaped[0] in "([:":
            escaped = f"\\{escaped}"  # or a text before it would become a link's label
        self.o(escaped)
        self.space = text.endswith(" ")

    @property
    def at_line_start(self) -> bool:
        """Whether what is written next begins a line."""
        return self.start or self.p_p > 0

    @property
    def last(self) -> str:
        """The character right before what is written next, empty where a space or a line lies between."""
        if self.start or self.p_p or self.space or not self.outtextlist:
            return ""
        return self.outtextlist[-1][-1:]

    def outtextf(self, s: str) -> None:
        if not s:
            return
        super().outtextf(s)
        if not self._aside:
            self._written += len(s)

    def p(self) -> None:
        """End the block, or only the word where there must be one line."""
        if self.lines:
            self.space = True
        else:
            super().p()
            self.br_toggle = ""

    def line_break(self) -> None:
        """Begin a new line; two of them end the paragraph."""
        if self.lines:
            self.space = True
        elif not self.start:
            if self.p_p:
                self.p()
            else:
                self.soft_br()

    def shield_exclamation(self) -> None:
        """Keep an exclamation mark before a link from making an image of it."""
        if self.last == "!":
            self.outtextlist[-1] = f"{self.outtextlist[-1][:-1]}\\!"

    def place(self, piece: Aside, following: str = "") -> None:
        """Write a piece of a line with the spaces around it; before closing punctuation a space is a slip."""
        self.space = self.space or piece.before
        self.o(piece.text)
        after = piece.after and following not in _CLOSING
        self.space = after if piece.text else self.space or after

    def place_block(self, text: str) -> None:
        """Write a block of its own."""
        if text:
            self.p()
            self.o(text)
            self.p()

    def inline(self, write: Callable[[], None]) -> Aside:
        """Return what `write` writes into the middle of a line."""
        outer = self._begin_aside(start=False)
        write()
        parts, after = self.outtextlist, self.space or self.p_p > 0
        self._end_aside(outer)
        text = "".join(parts)
        return Aside(text[:1].isspace(), text.strip(), after)

    def line(self, write: Callable[[], None]) -> Aside:
        """Return what `write` writes, all of it on one line."""
        self.lines += 1
        piece = self.inline(write)
        self.lines -= 1
        return piece

    def block(self, nodes: Sequence[Node]) -> str:
        """Return nodes as blocks, written as if they were a document of their own."""
        saved = (self.lines, self.labels, self.marks)
        self.lines, self.labels, self.marks = 0, 0, frozenset()
        outer = self._begin_aside(start=True)
        self.write(nodes)
        parts = self.outtextlist
        self._end_aside(outer)
        self.lines, self.labels, self.marks = saved
        return "".join(parts).strip("\n").rstrip()

    def _begin_aside(self, *, start: bool) -> _State:
        outer = (self.outtextlist, self.p_p, self.space, self.start, self.lastWasNL, self.br_toggle)
        self.outtextlist, self.p_p, self.space, self.start = [], 0, False, start
        self.lastWasNL, self.br_toggle = False, ""
        self._aside += 1
        return outer

    def _end_aside(self, outer: _State) -> None:
        self._aside -= 1
        self.outtextlist, self.p_p, self.space, self.start, self.lastWasNL, self.br_toggle = outer


_State: TypeAlias = tuple[list[str], int, bool, bool, bool, str]
Handler: TypeAlias = Callable[[Writer, Element], None]
