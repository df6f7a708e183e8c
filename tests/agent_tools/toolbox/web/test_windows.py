"""Where a body is cut, and what the next window begins with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.text.charset import decode_as
from agent_tools.text.charset_names import codec_of
from agent_tools.toolbox.web.windows import LEAST_WINDOW, split

CHARSETS = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "utf-32le",
    "gb18030",
    "shift_jis",
    "euc-kr",
    "euc-jp",
    "big5",
    "iso-2022-jp",
]
HOSTILE = [
    b"<table>",
    b"<tr>",
    b"<script>",
    b"</script>",
    b"<!--",
    b"-->",
    b"<pre>",
    b"</p>",
    b"<a href='",
    b"<",
    b">",
    b"x",
]


def windows(body: bytes, size: int, charset: str = "utf-8", *, html: bool = True) -> list[bytes]:
    """Cut a body as a pager does."""
    kept, buffer = [], body
    while len(buffer) > size:
        window, carried = split(buffer[:size], charset, html=html)
        kept.append(window)
        buffer = carried + buffer[size:]
    return [*kept, buffer]


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("size", [64, 65, 66, 67, 101])
def test_no_character_is_split_and_each_is_read_as_what_it_is(charset: str, size: int) -> None:
    text = {"euc-kr": "한국어 abc", "big5": "中文字 abc"}.get(charset, "日本語 abc テスト") * 40
    read = windows(text.encode(codec_of(charset)), size, charset, html=False)
    assert "".join(decode_as(window, charset, truncated=True).text for window in read) == text


@given(st.lists(st.sampled_from(HOSTILE), max_size=400).map(b"".join), st.integers(LEAST_WINDOW, 2_000))
def test_cutting_any_markup_comes_to_an_end(body: bytes, size: int) -> None:
    read = windows(body, size)
    assert len(read) <= len(body) + 1
    assert sum(map(len, read)) >= len(body) - 3 * len(read)


def test_a_script_that_does_not_fit_is_left_for_the_next_window() -> None:
    body = b"<p>one</p>" + b"<script>" + b"var p = '</p>';" * 20 + b"</script><p>two</p>" + b"." * 400
    first, second = split(body[:300], "utf-8", html=True)
    assert first == b"<p>one</p>"
    assert second.startswith(b"<script>")


@pytest.mark.parametrize(
    ("opening", "closing"), [(b"<script>", b"</script>"), (b"<!--", b"-->"), (b"<STYLE>", b"</style>")]
)
def test_one_that_fills_whole_windows_stays_open_in_each(opening: bytes, closing: bytes) -> None:
    body = opening + b"</p> secret code " * 100 + closing + b"<p>two</p>"
    for size in range(100, 160):
        read = windows(body, size)
        assert all(window.lower().startswith((opening.lower(), b"<p>two")) for window in read)
        assert b"<p>two</p>" in b"".join(read)


def test_tables_lists_and_code_are_opened_again() -> None:
    row = b"<tr><td>a</td><td>b</td></tr>"
    body = b"<table><tbody>" + row * 200 + b"</table><p>x</p>"
    for window in windows(body, 1_500)[1:]:
        assert window.startswith((b"<table><tr>", b"<p>"))
    assert all(window.startswith(b"<pre>") for window in windows(b"<pre>" + b"  code\n" * 900, 1_500))
