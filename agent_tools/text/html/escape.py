"""Text that stays text: escapes for what CommonMark and GFM would take for markup or live HTML, and nothing else."""

from __future__ import annotations

import re
from html.entities import html5

# What separates words in HTML; the no-break space joins them, as readers of Markdown see no difference.
_SPACES = re.compile(r"[ \t\n\r\f\u00a0\u2028\u2029]+")
_CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_WRAPPED_CJK = re.compile(rf"(?<=[{_CJK}])[ \t]*[\r\n][ \t\r\n]*(?=[{_CJK}])")
# Soft hyphens, zero-width spaces and byte order marks; tag characters, which hide text from all but machines.
_INVISIBLE = re.compile(
    "[\u00ad\u200b\u2060\ufeff]|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")

_MARKUP = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~]|$)        # a backslash before anything it could escape, or before what follows this text
    | `
    | <(?=[A-Za-z/!?]|$)             # tags, comments, declarations, autolinks
    | &(?=(\#?\w{1,32};))            # character references
    | \](?=[(\[:])                   # links, references and their definitions
    | ~(?=~)
    """,
    re.VERBOSE,
)
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_LINE_START = re.compile(
    r"""
      \#{1,6}(?=\s|$)
    | >
    | [-+*](?=\s|$)
    | (?:\d{1,9})[.)](?=\s|$)
    | (?:=+|-{2,}|(?:-[ ]?){3,}|(?:_[ ]?){3,}|(?:\*[ ]?){3,})(?=\s*$)
    """,
    re.VERBOSE,
)
_URL = re.compile(r"(?:https?|ftp)://\S+")
_STARS = re.compile(r"\*+")
_UNDERSCORES = re.compile(r"_+")


def collapse(text: str) -> str:
    """Collapse white space as HTML does and drop what nobody can see; a space at either end stays one space."""
    if not text.isascii():
        text = _INVISIBLE.sub("", _WRAPPED_CJK.sub("", text))
    return _SPACES.sub(" ", _CONTROLS.sub("", text))


def clean_code(text: str) -> str:
    """Return code without invisible characters and with plain spaces."""
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text if text.isascii() else _INVISIBLE.sub("", text).replace("\u00a0", " ")


def escape(text: str, *, line_start: bool = False, label: bool = False, cell: bool = False) -> str:
    """Escape one collapsed text.

    `line_start` says that it begins a line, `label` that brackets would end the link around it, `cell` that bars
    would end the table's cell.
    """
    escaped = _MARKUP.sub(_shield, text)
    if label:
        escaped = _BRACKET.sub(r"\\\g<0>", escaped)
    if cell:
        escaped = escaped.replace("|", "\\|")
    if "*" in escaped or "_" in escaped:
        escaped = _escape_emphasis(escaped)
    return escape_line_start(escaped) if line_start else escaped


def _shield(found: re.Match[str]) -> str:
    reference: str | None = found[1]
    if reference is None or reference[0] == "#" or reference in html5:
        return f"\\{found[0]}"
    return found[0]


def escape_line_start(escaped: str) -> str:
    """Escape what would make a heading, quote, list item or rule of a line that has been escaped otherwise."""
    found = _LINE_START.match(escaped)
    if found is None:
        return escaped
    at = found.end() - 1 if found[0][-1] in ".)" else 0
    return f"{escaped[:at]}\\{escaped[at:]}"


def _escape_emphasis(text: str) -> str:
    """Escape stars and underscores that would pair up; lone and spaced ones stay, underscores in words and URLs too."""
    addresses = _URL.sub(lambda address: "x" * len(address[0]), text)
    marks: list[int] = []
    for runs, inside_words in ((_STARS, True), (_UNDERSCORES, False)):
        flanking = [(match, *_flanks(text, match, inside_words=inside_words)) for match in runs.finditer(text)]
        first = next((index for index, (_, opens, _) in enumerate(flanking) if opens), None)
        if first is not None and any(closes for _, _, closes in flanking[first + 1 :]):
            marks += [at for match, opens, closes in flanking if opens or closes for at in range(*match.span())]
    marks = [at for at in marks if text[at] == "*" or addresses[at] == "_"]
    kept = 0
    parts: list[str] = []
    for at in sorted(marks):
        parts.append(text[kept:at])
        kept = at
    return "\\".join([*parts, text[kept:]])


def _flanks(text: str, run: re.Match[str], *, inside_words: bool) -> tuple[bool, bool]:
    """Tell whether a run can open and whether it can close emphasis (CommonMark 6.2, somewhat generous)."""
    before = text[run.start() - 1] if run.start() else " "
    after = text[run.end()] if run.end() < len(text) else " "
    opens = not after.isspace() and (inside_words or not before.isalnum())
    closes = not before.isspace() and (inside_words or not after.isalnum())
    return opens, closes
