from __future__ import annotations

import re
import uuid

import pytest
from channels.db import database_sync_to_async
from django.db import DatabaseError

from agent_tools.contract.events import ToolResultEvent
from agent_tools.contract.hooks import AppendContext, HookCall, after_call
from agent_tools.contract.result import ToolResult
from agent_tools.services.execution import read_kept_output
from agent_tools.workspace import outputs
from agent_tools.workspace.models import KeptOutput
from tests.fakes.batches import call, make_tool, make_tools, row_of, run, scope
from tests.fakes.ports import FakeSink, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT = 4_000


async def test_output_up_to_the_limit_is_given_whole() -> None:
    await make_tools("echo")
    [outcome] = await run(call("echo", text="x" * LIMIT))
    assert outcome.result.content == "x" * LIMIT
    assert not await KeptOutput.objects.aexists()


async def test_longer_output_is_kept_whole_and_shown_by_its_beginning_and_end() -> None:
    await make_tools("echo")
    sink = FakeSink()
    within = scope(fake_ports(sink=sink))
    text = "".join(f"line {number}\n" for number in range(100_000))
    [outcome] = await run(call("echo", text=text), within=within)
    content = outcome.result.content
    kept = await KeptOutput.objects.aget(call_id=outcome.call.id)
    assert (kept.content, kept.length, kept.session_id) == (text, len(text), within.session_id)
    assert len(content) <= LIMIT
    assert f"{len(text):,} characters" in content
    assert f"Kept as kept/{outcome.call.id}" in content
    assert "line 0\n" in content
    assert "line 99999" in content
    assert "read_file" not in content
    assert outcome.result.data == {"text": text}
    [event] = sink.of(ToolResultEvent)
    assert event.metadata["data"] == {"text": text}
    assert event.metadata["shortened"] == {"characters": len(text), "kept": f"kept/{outcome.call.id}"}
    assert (await row_of(outcome.call.id)).content == content


async def test_the_stub_names_the_reader_only_where_it_is_in_the_set() -> None:
    await make_tools("echo")
    await make_tool("read_file", slug="look")
    [outcome] = await run(call("echo", text="x" * 5_000))
    assert f"read the rest with look, path kept/{outcome.call.id}" in outcome.result.content
    [outcome] = await run(call("echo", text="x" * 5_000), within=scope(tools=frozenset({"echo"})))
    assert "look" not in outcome.result.content


async def test_a_tool_that_knows_a_way_to_the_rest_is_asked_for_it() -> None:
    await make_tools("scroll")
    text = "7" + " word" * 5_000
    [outcome] = await run(call("scroll", text=text))
    content = outcome.result.content
    assert len(content) <= LIMIT
    found = re.search(r"; to go on after the beginning, begin at (\d+)\]\n", content)
    assert found is not None
    shown = int(found[1]) - 7
    assert content[found.end() :].startswith(text[:shown] + "\n[…")


async def test_a_tool_that_fails_to_tell_its_way_still_gives_its_output() -> None:
    await make_tools("scroll")
    [outcome] = await run(call("scroll", text="x" * 9_000))
    assert outcome.result.success
    assert "to go on" not in outcome.result.content
    assert "xxx" in outcome.result.content


async def test_a_megabyte_of_odd_characters_goes_through() -> None:
    await make_tools("echo")
    within = scope()
    [outcome] = await run(call("echo", text="é😀\0\ud83d", count=300_000), within=within)
    assert len(outcome.result.content) <= LIMIT
    piece = await database_sync_to_async(read_kept_output)(within.session_id, outcome.call.id, 899_997, 100)
    assert piece == outputs.Piece("é😀\ufffd", 899_997, 900_000)


async def test_a_hooks_text_stands_below_the_stub_and_is_not_cut_off() -> None:
    @after_call()
    def note(call: HookCall, result: ToolResult) -> AppendContext:
        return AppendContext("remember this")

    await make_tools("echo")
    [outcome] = await run(call("echo", text="x" * 9_000))
    assert outcome.result.content.endswith("\n\nremember this")


async def test_an_output_that_cannot_be_kept_is_still_shown_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**fields: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(outputs, "keep", fail)
    await make_tools("echo")
    [outcome] = await run(call("echo", text="x" * 9_000))
    assert outcome.result.success
    assert "The rest could not be kept." in outcome.result.content


@database_sync_to_async
def keep_twice(session_id: uuid.UUID, call_id: uuid.UUID) -> None:
    outputs.keep(call_id=call_id, session_id=session_id, slug="a", content="first")
    outputs.keep(call_id=call_id, session_id=session_id, slug="a", content="second")


async def test_a_kept_output_is_written_once_and_read_by_its_own_session_alone() -> None:
    session_id, call_id = uuid.uuid4(), uuid.uuid4()
    await keep_twice(session_id, call_id)
    read = database_sync_to_async(read_kept_output)
    assert await read(session_id, call_id) == outputs.Piece("first", 0, 5)
    assert await read(session_id, call_id, 2, 2) == outputs.Piece("rs", 2, 5)
    assert await read(session_id, call_id, 9, 2) == outputs.Piece("", 9, 5)
    assert await read(uuid.uuid4(), call_id) is None


def test_a_reference_leads_back_to_its_call() -> None:
    call_id = uuid.uuid4()
    assert outputs.call_of(outputs.reference_to(call_id)) == call_id
    for other in ["kept/", "kept/xyz", "notes.txt", f"kept/{call_id}/x", "kept/" + "-" * 36]:
        assert outputs.call_of(other) is None
