"""How a unified diff looks on the page: each line by its kind, with its sign, so that colour is not needed."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from chat.templatetags.chat_text import visible

register = template.Library()
KINDS = {"+": "added", "-": "removed", "@": "hunk"}
MOST_LINES = 400
"""As in static/chat/diff.js."""


@register.filter
def as_diff(text: str) -> SafeString:
    """Return a diff's lines, each with a class for its kind."""
    lines = text.splitlines()[:MOST_LINES] if text else []
    shown = ((KINDS.get(line[:1], "kept"), visible(line)) for line in lines)
    return format_html_join("", '<span class="diff-line {}">{}\n</span>', shown)


@register.filter
def first_line(text: str) -> str:
    """Return the first line of a text."""
    return text.split("\n", 1)[0]
