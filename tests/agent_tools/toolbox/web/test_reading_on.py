"""Reading on: what was cut can be read to its end."""

from __future__ import annotations

import pytest

from agent_tools.contract.errors import ToolError
from tests.agent_tools.toolbox.web.conftest import Fetching
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import page


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
