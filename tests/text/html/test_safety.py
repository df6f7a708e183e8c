"""Whatever a page holds, its Markdown rendered with raw HTML on has no element and no address of the page's making."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from agent_tools.text.html.markdown import html_to_markdown
from agent_tools.text.html.plain import as_markdown, plain_text, rough_text

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = frozenset(
    [f"h{level}" for level in range(1, 7)]
    + ["html", "head", "body", "p", "em", "strong", "s", "a", "img", "code", "pre", "ul", "ol", "li", "blockquote"]
    + ["table", "thead", "tbody", "tr", "th", "td", "hr", "br"]
)
ATTRIBUTES = frozenset(["href", "src", "alt", "class", "start"])
LIVE = "&lt;img src=x onerror=alert(1)&gt;"
TAGS = [
    "b", "i", "code", "p", "div", "li", "ul", "ol", "td", "tr", "th", "table", "pre", "blockquote", "h1", "h2", "sup",
    "sub", "del", "span", "dl", "dt", "dd", "q", "ruby", "rt", "summary", "kbd", "textarea", "caption", "math",
    "a href='/x'", "a href='javascript:alert(1)'", "abbr title='`<img src=x onerror=alert(1)>'", "span class='math'",
]  # fmt: skip
TEXTS = [
    LIVE, "`", "``", "```", "~~~", "\\", "&lt;", "img src=x onerror=alert(1)&gt;", "&amp;lt;script&amp;gt;", "|", "\\|",
    "[x]", "](javascript:alert(1))", "(javascript:alert(1))", "[a]: javascript:alert(1)", "!", "*", "_", "~~", "$",
    "&lt;!--", "--&gt;", "&lt;?php", "&lt;![CDATA[", "&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;div\n onclick=x&gt;",
    "&lt;a href='javascript:alert(1)'&gt;", "\n", "  ", "<br>", "<hr>", "1. ", "- ", "# ", "&gt; ", "---", "===",
    "\\(", "\\)", "mathjax", "word", "<img src='/a.png' alt=']`&lt;img onerror=x>'>", "\u00a0",
    "<img src='/a.png' alt='x](javascript:alert(1))'>",
    "<math alttext='a&lt;img src=x onerror=alert(1)>`'><mi>x</mi></math>",
]  # fmt: skip


def strange_parts(markdown: str) -> list[str]:
    root = LexborHTMLParser(f"<body>{RENDERER.render(markdown)}</body>").root
    assert root is not None
    found = []
    for node in root.traverse():
        found += [f"<{node.tag}>"] if node.tag not in OURS else []
        for name, value in node.attributes.items():
            aligned = name == "style" and re.fullmatch(r"text-align:\w+", value or "")
            found += [f"{name}={value}"] if name not in ATTRIBUTES and not aligned else []
            if name in {"href", "src"} and not (value or "").startswith(("https://example.org/", "mailto:")):
                found.append(f"{name}={value}")
    return found


def pages() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(TEXTS)
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda tag, parts, closed: f"<{tag}>{''.join(parts)}" + (f"</{tag.split()[0]}>" if closed else ""),
            st.sampled_from(TAGS),
            st.lists(inner, max_size=5),
            st.booleans(),
        ),
        max_leaves=40,
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(pages(), max_size=6), st.integers(1, 200))
def test_no_page_can_put_live_html_into_its_markdown(parts: list[str], limit: int) -> None:
    html = "".join(parts)
    whole = html_to_markdown(html, "https://example.org/", main_content=False)
    cut = html_to_markdown(html, "https://example.org/", main_content=False, limit=limit)
    for markdown in (
        whole.text,
        cut.text,
        as_markdown(plain_text(html, 10_000)),
        as_markdown(rough_text(html, 10_000)),
    ):
        assert not strange_parts(markdown), markdown


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{LIVE}</p>",
        f"<title>{LIVE}</title>",
        f"<h1>{LIVE}</h1>",
        f"<ul><li>{LIVE}</li></ul>",
        f"<table><tr><th>{LIVE}<th>b<tr><td><code>\\|{LIVE}</code><td>c</table>",
        f"\\<code>{LIVE}</code>",
        f"`<code>{LIVE}</code>",
        f"<code>a</code><code>b`{LIVE}</code>",
        f"<pre>```\n\n{LIVE}</pre>",
        f"<a href=/x>{LIVE}</a>",
        f"<img src=/x alt='{LIVE}'>",
        f"<abbr title='{LIVE}'>A</abbr>",
        "&lt;<b>img src=x onerror=alert(1)&gt;</b>",
        "[click]<b></b>(javascript:alert(1))",
        "[click<span>](javascript:alert(1))</span>",
        "[click]<ruby><rt>javascript:alert(1)</rt></ruby>",
        "<p>[a]: javascript:alert(1)</p><p>[a]</p>",
        "<a href='/x[y](z)'>a</a>",
        "<a href='/x\"onclick=alert(1)'>a</a>",
        "&lt;https://evil.example&gt;",
        "![pixel](https://evil.example/?q=)",
    ],
)
def test_known_tricks_stay_text(html: str) -> None:
    assert not strange_parts(html_to_markdown(html, "https://example.org/", main_content=False).text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"*_`#>+-=~|[]()!<&\\$.:1a", " ", "\n", "http://x.y/_z ", "&lt;", "word", "é"]), max_size=30
    )
)
def test_a_text_says_rendered_what_it_said_on_the_page(pieces: list[str]) -> None:
    text = "".join(pieces)
    source = text.replace("&", "&amp;").replace("<", "&lt;")
    rendered = RENDERER.render(html_to_markdown(f"<p>{source}</p>", main_content=False).text)
    body = LexborHTMLParser(rendered).body
    assert body is not None
    assert " ".join(body.text().split()) == " ".join(text.split())
