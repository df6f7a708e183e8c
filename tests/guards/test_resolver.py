"""Looking names up with the machine's own resolver."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest

from agent_tools.guards.network_errors import NameNotFoundError
from agent_tools.guards.resolver import SystemResolver


async def test_a_name_of_the_hosts_file_is_found() -> None:
    answers = await asyncio.wait_for(SystemResolver().resolve("localhost", 80), 10)
    assert set(answers) & {"127.0.0.1", "::1"}
    assert len(set(answers)) == len(answers)


async def test_a_name_that_does_not_exist_is_a_typed_error() -> None:
    with pytest.raises(NameNotFoundError) as caught:
        await asyncio.wait_for(SystemResolver().resolve("does-not-exist.invalid", 80), 60)
    assert "does-not-exist.invalid" in caught.value.message


async def test_a_name_that_no_resolver_takes_is_a_typed_error() -> None:
    with pytest.raises(NameNotFoundError):
        await SystemResolver().resolve("a" * 64 + ".example", 80)


@pytest.mark.parametrize(("code", "temporary"), [(socket.EAI_NONAME, False), (socket.EAI_AGAIN, True)])
async def test_a_passing_failure_is_told_from_a_missing_name(
    monkeypatch: pytest.MonkeyPatch, code: int, temporary: bool
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise socket.gaierror(code, "")

    monkeypatch.setattr(socket, "getaddrinfo", failing)
    with pytest.raises(NameNotFoundError) as caught:
        await SystemResolver().resolve("example.com", 80)
    assert caught.value.details["temporary"] is temporary


async def test_look_ups_do_not_wait_behind_other_work_in_threads() -> None:
    release = threading.Event()
    loop = asyncio.get_running_loop()
    others = [loop.run_in_executor(None, release.wait, 30) for _ in range(64)]
    try:
        assert await asyncio.wait_for(SystemResolver().resolve("127.0.0.1", 80), 10) == ["127.0.0.1"]
    finally:
        release.set()
        await asyncio.gather(*others)


async def test_a_look_up_that_hangs_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def hanging(*_: object, **__: object) -> list[object]:
        release.wait(30)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    try:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(SystemResolver().resolve("example.com", 80), 0.05)
    finally:
        release.set()
