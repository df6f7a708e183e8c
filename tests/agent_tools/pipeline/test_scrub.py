from __future__ import annotations

import json

import pytest

from agent_tools.contract.calls import ToolCall
from agent_tools.contract.result import ToolResult
from tests.fakes.batches import call, make_tools, row_of, run

pytestmark = pytest.mark.django_db(transaction=True)


async def result_of(kind: str) -> ToolResult:
    await make_tools("faulty")
    [outcome] = await run(call("faulty", kind=kind))
    row = await row_of(outcome.call.id)
    stored = json.dumps([row.output, row.content, row.metadata], allow_nan=False, ensure_ascii=False)
    assert "\0" not in stored
    assert "\\u0000" not in stored
    stored.encode()
    assert row.content == outcome.result.content
    return outcome.result


async def test_nul_and_lone_surrogates_go_out_of_text_keys_and_values() -> None:
    result = await result_of("dirty")
    assert result.content == "ab 😀 \ufffd"
    assert result.data == {"key": "\ufffd"}
    assert result.metadata == {"m": "", "mended_characters": 6}


async def test_what_json_does_not_know_becomes_a_text() -> None:
    data = (await result_of("strange")).data
    assert data["nan"] == "NaN"
    assert data["bytes"] == "(1 bytes)"
    assert data["1"] == [2, 3]


@pytest.mark.parametrize("kind", ["empty", "blank"])
async def test_an_empty_output_becomes_a_sentence(kind: str) -> None:
    result = await result_of(kind)
    assert result.success
    assert result.content == "The tool ran and gave no output."


async def test_data_without_a_text_are_shown_as_json() -> None:
    assert json.loads((await result_of("data")).content) == {"b": 1, "a": ["é"]}


async def test_nul_in_arguments_and_ids_is_no_trouble() -> None:
    await make_tools("echo")
    [outcome] = await run(
        ToolCall(name="ec\0ho\ud83d", arguments='{"text": "\\u0000\ud83d"', provider_id="call\0\ud83d")
    )
    row = await row_of(outcome.call.id)
    assert (row.tool_slug, row.provider_call_id) == ("echo\ufffd", "call\ufffd")
    assert outcome.result.reason == "unknown_tool"
