"""Blocks of code, lists, tables and quotations beyond what the pages show."""

from __future__ import annotations

import pytest

from agent_tools.text.html.code import language_around, language_of
from agent_tools.text.html.markdown import html_to_markdown


def markdown(html: str) -> str:
    return html_to_markdown(html, "https://example.org/", main_content=False).text


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ({"class": "language-python"}, "python"),
        ({"class": "hljs language-C++"}, "c++"),
        ({"class": "lang-js prettyprint"}, "js"),
        ({"class": "brush: ruby; toolbar: false"}, "ruby"),
        ({"class": "sourceCode haskell"}, "haskell"),
        ({"class": "hljs rust"}, "rust"),
        ({"class": "src src-elisp"}, "elisp"),
        ({"data-lang": "Go"}, "go"),
        ({"data-language": "toml"}, "toml"),
        ({"class": "language-none"}, ""),
        ({"class": "language-plaintext"}, ""),
        ({"class": "language-a`b"}, ""),
        ({"class": f"language-{'x' * 50}"}, ""),
        ({"class": "wide"}, ""),
        ({}, ""),
    ],
)
def test_a_language_is_found_in_classes_and_data(attributes: dict[str, str], language: str) -> None:
    assert language_of(attributes) == language


def test_a_language_of_the_page_is_none_of_its_code() -> None:
    assert language_around({"class": "lang-en"}) == ""
    assert language_around({"class": "language-bash highlighter-rouge"}) == "bash"
    assert language_around({"class": "highlight-console notranslate"}) == "console"
    assert markdown('<body class="lang-en"><pre>x</pre>') == "```\nx\n```"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>  two\n    four\n</pre>", "```\n  two\n    four\n```"),
        ("<pre>\n\n\ta\n\n</pre>", "```\n\ta\n```"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
        ("<pre></pre><pre> \n </pre>x", "x"),
        ("<pre><b>a</b> <a href=/x>b</a></pre>", "```\na b\n```"),
        ("<pre>a&nbsp;b</pre>", "```\na b\n```"),
        ("<ul><li>a<pre>x\n  y</pre>b</li></ul>", "- a\n\n  ```\n  x\n    y\n  ```\n\n  b"),
        ("<blockquote><pre>x\n\ny</pre></blockquote>", "> ```\n> x\n>\n> y\n> ```"),
        ("<textarea>@article{x}</textarea>", "```\n@article{x}\n```"),
        ("<xmp><b>x</b></xmp>", "```\n<b>x</b>\n```"),
    ],
)
def test_code_blocks_keep_every_space_inside(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c"),
        ("<ol start=-1><li>a</ol>", "- a"),
        ("<ol start=99999999999999><li>a</ol>", "- a"),
        ("<ol start=x><li>a</ol>", "1. a"),
        ("<ol><li>a<li><li>c</ol>", "1. a\n3. c"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
        ("<ul><li>a<ol><li>b</ol>tail</li></ul>", "- a\n  1. b\n\n  tail"),
        ("<ul><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><div><li>a</div>text<li>b</ul>", "- a\n\n  text\n- b"),
        ("<li>stray", "- stray"),
        ("<ul></ul><ol><li></ol><dl></dl>x", "x"),
        ("<ul><li>1. one<li># two<li>- three</ul>", "- 1\\. one\n- \\# two\n- \\- three"),
        ("<ul><li><h3>T</h3>x</ul>", "- ### T\n\n  x"),
        ("<ul><li><input type=checkbox>open<li><input type=checkbox checked> done</ul>", "- [ ] open\n- [x] done"),
        ("<menu><li>a</menu>", "- a"),
        ("<dl><dt>K:<dd>v</dl>", "- **K:** v"),
        ("<dl><dd>alone</dl>", "- alone"),
        ("<dl><dt>only</dl>", "- **only**"),
        ("<dl><dt>T<dd><pre>x</pre></dl>", "- **T**\n\n  ```\n  x\n  ```"),
        ("<dd>stray", "stray"),
    ],
)
def test_lists_keep_numbers_and_nesting(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]),
        ("<table><tr><td>a<td>b<tr><td>1</table>", ["|  |  |", "| --- | --- |", "| a | b |", "| 1 |  |"]),
        ("<table><tr><th>a<th>b<tr><td>x|y<td><code>p|q</code></table>", [r"| x\|y | `p\|q` |"]),
        (r"<table><tr><th>a<th>b<tr><td>x\|y<td><code>p\|q</code></table>", [r"| x\\\|y | p\\\|q |"]),
        ("<table><tr><th>a<th>b<tr><td><p>1</p><p>2</p><td><ul><li>x<li>y</ul></table>", ["| 1 2 | x; y |"]),
        ("<table><tr><th>a<th>b<tr><td>1<td><table><tr><td>x<td>y<tr><td>z</table></table>", ["| 1 | x y; z |"]),
        ("<table><tr><th>a<th>b<tr><td><h3>1</h3><td><blockquote>q</blockquote></table>", ["| 1 | q |"]),
        ("<table><tr><th>a<th>b<tr><td><hr><td><dl><dt>t<dd>d</dl></table>", ["|  | t; d |"]),
        ("<table><tr><th rowspan=2>a<th>b<tr><th>c<tr><td>1<td>2</table>", ["| a | b |", "|  | c |", "| 1 | 2 |"]),
        ("<table><tr><td rowspan=0>a<td>1<tr><td>2<tr><td>3</table>", ["| a | 1 |", "|  | 2 |", "|  | 3 |"]),
        ("<table><tr><th>a<tr><td colspan=65534>1</table>", ["| a |", "| --- |", "| 1 |"]),
    ],
)
def test_a_row_of_a_table_is_one_line(html: str, rows: list[str]) -> None:
    written = markdown(html).split("\n")
    assert [row for row in rows if row not in written] == []


@pytest.mark.parametrize(
    "html",
    ["<table></table>", "<table><tr></tr></table>", "<table><tr><td></table>", "<table><caption></caption></table>"],
)
def test_an_empty_table_says_nothing(html: str) -> None:
    assert markdown(f"{html}x") == "x"


def test_blocks_inside_a_line_stay_on_it() -> None:
    assert markdown("<h2>a<br>b<pre>c\nd</pre></h2>") == "## a b `c` `d`"
    assert markdown("<h2></h2><h3> </h3>x") == "x"
    assert markdown("<h2>C #</h2>") == "## C \\#"


def test_breaks_are_lines_and_two_of_them_paragraphs() -> None:
    assert markdown("a<br>b<br><br>c<br>") == "a  \nb\n\nc"
    assert markdown("<br><br>a") == "a"
    assert markdown("a<br># b") == "a  \n\\# b"


def test_quotations_nest_and_hold_blocks() -> None:
    assert markdown("<blockquote>a<blockquote>b</blockquote><ul><li>c</ul></blockquote>") == "> a\n>\n> > b\n>\n> - c"
    assert markdown("<blockquote> </blockquote>x") == "x"
