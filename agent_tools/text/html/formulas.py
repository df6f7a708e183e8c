"""Formulas as TeX between dollars: from MathML, from KaTeX's and MathJax's sources, from images of formulas."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_LONGEST = 10_000
_TEX_ENCODINGS = ("application/x-tex", "latex", "tex")
_DELIMITED = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)
_OPENINGS = re.compile(r"\\\(|\\\[|\$\$")
_CLOSINGS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_DOLLARS = re.compile(r"(?<![\\$\w])\$(?=[^\s$])([^$]{1,1000})(?<=[^\s\\])\$(?![\d$])")
_TEX_SIGN = re.compile(r"[\\^_{}=]")
_SCRIPTS = {"msup": "^", "msub": "_", "mover": "^", "munder": "_"}


def tex_of(math: LexborNode) -> str:
    """Return the TeX of a MathML element: its annotation, its alttext, else its symbols on one line."""
    for annotation in math.css("annotation"):
        if (annotation.attributes.get("encoding") or "").lower() in _TEX_ENCODINGS:
            return clean_tex(annotation.text())
    alternative = math.attributes.get("alttext")
    return clean_tex(alternative or _linear(math))


def delimited_tex(text: str) -> tuple[str, bool] | None:
    r"""Return the TeX within \(…\), \[…\], $$…$$ or $…$ and whether it is displayed, None for any other text."""
    found = _DELIMITED.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    inline, bracketed, doubled, single = found.groups()
    displayed = bracketed if bracketed is not None else doubled
    tex = clean_tex(next(part for part in (displayed, inline, single) if part is not None))
    return (tex, displayed is not None) if tex else None


def split_tex(text: str) -> list[str | tuple[str, bool]]:
    r"""Split a text at its \(…\), \[…\], $$…$$ and $…$ into texts and pairs of TeX and whether it is displayed."""
    parts: list[str | tuple[str, bool]] = []
    for part in _split_marked(text):
        parts += _split_dollars(part) if isinstance(part, str) else [part]
    return parts


def _split_dollars(text: str) -> list[str | tuple[str, bool]]:
    """Split at single dollars, but not at prices."""
    parts: list[str | tuple[str, bool]] = []
    begin = 0
    for found in _DOLLARS.finditer(text):
        tex = clean_tex(found[1])
        if tex and (_TEX_SIGN.search(tex) or len(tex) == 1):
            parts += (text[begin : found.start()], (tex, False))
            begin = found.end()
    return [*parts, text[begin:]]


def _split_marked(text: str) -> list[str | tuple[str, bool]]:
    parts: list[str | tuple[str, bool]] = []
    closings = {opening: text.find(closing) for opening, closing in _CLOSINGS.items()}  # the next of each kind
    begin = 0
    for opening in _OPENINGS.finditer(text):
        kind, start = opening[0], opening.end()
        if opening.start() < begin or closings[kind] < 0:
            continue
        if closings[kind] < start:
            closings[kind] = text.find(_CLOSINGS[kind], start)
        end = closings[kind]
        tex = clean_tex(text[start:end]) if start <= end <= start + _LONGEST else ""
        if tex:
            parts += (text[begin : opening.start()], (tex, kind != "\\("))
            begin = end + len(_CLOSINGS[kind])
    return [*parts, text[begin:]]


def clean_tex(tex: str) -> str:
    """Return TeX on one line that holds nothing a Markdown renderer could take for a tag, a link or code."""
    tex = " ".join(tex[:_LONGEST].split())
    if tex.startswith(("$", "\\(", "\\[")):
        inner = _DELIMITED.fullmatch(tex)
        tex = next(filter(None, inner.groups()), "").strip() if inner else tex
    if tex.startswith("{\\displaystyle ") and tex.endswith("}"):
        tex = tex[len("{\\displaystyle ") : -1].strip()
    for char, instead in (("<", r"\lt "), (">", r"\gt "), ("`", "'"), ("](", "] ("), ("]:", "] :")):
        tex = tex.replace(char, instead)
    tex = re.sub(r"(?<!\\)\$", r"\\$ ", tex)
    return " ".join(tex.split()).rstrip("\\")


def _linear(node: LexborNode, depth: int = 20) -> str:
    """Write MathML without TeX as a person would type it: (a)/(b), a^b, sqrt(a)."""
    parts = [
        child for child in node.iter(include_text=True) if (child.tag or "") not in {"annotation", "annotation-xml"}
    ]
    texts = [child.text() if child.is_text_node or depth == 0 else _linear(child, depth - 1) for child in parts]
    texts = [text.strip() for text in texts if text.strip()]
    tag = node.tag or ""
    if tag == "mfrac" and len(texts) > 1:
        return f"({texts[0]})/({texts[1]})"
    if tag in _SCRIPTS and len(texts) > 1:
        return f"{texts[0]}{_SCRIPTS[tag]}{{{texts[1]}}}"
    if tag == "msubsup" and len(texts) > len("ab"):
        return f"{texts[0]}_{{{texts[1]}}}^{{{texts[2]}}}"
    if tag == "msqrt":
        return f"sqrt({' '.join(texts)})"
    return " ".join(texts)
