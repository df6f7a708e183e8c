"""Where links lead, which of them stay links, and which pictures are worth a word."""

from __future__ import annotations

import pytest

from agent_tools.text.html.links import Links
from agent_tools.text.html.markdown import html_to_markdown

PAGE = "https://example.org/a/b.html"


def markdown(html: str, page: str = PAGE) -> str:
    return html_to_markdown(html, page, main_content=False).text


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "&#106;avascript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:https://example.org/x",
        "file:///etc/passwd",
        "about:blank",
        "unknown:thing",
        "http://[bad",
        "",
        "#part",
    ],
)
def test_a_link_that_leads_nowhere_safe_is_its_text_alone(href: str) -> None:
    assert markdown(f'<p><a href="{href}">label</a> after</p>') == "label after"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("c.html", "https://example.org/a/c.html"),
        ("/c", "https://example.org/c"),
        ("//cdn.example.net/c", "https://cdn.example.net/c"),
        ("?q=1", "https://example.org/a/b.html?q=1"),
        ("../up", "https://example.org/up"),
        (" /spaced \n", "https://example.org/spaced"),
        (r"\back\slash", "https://example.org/back/slash"),
        ("/a b(c)<d>", "https://example.org/a%20b%28c%29%3Cd%3E"),
        ("/ü?q=ä", "https://example.org/ü?q=ä"),
        ("/a|b`c", "https://example.org/a%7Cb%60c"),
        ("/page#part", "https://example.org/page#part"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("tel:+1234", "tel:+1234"),
    ],
)
def test_a_target_is_absolute_and_stays_one_target(href: str, target: str) -> None:
    assert Links(PAGE).target(href) == target


def test_the_first_base_element_counts_and_only_if_it_is_an_address() -> None:
    link = '<a href="x">y</a>'
    assert markdown(f'<base href="/v2/"><base href="/v3/">{link}') == "[y](https://example.org/v2/x)"
    assert markdown(f'<base href="javascript:1">{link}') == "[y](https://example.org/a/x)"
    assert markdown(f'<base href="">{link}') == "[y](https://example.org/a/x)"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/x> pad </a>z", "[pad](https://example.org/x) z"),
        ("see<a href=/x> pad</a>.", "see [pad](https://example.org/x)."),
        ("<a href=/x> pad </a>, then", "[pad](https://example.org/x), then"),
        ("<a href=/x>two<br>lines</a>", "[two lines](https://example.org/x)"),
        ("<a href=/x>[1] (a)</a>", r"[\[1\] (a)](https://example.org/x)"),
        ("<a href=/x><b>bold</b></a>", "[**bold**](https://example.org/x)"),
        ("<b>is <a href=/x>a</a> b</b>", "**is [a](https://example.org/x) b**"),
        ("<a href=/x><h3>Title</h3><p>Text</p></a>", "### [Title](https://example.org/x)\n\nText"),
        ("<a href=/x><p>First</p><p>Second</p></a>", "[First](https://example.org/x)\n\nSecond"),
        (
            "<a href=/x><p><img src=/i.png alt=I></p><h2>T</h2></a>",
            "![I](https://example.org/i.png)\n\n## [T](https://example.org/x)",
        ),
        ('<a href="https://e.org/p">https://e.org/p</a>', "<https://e.org/p>"),
        ('<a href=/x aria-label="Site"><svg></svg></a>', "[Site](https://example.org/x)"),
        ("<a href=/x><svg></svg></a>after", "after"),
        ("Wow!<a href=/x>y</a>", r"Wow\![y](https://example.org/x)"),
        (
            "<a href=/x>a<table><tr><td><a href=/y>b</a></td></tr></table></a>",
            "[a](https://example.org/x)\n\n[b](https://example.org/y)",
        ),
    ],
)
def test_a_label_is_one_line_without_its_outer_spaces(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_a_long_link_stays_on_one_line() -> None:
    href = "https://example.com/" + "-".join(["segment"] * 30)
    assert markdown(f"<p>{'word ' * 20}<a href={href}>{'label ' * 30}</a></p>").count("\n") == 0


@pytest.mark.parametrize("text", ["¶", "#", "§", "🔗", "", "Permalink", "Link to this heading"])
def test_a_mark_beside_a_heading_is_no_part_of_it(text: str) -> None:
    assert markdown(f'<h2>Install <a class="headerlink" href="#install">{text}</a></h2>') == "## Install"


def test_links_into_the_page_keep_their_text_and_notes_their_number() -> None:
    assert markdown("<p>see <a href=#x>below</a><sup><a href=#n>2</a></sup></p>") == "see below[2]"
    assert markdown("<a href=#main>Skip to main content</a><p>Text</p>") == "Text"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=i.png alt=I>", "![I](https://example.org/a/i.png)"),
        ('<img src=i.png alt="a ] ` < b">', r"![a \] \` < b](https://example.org/a/i.png)"),
        ('<img src=i.png alt="two\nlines">', "![two lines](https://example.org/a/i.png)"),
        ("<img src=/p/i.png>", "![i.png](https://example.org/p/i.png)"),
        ('<img src=i.png title="Titled">', "![Titled](https://example.org/a/i.png)"),
        ('<img src=i.png alt="">', ""),
        ('<img src="data:x" alt="words">', "words"),
        ('<img src="data:x" data-src="/r.png" alt="R">', "![R](https://example.org/r.png)"),
        ('<img src="/low.png" srcset="/a.png 1x, /b.png 2x" alt="S">', "![S](https://example.org/low.png)"),
        ('<img srcset="/w_1,h_2/a.png 100w,  /w_2,h_4/b.png 200w" alt="S">', "![S](https://example.org/w_2,h_4/b.png)"),
        ('<img class="latex" src="/t.png" alt="E=mc^2">', "$E=mc^2$"),
        ("x<img src=/i.png alt=I>y", "x![I](https://example.org/i.png)y"),
        ("<video><source src=/v.mp4></video>", "[video: v.mp4](https://example.org/v.mp4)"),
        ("<video></video>", ""),
        ("<frameset><frame src=/menu name=menu></frameset>", "[menu](https://example.org/menu)"),
    ],
)
def test_pictures_say_what_they_show(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_without_a_page_address_relative_links_are_texts() -> None:
    assert (
        markdown("<a href=/x>y</a> <img src=/i.png alt=I> <a href=https://e.org/>z</a>", "")
        == "y I [z](https://e.org/)"
    )
