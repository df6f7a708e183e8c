"""Fetch: what a model is given for every kind of answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tools.contract.calls import CallStatus
from agent_tools.contract.errors import ToolError
from agent_tools.toolbox.web.fetch import Fetch
from agent_tools.toolbox.web.fetch_config import FetchConfig, FetchInput
from tests.agent_tools.toolbox.web.conftest import Fetching
from tests.fakes.web import FakeWeb
from tests.fakes.web_answers import body_drip, bomb, compressed, echo, page, redirect


async def test_a_page_comes_as_markdown_with_absolute_links(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/a/page", page("<title>T</title><h1>T</h1><p>See <a href='b'>this</a>.</p>", content_type="text/html"))
    result = await fetch("/a/page")
    assert result.success
    assert f"[this]({web.url('/a/b')})" in result.content
    assert result.metadata["status_code"] == 200
    assert result.metadata["truncated"] is False


async def test_json_is_parsed_and_the_model_reads_it_as_it_came(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/j", page('\ufeff{"a": [1, 2]}', content_type="application/json"))
    result = await fetch("/j", config={"parse_mode": "json"})
    assert result.data == {"a": [1, 2]}
    assert '{"a": [1, 2]}' in result.content


@pytest.mark.parametrize(
    "body", ["[" * 100_000, '{"a": NaN}', "{", "1" * 5_000, "not json", '{"a": 1}\n{"a": 2}\n'], ids=lambda b: b[:8]
)
async def test_what_is_no_json_is_given_as_text_with_a_note(web: FakeWeb, fetch: Fetching, body: str) -> None:
    web.on("/j", page(body, content_type="application/json"))
    result = await fetch("/j", config={"parse_mode": "json"})
    assert result.success
    assert result.data == body
    assert result.metadata["warnings"]


async def test_html_where_json_was_wanted_says_so_with_the_status(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/j", page("<html><p>no</p></html>", content_type="text/html", status=404))
    result = await fetch("/j", config={"parse_mode": "json"})
    assert result.success
    assert "HTML with status 404" in result.content


@pytest.mark.parametrize("status", [400, 403, 404, 410, 429, 500, 503])
async def test_an_error_status_is_an_answer_whose_body_and_status_reach_the_model(
    web: FakeWeb, fetch: Fetching, status: int
) -> None:
    web.on("/e", page('{"why": "because"}', content_type="application/json", status=status))
    result = await fetch("/e", config={"parse_mode": "json"})
    assert result.success
    assert result.metadata["status_code"] == status
    assert f"HTTP {status}" in result.content
    assert "because" in result.content


async def test_nothing_is_said_to_be_empty(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/n", page("", content_type="text/html", status=204))
    result = await fetch("/n")
    assert "HTTP 204" in result.content
    assert "mpty" in result.content


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"%PDF-1.7\n" + bytes(range(256)), "application/pdf"),
        (b"%PDF-1.7\n" + bytes(range(256)), "text/plain"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png"),
        (b"PK\x03\x04" + bytes(64), ""),
        (b"a\x00b\x01\x02\x03" * 20, "text/plain"),
    ],
)
async def test_binary_is_described_and_never_dumped(
    web: FakeWeb, fetch: Fetching, body: bytes, content_type: str
) -> None:
    web.on("/b", page(body, content_type=content_type))
    result = await fetch("/b")
    assert result.success
    assert "not shown" in result.content
    assert len(result.content) < 300


async def test_a_bomb_stops_at_the_limit(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/bomb", bomb(50_000_000))
    result = await fetch("/bomb")
    assert result.metadata["truncated"] is True
    assert result.metadata["response_size"] <= 102_400


async def test_an_encoding_that_was_not_asked_for_gives_a_note_and_no_bytes(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/br", page(b"\x0b\x02\x80abc\x03", content_type="text/html", fields=[("Content-Encoding", "br")]))
    result = await fetch("/br")
    assert "not supported" in result.content


async def test_compressed_pages_are_read(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/gz", compressed(b"<p>squeezed</p>"))
    assert "squeezed" in (await fetch("/gz")).content


async def test_time_that_runs_out_keeps_what_had_arrived(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/drip", body_drip(b"the beginning"))
    result = await fetch("/drip", config={"timeout": 700})
    assert (result.success, result.status, result.reason) == (False, CallStatus.TIMEOUT, "timeout")
    assert "the beginning" in result.content
    assert "the beginning" in str(result.data)


async def test_redirects_are_told(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/old", redirect("/new"))
    web.on("/new", page("here", content_type="text/plain"))
    result = await fetch("/old")
    assert result.metadata["final_url"] == web.url("/new")
    assert result.metadata["redirects"] == [{"url": web.url("/old"), "status_code": 302}]
    assert "Redirected to" in result.content


async def test_only_the_first_request_can_fail_without_having_done_anything(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/away", redirect("http://10.0.0.1/", 307))
    web.on("/odd", redirect("ftp://example.org/", 307))
    for path, done in (("/away", True), ("/odd", True), ("http://10.0.0.1/", False), ("ftp://example.org/", False)):
        with pytest.raises(ToolError) as caught:
            await fetch(path, method="POST", body="x=1")
        assert caught.value.nothing_done is not done
    with pytest.raises(ToolError, match="needs the method POST") as caught:
        await fetch("/away", body="x")
    assert caught.value.nothing_done


async def test_the_operators_headers_are_sent_and_cannot_be_overridden(web: FakeWeb, fetch: Fetching) -> None:
    web.on("/h", echo())
    await fetch("/h", config={"default_headers": {"X-Api-Key": "k3y"}}, headers={"Accept": "text/plain"})
    assert web.requests[-1].headers["x-api-key"] == "k3y"
    assert web.requests[-1].headers["accept"] == "text/plain"
    with pytest.raises(ToolError, match="x-api-key"):
        await fetch("/h", config={"default_headers": {"X-Api-Key": "k3y"}}, headers={"x-api-key": "mine"})


@pytest.mark.parametrize(
    "headers",
    [{"Host": "other"}, {"Content-Length": "5"}, {"X": "a\r\nB: c"}, {"X-Ä": "y"}, {"X": "ä"}, {"Cookie": "a=b"}],
)
async def test_headers_that_are_not_the_models_to_set_are_named(
    web: FakeWeb, fetch: Fetching, headers: dict[str, str]
) -> None:
    with pytest.raises(ToolError) as caught:
        await fetch("/h", headers=headers)
    assert caught.value.reason == "header_not_allowed"
    assert not web.requests


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        ('{"a": 1}', "application/json"),
        ("a=1&b=2", "application/x-www-form-urlencoded"),
        ("plain words", "text/plain; charset=utf-8"),
    ],
)
async def test_a_post_says_what_its_body_is(web: FakeWeb, fetch: Fetching, body: str, media_type: str) -> None:
    web.on("/p", echo())
    await fetch("/p", method="POST", body=body)
    assert web.requests[-1].headers["content-type"] == media_type
    assert web.requests[-1].body.decode() == body


async def test_a_body_without_post_is_refused_before_anything_is_sent(web: FakeWeb, fetch: Fetching) -> None:
    with pytest.raises(ToolError, match="POST"):
        await fetch("/p", body="x")
    assert not web.requests


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"timeout": 0}, "timeout"),
        ({"max_response_size": -1}, "max_response_size"),
        ({"allowed_domains": ["http://example.org/"]}, "allowed_domains.0"),
        ({"blocked_domains": ["*.*.org"]}, "blocked_domains.0"),
        ({"allowed_networks": ["10.0.0.0/40"]}, "allowed_networks.0"),
        ({"allowed_networks": ["10.0.0.0/8:99999"]}, "allowed_networks.0"),
        ({"default_headers": {"Host": "x"}}, "default_headers"),
        ({"parse_mode": "xml"}, "parse_mode"),
        ({"default_method": "DELETE"}, "default_method"),
    ],
)
def test_a_wrong_configuration_is_refused_at_its_key(config: dict[str, Any], field: str) -> None:
    from agent_tools import configs
    from agent_tools.contract.errors import ConfigError

    with pytest.raises(ConfigError) as caught:
        configs.prepare("fetch", config)
    assert caught.value.problems[0].field == field


def test_what_the_model_is_told_follows_the_configuration() -> None:
    config = FetchConfig(default_method="POST", allowed_domains=("*.example.org",), timeout=2_500)
    tool = Fetch()
    assert "*.example.org" in tool.describe(config)
    assert "2.5 s" in tool.describe(config)
    schema = tool.input_schema(config)
    assert schema["properties"]["method"]["default"] == "POST"
    assert schema["required"] == ["url"]
    json.dumps(schema)


def test_only_reading_may_be_repeated_or_run_beside_others() -> None:
    tool, config = Fetch(), FetchConfig()
    assert tool.is_read_only(FetchInput(url="http://a.example/"), config)
    assert not tool.is_concurrency_safe(FetchInput(url="http://a.example/", method="POST"), config)
