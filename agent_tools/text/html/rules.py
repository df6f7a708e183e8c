"""What an element is to a reader: nothing, a wrapper, hidden, page chrome, or something that Markdown can say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from agent_tools.text.html.tree import names

DROPPED = names(
    "script style template iframe object embed applet svg canvas link meta base head select datalist param track area",
    "noembed noframes rp rtc optgroup option colgroup col basefont bgsound audio video portal fencedframe",
)
# Elements that keep a meaning, under the name that stands for their kind.
CANONICAL = {
    **{name: name for name in ("h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote")},
    **{name: name for name in ("pre", "table", "caption", "tr", "td", "th", "summary", "hr", "br", "q", "rt", "abbr")},
    **{name: name for name in ("a", "img", "sup", "sub")},
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("menu", "dir"), "ul"),
    **dict.fromkeys(("listing", "xmp", "plaintext", "textarea"), "pre"),
}
# Wrappers that begin and end a block.
BLOCKS = names(
    "address article aside body center details dialog div fieldset figcaption figure footer form header hgroup legend",
    "main nav p section search tbody tfoot thead frameset html noscript optgroup",
)
CONTAINERS = names("ul ol dl blockquote")  # each of these indents or marks every line within it

CHROME_TAGS = names("nav footer aside form dialog search button")
_CHROME_ROLES = names(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist"
)
_NEVER_CHROME = names("html body main article table h1 h2 h3 h4 h5 h6")
_HEADINGS = names("h1 h2 h3 h4 h5 h6 summary dt")
_QUOTING = names("blockquote figure")
_NOTES = re.compile(
    r"(?:^|[\s_-])(?:note|admonition|callout|tip|warning|caution|info|important|alert|hint)(?:$|[\s_-])"
)
_CONSENT = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|ccpa|onetrust|cookiebot|cookieconsent)(?:$|[\s_-])", re.ASCII
)
_CONSENT_WORDS = names("banner notice bar popup modal overlay consent dialog message law policy disclaimer wrapper sdk")
_TOOLS = names(
    "mw-editsection share sharing social-share share-buttons sharedaddy addtoany_share_save_container sharethis"
)
_DRAWN_FORMULAS = names("katex-html MathJax_Preview")
_ICONS = re.compile(r"(?:^|\s)material-(?:icons|symbols)")
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_HIDING = {"display": names("none"), "visibility": names("hidden collapse")}


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Tell whether a browser would not show an element (its own attributes and inline style; no style sheets)."""
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if tag == "dialog":
        return "open" not in attributes
    style = attributes.get("style", "")
    if "none" not in style.lower() and "hidden" not in style.lower() and "collapse" not in style.lower():
        return False
    found: dict[str, str] = {}
    for declaration in _STYLE_COMMENT.sub("", style).lower().split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip()] = value.replace("!important", "").strip()
    return any(found.get(name) in values for name, values in _HIDING.items())


def repeats_formula(classes: Sequence[str]) -> bool:
    """Tell whether an element of these classes draws a formula whose source stands beside it."""
    return not _DRAWN_FORMULAS.isdisjoint(classes)


def is_decoration(tag: str, attributes: Mapping[str, str]) -> bool:
    """Tell whether an element repeats or adorns what stands elsewhere: hidden from screen readers, icon fonts."""
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    return tag in {"i", "span"} and bool(_ICONS.search(attributes.get("class", "")))


def is_chrome(tag: str, attributes: Mapping[str, str], ancestors: Callable[[], list[str]]) -> bool:
    """Tell whether an element belongs to the site rather than to the page: menus, footers, forms, cookie banners.

    Not so: the footer of a quotation or figure, an aside that is a note, a button that is a heading.
    """
    role = attributes.get("role", "").lower()
    if tag in _NEVER_CHROME:
        return False
    if role in _CHROME_ROLES:
        return True
    marks = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
    if tag == "button" or (tag == "input" and attributes.get("type", "").lower() in {"submit", "button", "reset"}):
        return _HEADINGS.isdisjoint(ancestors())
    if tag == "footer":
        return _QUOTING.isdisjoint(ancestors())
    if tag == "aside":
        return role != "note" and not _NOTES.search(marks)
    return tag in CHROME_TAGS or (bool(marks.strip()) and (_is_consent(marks) or _is_tool(tag, marks)))


def _is_consent(marks: str) -> bool:
    if not _CONSENT.search(marks):
        return False
    return bool(_CONSENT_WORDS.intersection(re.split(r"[\s_-]+", marks))) or "onetrust" in marks


def _is_tool(tag: str, marks: str) -> bool:
    return tag in {"div", "ul", "section", "span"} and bool(_TOOLS.intersection(marks.split()))
