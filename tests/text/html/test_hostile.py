"""Pages made to hang a converter: bounded, linear, or at least killable."""

from __future__ import annotations

import time

import pytest

from agent_tools.text.html.links import Links
from agent_tools.text.html.markdown import html_to_markdown
from agent_tools.text.html.nesting import MAX_OPEN, bound_nesting
from agent_tools.text.html.plain import plain_text, rough_text

GENEROUS = 20.0  # seconds for what takes well under one
REPEATED = [
    "<a ", "<!--", "<div>", "<table>", "<table><tr><td>", "&", "<b>", "<svg>", "<ul><li>", "<b><i></b>", '<a b="',
    "<blockquote>x", "<p>x", "<a href=x>y", "<h1>x", "`", "*a", "_a_ ", "[", "](", "<br>", "<sup>x", "<q>x",
    "<ruby>x<rt>y", "<dl><dt>x<dd>y", "<code>`</code>", "\\", "&lt;", "<del>a", "<math><mi>x", "<abbr title=x>y",
    "mathjax \\(", "katex $a_$ $", "$$", "<pre>\n", "<details><summary>x", "<td rowspan=9999 colspan=999>x",
    "<textarea>", "<nav>x",
    '<span class="math">\\(', "<noscript><img>", "<a href=x><p>y</p></a>", "<i><b><del>x</i>", "</p>", "<select>",
    "<q><i>x", "<button>x", "<h1><a href='#x'>y", "\u00ad", "\u4e2d\n", "<\x00b>", "-- ", "= ", "<form><input>",
]  # fmt: skip
SHAPED = {
    "attributes": "<a " + " ".join(f"a{number}=1" for number in range(12_500)) + ">x</a>",
    "reopened formatting": "<p>" + "".join(f"<b id={number}>" for number in range(1_000)) + "</p><p>x" * 5_000,
    "long attribute": f'<a href="{"x" * 100_000}">y</a>',
    "long word": "x" * 100_000,
    "spaces": f"<p>{' ' * 100_000}x",
    "wide table": f"<table><tr>{'<td>x' * 20_000}</table>",
    "srcset": f'<img srcset="{"," * 100_000}">',
    "style": f'<p style="{"/*" * 50_000}none">x',
    "classes": f'<p class="{"a " * 50_000}">x',
    "digits": f"<p>{'1' * 100_000}. x",
    "dashes": f"<p>{'- ' * 50_000}x",
    "line ends": f"<p>\u4e2d{chr(10) * 100_000}\u4e2d",
}


def took(action: object, *arguments: object) -> float:
    assert callable(action)
    start = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - start


@pytest.mark.parametrize("piece", REPEATED)
def test_a_repeated_piece_ends_soon(piece: str) -> None:
    assert took(html_to_markdown, piece * (100_000 // len(piece)), "https://example.org/") < GENEROUS


@pytest.mark.parametrize("name", SHAPED)
def test_a_shaped_page_ends_soon(name: str) -> None:
    assert took(html_to_markdown, SHAPED[name], "https://example.org/") < GENEROUS


@pytest.mark.parametrize("piece", ["<a ", "<!--", "<div>", "<b>", "<ul><li>", "<svg>", "&", "<table>"])
def test_the_worst_pieces_end_soon_at_a_megabyte_too(piece: str) -> None:
    assert took(html_to_markdown, piece * (1_000_000 // len(piece)), "https://example.org/") < GENEROUS


def test_text_survives_any_depth() -> None:
    deep = f"<p>top</p>{'<div>' * 50_000}<b>buried</b>{'</div>' * 50_000}<p>bottom</p>"
    text = html_to_markdown(deep, main_content=False).text
    assert [word for word in ("top", "buried", "bottom") if word not in text] == []


def test_nesting_is_bounded_and_ordinary_pages_stay_as_they_are() -> None:
    ordinary = "<div>" * 100 + "<p>x<br>" * 1_000 + "<li>y" * 1_000 + "</div>" * 100 + "<script>'<b>'</script>" * 500
    assert bound_nesting(ordinary) is ordinary
    assert bound_nesting("<div>" * 1_000).count("<div>") == MAX_OPEN
    assert bound_nesting("<div>" * 300 + "x" + "</div>" * 300).count("</div>") == MAX_OPEN
    assert bound_nesting("<!-- " + "<div>" * 1_000 + "-->").count("<div>") == 1_000
    assert bound_nesting(f'<a title="{"<b>" * 50}">').count("<b>") == 50


@pytest.mark.parametrize("piece", ["<a ", "<!--", "<script>", "<", "</", "<p>x", "&", "<style>x</style>", "<svg>"])
def test_the_last_resort_is_linear(piece: str) -> None:
    assert took(rough_text, piece * (1_000_000 // len(piece)), 100_000) < GENEROUS


def test_plain_and_rough_text_say_what_the_page_says() -> None:
    page = "<title>T</title><style>x{}</style><h1>A &amp; B</h1><p>one<br>two</p><script>y</script>"
    page += "<ul><li>c <b>d</b></ul>1 < 2"
    assert plain_text(page, 1_000) == "T\nA & B\none\ntwo\nc d\n1 < 2"
    assert rough_text(page, 1_000) == "A & B\none\ntwo\nc d\n1 < 2"
    assert len(plain_text(page * 50, 100)) <= 100
    assert len(rough_text(page * 50, 100)) <= 100


def test_an_address_that_carries_a_page_is_no_link() -> None:
    assert Links("https://example.org/").target("/" + "x" * 10_000) is None
