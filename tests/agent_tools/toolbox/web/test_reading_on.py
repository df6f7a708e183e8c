"""Reading on: what was cut can be read to its end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.errors import ToolError
from agent_tools.contract.result import ToolResult
from agent_tools.toolbox.web.fetch import Fetch
from agent_tools.toolbox.web.fetch_config import FetchInput
from tests.agent_tools.toolbox.web.conftest import Fetching
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import body_drip, page


@pytest.mark.parametrize("mode", ["raw", "markdown"])
async def test_a_cut_page_says_so_first_and_is_read_on_to_its_end(web: FakeWeb, fetch: Fetching, mode: str) -> None:
    body = "".join(f"<p>paragraph {number} é 中文 <b>bold</b></p>\n" for number in range(400))
    web.on("/long", page(body, content_type="text/html; charset=utf-8"))
    config = {"max_response_size": 3_000, "parse_mode": mode}
    result = await fetch("/long", config=config)
    assert result.metadata["truncated"] is True
    assert f"start_index={result.metadata['next_index']}" in result.content[:200]
    seen = [str(result.data)]
    while (index := result.metadata.get("next_index")) is not None:
        result = await fetch("/long", config=config, start_index=index)
        seen.append(str(result.data))
    text = "".join(seen)
    assert "\ufffd" not in text
    if mode == "raw":
        assert text == body
    assert [number for number in range(400) if f"paragraph {number} " not in text] == []


async def test_reading_on_can_begin_anywhere(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/t", page("0123456789" * 10, content_type="text/plain"))
    result = await fetch("/t", start_index=95)
    assert result.data == "56789"
    assert result.content.endswith("56789")


async def test_reading_on_behind_the_end_names_the_length(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/t", page("0123456789", content_type="text/plain"))
    with pytest.raises(ToolError, match="only 10 characters"):
        await fetch("/t", start_index=10)


async def test_exactly_the_limit_is_not_a_cut(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/t", page("x" * 1_000, content_type="text/plain"))
    whole = await fetch("/t", config={"max_response_size": 1_000})
    assert whole.metadata["truncated"] is False
    cut = await fetch("/t", config={"max_response_size": 999})
    assert cut.metadata["truncated"] is True
    assert cut.data == "x" * 999


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "shift_jis", "utf-16", "euc-kr", "big5"])
async def test_a_cut_never_splits_a_character(web: FakeWeb, fetch: Fetching, charset: str) -> None:
    text = {"euc-kr": "한국어", "big5": "中文字"}.get(charset, "日本語")
    web.on("/t", page((text * 500).encode(charset), content_type=f"text/plain; charset={charset}"))
    for limit in (501, 502, 503, 504):
        result = await fetch("/t", config={"max_response_size": limit})
        assert "\ufffd" not in str(result.data)
        rest = await fetch("/t", config={"max_response_size": limit}, start_index=result.metadata["next_index"])
        assert (text * 500).startswith(str(result.data) + str(rest.data))


async def read_whole(fetch: Fetching, path: str, **config: Any) -> list[ToolResult]:
    results = [await fetch(path, config=config)]
    while (index := results[-1].metadata.get("next_index")) is not None:
        assert len(results) < 100
        results.append(await fetch(path, config=config, start_index=index))
    return results


async def test_scripts_between_windows_are_never_read(web: FakeWeb, fetch: Fetching) -> None:
    script = "<script>" + 'var code = "</p><p>code</p>";' * 400 + "</script>"
    body = "".join(f"<p>paragraph {number}</p>{script if number % 20 == 7 else ''}" for number in range(80))
    web.on("/s", page(f"<html><head>{script}<title>T</title></head><body>{body}", content_type="text/html"))
    for size in (2_000, 9_000, 30_000):
        text = "".join(str(result.data) for result in await read_whole(fetch, "/s", max_response_size=size))
        assert "code" not in text
        assert [number for number in range(80) if f"paragraph {number}\n" not in f"{text}\n"] == []


async def test_a_beginning_without_text_can_be_read_on_from(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/h", page(f"<style>{'a {color: red}' * 400}</style><p>found</p>", content_type="text/html"))
    first, *rest = await read_whole(fetch, "/h", max_response_size=1_000)
    assert "no text" in first.content
    assert "found" in str(rest[-1].data)
    assert len(rest) == 1


async def test_later_windows_are_of_the_kind_and_charset_of_the_first(web: FakeWeb, fetch: Fetching) -> None:
    text = "".join(f"<p>Größe {number} &amp; mehr {'und mehr ' * 30}</p>" for number in range(40))
    web.on("/k", page(text.encode("cp1252"), content_type=""))
    for result in await read_whole(fetch, "/k", max_response_size=1_000):
        assert "<p>" not in str(result.data)
        assert "&amp;" not in str(result.data)
        assert result.metadata["charset"] == "windows-1252"


async def test_rows_that_are_read_on_are_rows_of_a_table(web: FakeWeb, fetch: Fetching) -> None:
    rows = "".join(f"<tr><td>row {number}</td><td>value {number}</td></tr>" for number in range(100))
    web.on("/r", page(f"<table>{rows}</table>", content_type="text/html"))
    text = "".join(str(result.data) for result in await read_whole(fetch, "/r", max_response_size=1_500))
    assert [n for n in range(100) if not re.search(rf"\| row {n} +\| value {n} +\|", text)] == []


@pytest.mark.parametrize("mode", ["raw", "markdown", "json"])
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"%PDF-1.7\n" + bytes(range(256)) * 20, "application/pdf"),
        (bytes(range(256)) * 20, "text/plain"),
        (b"\x89PNG\r\n\x1a\n" + b"text " * 900, ""),
        (b"", "text/html"),
    ],
)
async def test_what_is_no_text_cannot_be_read_on(
    web: FakeWeb, fetch: Fetching, body: bytes, content_type: str, mode: str
) -> None:
    web.on("/b", page(body, content_type=content_type))
    for start in (1, 40, 2_000, 99_999):
        with pytest.raises(ToolError, match="no text") as caught:
            await fetch("/b", config={"max_response_size": 1_000, "parse_mode": mode}, start_index=start)
        assert caught.value.reason == "nothing_more"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 63])
async def test_the_smallest_limits_still_give_whole_characters(web: FakeWeb, fetch: Fetching, size: int) -> None:
    text = "日本語 é 😀 " * 20
    web.on("/t", page(text, content_type="text/plain; charset=utf-8"))
    first, *rest = await read_whole(fetch, "/t", max_response_size=size)
    assert text.startswith(str(first.data))
    assert first.metadata["truncated"]
    assert first.metadata.get("next_index") != 0
    assert not rest or str(first.data) + "".join(str(result.data) for result in rest) == text


async def test_what_arrived_is_read_on_even_when_the_time_is_up(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/d", body_drip(b"0123456789"))
    result = await fetch("/d", config={"timeout": 500}, start_index=8)
    assert result.status is CallStatus.TIMEOUT
    assert str(result.data).startswith("89")
    with pytest.raises(ToolError) as caught:
        await fetch("/d", config={"timeout": 300}, start_index=5_000)
    assert caught.value.reason == "timeout"


async def test_a_post_is_not_advised_to_be_sent_again(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/p", page("x" * 5_000, content_type="text/plain"))
    result = await fetch("/p", config={"max_response_size": 1_000}, method="POST", body="{}")
    assert "start_index" not in result.content
    assert Fetch().read_on(FetchInput(url=web.url("/p"), method="POST"), result, 100) == ""


async def test_an_operators_secret_cannot_be_read_piece_by_piece(web: FakeWeb, fetch: Fetching) -> None:
    secret = "k3y-0123456789-abcdefghij"
    web.on("/e", page(f"before {secret} after", content_type="text/plain"))
    headers = {"X-Api-Key": secret}
    for size in (100, 16, 20):
        for start in range(1, 30):
            try:
                result = await fetch(
                    "/e", config={"default_headers": headers, "max_response_size": size}, start_index=start
                )
            except ToolError:
                continue
            assert not [at for at in range(len(secret) - 3) if secret[at : at + 4] in str(result.data)]
