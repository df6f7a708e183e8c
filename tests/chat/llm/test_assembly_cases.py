from __future__ import annotations

import pytest

from chat.llm.types import CallOpened, CallProgress, CallSealed, Incomplete, Response
from tests.chat.llm.assembly_case import Case
from tests.chat.llm.assembly_cases import ALL
from tests.fakes.llm import collect, final, model_of, read
from tests.fakes.model_script import Reply
from tests.fakes.model_server import ModelServer

every_case = pytest.mark.parametrize("case", ALL, ids=lambda case: case.source)


def check(response: Response, case: Case) -> None:
    assert [(call.name, call.arguments) for call in response.calls] == case.calls
    cut = tuple(place for place, call in enumerate(response.calls) if call.incomplete is Incomplete.TRUNCATED)
    assert cut == case.truncated
    assert response.finish_reason == case.reason
    assert response.cumulative is case.cumulative


@every_case
def test_the_calls_are_those_that_the_model_made(case: Case) -> None:
    check(final(read([case.body])), case)


@every_case
def test_no_split_of_the_bytes_changes_the_calls(case: Case) -> None:
    for end in range(1, len(case.body)):
        check(final(read([case.body[:end], case.body[end:]])), case)
    check(final(read([case.body[place : place + 1] for place in range(len(case.body))])), case)


@every_case
async def test_the_calls_come_through_the_real_client(case: Case) -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(Reply(steps=[case.body]))
        _, response = await collect(model)
    check(response, case)


@every_case
def test_a_call_is_announced_once_under_a_position_that_stays(case: Case) -> None:
    events = read([case.body])
    response = final(events)
    opened = [event for event in events if isinstance(event, CallOpened)]
    assert [event.position for event in opened] == [call.position for call in response.calls]
    positions = {call.position for call in response.calls}
    assert {event.position for event in events if isinstance(event, CallProgress)} <= positions


@every_case
def test_a_sealed_call_is_the_final_one_unless_the_stream_is_known_to_interleave(case: Case) -> None:
    events = read([case.body])
    response = final(events)
    finals = {call.position: call for call in response.calls}
    sealed = [event.call for event in events if isinstance(event, CallSealed)]
    assert all(call.arguments == finals[call.position].arguments for call in sealed) or response.interleaved
