"""What only a real server and raw HTTP show."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from agent_tools.models import AgentTool, AgentToolLog

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:No directory at"),  # static files that nobody collected here
]

SECONDS = 30.0
BODY = json.dumps({"input": {"name": "you", "url": "u"}}).encode()


@contextmanager
def connected(server: LiveServer) -> Iterator[http.client.HTTPConnection]:
    host, _colon, port = server.url.removeprefix("http://").rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=SECONDS)
    try:
        yield connection
    finally:
        connection.close()


def post(server: LiveServer, address: str, key: str, body: Any, **headers: str) -> tuple[int, str, dict[str, Any]]:
    sent = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **headers}
    with connected(server) as connection:
        connection.request("POST", address, body, sent)
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], json.loads(answer.read())


@pytest.mark.parametrize("slash", ["", "/"])
def test_a_post_is_never_redirected(live_server: LiveServer, key: str, greeter: AgentTool, slash: str) -> None:
    status, _kind, body = post(live_server, f"/api/agent-tools/{greeter.pk}/execute{slash}", key, BODY)
    assert status == 200
    assert body["data"] == {"greetings": ["Hello, you!"]}


def test_ten_megabytes_are_refused_and_told(live_server: LiveServer, key: str, greeter: AgentTool) -> None:
    body = b'{"input": {"name": "' + b"x" * 10_000_000 + b'"}}'
    status, kind, problem = post(live_server, f"/api/agent-tools/{greeter.pk}/execute", key, body)
    assert (status, kind) == (413, "application/problem+json")
    assert problem["type"] == "urn:agent-tools:problem:body_too_large"


def test_a_body_in_chunks_is_asked_for_its_length(live_server: LiveServer, key: str, greeter: AgentTool) -> None:
    status, kind, problem = post(live_server, f"/api/agent-tools/{greeter.pk}/execute", key, iter([BODY]))
    assert (status, kind) == (411, "application/problem+json")
    assert "Content-Length" in problem["detail"]


def test_a_body_that_ends_early_is_a_400(live_server: LiveServer, key: str, greeter: AgentTool) -> None:
    host, _colon, port = live_server.url.removeprefix("http://").rpartition(":")
    head = (
        f"POST /api/agent-tools/{greeter.pk}/execute HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(BODY) + 10}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=SECONDS) as raw:
        raw.sendall(head.encode() + BODY[:20])
        raw.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert b" 400 " in answer.splitlines()[0]
    assert b"application/problem+json" in answer
    assert not AgentToolLog.objects.exists()


def test_runs_at_the_same_time_are_each_logged_once(live_server: LiveServer, key: str, greeter: AgentTool) -> None:
    def one(number: int) -> str:
        body = json.dumps({"input": {"name": f"n{number}", "url": "u"}})
        _status, _kind, result = post(live_server, f"/api/agent-tools/{greeter.pk}/execute", key, body)
        assert result["data"] == {"greetings": [f"Hello, n{number}!"]}
        return str(result["metadata"]["call_id"])

    with ThreadPoolExecutor(8) as pool:
        calls = list(pool.map(one, range(16)))
    connections.close_all()
    assert sorted(calls) == sorted(str(call) for call in AgentToolLog.objects.values_list("call_id", flat=True))
