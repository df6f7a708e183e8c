"""How texts look on the page: Markdown made safe, hidden characters made visible, times in words."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from html import escape, unescape
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

import nh3
from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chat.templatetags.markdown_rules import with_rules

register = template.Library()

# The same tags as in static/chat/markdown.js. Nothing here loads, sends or covers anything.
TEXT_TAGS = {"a", "br", "code", "del", "em", "kbd", "s", "strong", "sub", "sup"}
BLOCK_TAGS = {
    "blockquote",
    "details",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "summary",
    "ul",
}
TABLE_TAGS = {"table", "tbody", "td", "th", "thead", "tr"}
TAGS = frozenset(TEXT_TAGS | BLOCK_TAGS | TABLE_TAGS)
CLASS = re.compile(r"language-[\w+#.-]{1,40}|math( display( block)?)?")
ALIGN = re.compile(r"text-align:(left|center|right)")
INVISIBLE = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2028", "\u2029", "\u034f", "\u2800"}
LONGEST_VALUE = 2_000
SECOND, MINUTE = 1_000, 60_000


def _image_as_link(_self: Any, tokens: list[Token], at: int, _options: Any, _env: Any) -> str:
    token = tokens[at]
    return f'<a href="{escape(str(token.attrs.get("src", "")))}">{escape(token.content or "image")}</a>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = with_rules(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]))
    parser.add_render_rule("image", _image_as_link)
    return parser


def _allowed(_tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return value if CLASS.fullmatch(value) else None
    return value


def _with_host(found: re.Match[str]) -> str:
    try:
        host = urlsplit(unescape(found[1])).hostname or ""
    except ValueError:
        host = ""
    return f'{found[0]} data-host="{escape(host)}"'


@lru_cache(maxsize=512)
def _markdown(text: str) -> str:
    aligned = re.sub(r' style="text-align:(left|center|right)"', r' align="\1"', _parser().render(text))
    clean = nh3.clean(
        aligned,
        tags=set(TAGS),
        attributes={
            "*": set(),
            "a": {"href"},
            "code": {"class"},
            "ol": {"start"},
            "td": {"align"},
            "th": {"align"},
        },
        attribute_filter=_allowed,
        clean_content_tags={"script", "style"},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return re.sub(r'<a href="(https?:[^"]*)"', _with_host, clean)


@register.filter
def markdown(text: str) -> SafeString:
    """Return Markdown as HTML in which nothing loads by itself; links show where they lead."""
    return mark_safe(_markdown(text))  # noqa: S308 - made safe by the sanitiser


def is_hidden(character: str) -> bool:
    """Tell whether a character changes a text without being seen: zero-width, bidi, control, tags, private use."""
    if character in "\n\t":
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Co", "Cn", "Cs"} or (
        character in INVISIBLE or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    )


@register.filter
def visible(text: str) -> SafeString:
    """Return the text with every hidden character shown as its code."""
    stretches = ((hidden, "".join(part)) for hidden, part in groupby(text, is_hidden))
    return format_html_join("", "{}", ((_codes(part) if hidden else part,) for hidden, part in stretches))


def _codes(characters: str) -> SafeString:
    codes = ((f"{ord(each):04X}",) for each in characters)
    return format_html_join("", '<span class="hidden-character">U+{}</span>', codes)


@register.filter
def as_text(value: Any) -> str:
    """Return a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


@register.filter
def shortened(text: str) -> str:
    """Return at most so much of a text as a card shows."""
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


@register.filter
def pairs(arguments: Any) -> list[tuple[str, Any]]:
    """Return the arguments of a call by name; what is not an object stands without one."""
    if isinstance(arguments, dict):
        return list(arguments.items())
    return [] if arguments is None else [("", arguments)]


@register.filter
def in_short(arguments: Any) -> str:
    """Return the first argument in one short line."""
    for _name, value in pairs(arguments):
        text = " ".join(as_text(value).split())
        return text if len(text) <= 80 else text[:79] + "…"  # noqa: PLR2004 - a line
    return ""


@register.filter
def duration(milliseconds: int | str | None) -> str:
    """Return a duration as `340 ms`, `2.1 s` or `3 min 5 s`; nothing for none."""
    if not isinstance(milliseconds, int):
        return ""
    if milliseconds < SECOND:
        return f"{milliseconds} ms"
    if milliseconds < MINUTE:
        return f"{milliseconds / SECOND:.1f} s"
    return f"{milliseconds // MINUTE} min {milliseconds % MINUTE // SECOND} s"


@register.filter
def tokens(count: int) -> str:
    """Return a number of tokens as `812`, `12.3k` or `1.2M`."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{letter}"
    return str(count)


@register.filter
def done_of(todos: list[dict[str, Any]] | None) -> str:
    """Return how far a plan is, as `2/5`."""
    return f"{sum(todo.get('status') == 'completed' for todo in todos)}/{len(todos)}" if todos else ""


@register.filter
def in_work(todos: list[dict[str, Any]] | None) -> str:
    """Return the item of a plan that is being worked on."""
    return next((str(todo.get("content", "")) for todo in todos or () if todo.get("status") == "in_progress"), "")


STATUS_WORDS = {
    "": _("running"),
    "running": _("running"),
    "success": _("done"),
    "error": _("failed"),
    "timeout": _("timed out"),
    "denied": _("denied"),
    "cancelled": _("cancelled"),
    "interrupted": _("interrupted"),
}


DECISION_WORDS = {
    "allow_once": _("You allowed %(name)s once."),
    "allow_always": _("You allowed %(name)s in this conversation."),
    "deny": _("You denied %(name)s."),
    "expired": _("Nobody answered in time."),
    "cancelled": _("The request was withdrawn."),
    "answered": _("You answered."),
}


@register.filter
def decision_words(card: Any) -> str:
    """Return what became of a call's request to the person in words."""
    return str(DECISION_WORDS.get(card.decision, "")) % {"name": card.name}


@register.filter
def status_words(status: str) -> str:
    """Return how a call stands in words."""
    return str(STATUS_WORDS.get(status or "", status))
