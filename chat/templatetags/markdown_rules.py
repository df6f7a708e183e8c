r"""What answers hold beyond CommonMark: formulas in `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and bare addresses.

`static/chat/prose/syntax.js` has the same forms, so that stored and streamed answers look alike.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

# An opening dollar stands before a formula, a closing one neither after a blank nor before a digit: "$5 and $10" is
# money. Lengths are bounded so that a text full of openings costs little.
INLINE = (
    (re.compile(r"\$\$((?:\\.|[^\\$])+)\$\$", re.DOTALL), True),
    (re.compile(r"\$(?!\s)((?:\\.|[^\\$\n])+)(?<!\s)\$(?!\d)"), False),
    (re.compile(r"\\\[(.{1,4000}?)\\\]", re.DOTALL), True),
    (re.compile(r"\\\((.{1,4000}?)\\\)", re.DOTALL), False),
)
LONGEST_BLOCK = 200
# Quotes and Chinese punctuation belong to the sentence: in an address they would stand percent-encoded. Left in, a
# closing quote would become a part of the host.
AROUND = "“”„‟‘’‚‛«»‹›，。；：！？、（）【】《》〈〉「」『』"
ADDRESS = re.compile(rf"https?://[^\s<>\"'`{AROUND}]+", re.IGNORECASE)
NOT_AT_THE_END = ".,:;!?*_~"
FENCES = {"$$": "$$", r"\[": r"\]"}


def with_rules(markdown: MarkdownIt) -> MarkdownIt:
    """Teach the parser formulas and addresses, and return it."""
    markdown.inline.ruler.push("address", _address)
    markdown.inline.ruler.before("escape", "math", _inline)
    markdown.block.ruler.before("fence", "math_block", _block, {"alt": ["paragraph", "blockquote", "list"]})
    markdown.add_render_rule(
        "math", lambda _self, tokens, at, _options, _env: _html(tokens[at].content, tokens[at].info)
    )
    return markdown


def _html(tex: str, info: str) -> str:
    code = f'<code class="math{info}">{escape(tex.strip())}</code>'
    return f"<p>{code}</p>\n" if info == " display block" else code


def _inline(state: StateInline, silent: bool) -> bool:
    for pattern, display in INLINE:
        found = pattern.match(state.src, state.pos)
        if found and found[1].strip():
            if not silent:
                token = state.push("math", "code", 0)
                token.content, token.info = found[1], " display" if display else ""
            state.pos = found.end()
            return True
    return False


def _address(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("://", state.pos) or state.linkLevel:
        return False
    scheme = re.search(r"(?:^|\W)(https?)$", state.pending, re.IGNORECASE)
    found = ADDRESS.match(state.src, state.pos - len(scheme[1])) if scheme else None
    if scheme is None or found is None:
        return False
    url = found[0].rstrip(NOT_AT_THE_END)
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(NOT_AT_THE_END)
    href = state.md.normalizeLink(url)
    if not state.md.validateLink(href):
        return False
    if not silent:
        state.pending = state.pending[: -len(scheme[1])]
        state.push("link_open", "a", 1).attrs = {"href": href}
        state.push("text", "", 0).content = url
        state.push("link_close", "a", -1)
    state.pos += len(url) - len(scheme[1])
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    lines = [_line(state, start)]
    closing = FENCES.get(lines[0][:2])
    if closing is None:
        return False
    lines[0] = lines[0][2:]
    while not lines[-1].endswith(closing):
        if start + len(lines) >= min(end, start + LONGEST_BLOCK):
            return False
        lines.append(_line(state, start + len(lines)))
    if not silent:
        token = state.push("math", "code", 0)
        token.content = "\n".join(lines)[: -len(closing)]
        token.info, token.block, token.map = " display block", True, [start, start + len(lines)]
        state.line = start + len(lines)
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
