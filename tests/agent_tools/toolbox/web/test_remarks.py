"""What a model is told beside the text of an answer."""

from __future__ import annotations

import pytest

from agent_tools.contract.calls import CallStatus
from tests.agent_tools.toolbox.web.conftest import Fetching
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import drip, head, page, raw, redirect


@pytest.mark.parametrize(
    "tag",
    [
        "<meta http-equiv=refresh content='0;url=/next?a=1&amp;b=2'>",
        '<META content="5; URL=\'/next?a=1&b=2\'" HTTP-EQUIV="Refresh">',
        '<meta name=x http-equiv = "refresh" content = "0, url = /next?a=1&b=2" />',
    ],
)
async def test_a_page_that_only_leads_on_says_where_and_is_not_followed(
    web: FakeWeb, fetch: Fetching, tag: str
) -> None:
    web.on("/a", page(f"<html><head>{tag}</head></html>", content_type="text/html"))
    result = await fetch("/a")
    assert f"leads on to {web.url('/next?a=1&b=2')}" in result.content
    assert "holds no text" in result.content
    assert web.paths == ["/a"]


async def test_a_refresh_field_is_told_and_not_followed(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/a", page("words", content_type="text/plain", fields=[("Refresh", "0; url=http://10.0.0.1/x?token=abc")]))
    result = await fetch("/a")
    assert "leads on to http://10.0.0.1/x?token=***" in result.content
    assert result.content.endswith("words")


@pytest.mark.parametrize("value", ["300", "0; url=/a", "0; url=javascript:x", "0; url=", "nonsense"])
async def test_a_refresh_that_leads_nowhere_is_not_told(web: FakeWeb, fetch: Fetching, value: str) -> None:
    web.on("/a", page("words", content_type="text/plain", fields=[("Refresh", value)]))
    assert (await fetch("/a")).content == "words"


async def test_a_redirect_shows_no_secret_of_its_address(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/a", redirect("/b?X-Amz-Signature=hunter2&x=1"))
    web.on("/b", page("here", content_type="text/plain"))
    result = await fetch("/a")
    assert "Redirected to" in result.content
    assert "hunter2" not in result.content
    assert "x=1" in result.content


async def test_the_status_is_told_when_the_time_ran_out_too(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/a", drip(head(500, [("Content-Type", "text/plain")]) + b"broken", pause=0.001))
    result = await fetch("/a", config={"timeout": 900})
    assert result.status is CallStatus.TIMEOUT
    assert "HTTP 500" in result.content
    assert result.content.endswith("broken")


async def test_what_a_server_writes_into_its_head_stays_short(web: FakeWeb, fetch: Fetching) -> None:
    long = "x" * 40_000
    web.on("/a", raw(f"HTTP/1.1 404 {long}\r\nContent-Type: image/{long}\r\n\r\nhi".encode()))
    result = await fetch("/a")
    assert len(result.content) < 500
    assert len(str(result.metadata)) < 2_000


@pytest.mark.parametrize("label", ["gzip", "deflate"])
async def test_a_page_that_is_wrongly_called_compressed_is_read(web: FakeWeb, fetch: Fetching, label: str) -> None:
    web.on("/a", page("<p>plain words</p>", content_type="text/html", fields=[("Content-Encoding", label)]))
    result = await fetch("/a")
    assert "plain words" in result.content
    assert "calls the body compressed" in result.content


async def test_what_is_no_json_is_told_in_one_sentence(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/a", page('{"a": "x', content_type="application/json"))
    result = await fetch("/a", config={"parse_mode": "json"})
    [note] = result.metadata["warnings"]
    assert note.startswith("The body is not valid JSON: Unterminated string starting at line 1, column 7; the text")
