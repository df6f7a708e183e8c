from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from chat.llm.errors import RequestRefusedError
from chat.llm.profile import Echo, Profile, SchemaLevel
from chat.llm.types import CallSealed, Request
from tests.chat.llm.assembly_case import fn, tc
from tests.chat.llm.histories import ORDINARY
from tests.fakes.llm import assistant, call, collect, model_of, request, respond, result, tool, user
from tests.fakes.model_script import Step, answer, calls, done, finish, frame, reply, status, text, thinking, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.strict_provider import GEMINI_SCHEMA, MISTRAL_IDS, Strict

WILD = tool("fetch", {"n": {"type": "integer", "exclusiveMinimum": 0}}, additionalProperties=False)
HISTORY = (*ORDINARY[:-1], assistant("", call("c9")), result("c9", images=("data:image/png;base64,AA==",)))
ASKED = Request(messages=HISTORY, tools=(WILD,), tool_choice="none", max_tokens=9)
STRICTEST = Strict(
    content_null=False,
    system=False,
    user_after_tool=False,
    images=False,
    id_pattern=MISTRAL_IDS,
    refused_parameters=frozenset({"stream_options", "tool_choice", "max_tokens", "parallel_tool_calls", "stream"}),
    schema_keywords=GEMINI_SCHEMA,
    reasoning="demanded",
)


def changed(strict: Strict) -> str:
    names = [item.name for item in fields(Strict) if getattr(strict, item.name) != getattr(Strict(), item.name)]
    return "+".join([*names, *sorted(strict.refused_parameters)])


@pytest.mark.parametrize(
    "strict",
    [
        Strict(),
        Strict(content_null=False),
        Strict(system=False),
        Strict(user_after_tool=False),
        Strict(images=False),
        Strict(tools=False),
        Strict(id_pattern=MISTRAL_IDS),
        Strict(schema_keywords=GEMINI_SCHEMA),
        Strict(reasoning="demanded_with_calls"),
        Strict(reasoning="demanded", reasoning_field="reasoning"),
        *(Strict(refused_parameters=frozenset({name})) for name in sorted(STRICTEST.refused_parameters)),
        STRICTEST,
    ],
    ids=lambda strict: changed(strict) or "OpenAI",
)
async def test_a_strict_provider_is_learned_in_one_request_and_never_annoyed_again(strict: Strict) -> None:
    parameters = {"parallel_tool_calls": False}
    async with ModelServer(strict=strict) as server:
        server.script(answer("Hello."), answer("Again."))
        async with model_of(server, parameters=parameters) as model:
            first = await respond(model, ASKED)
        annoyed = len(server.refused)
        stored = Profile.from_json(first.profile.as_json())
        async with model_of(server, stored, parameters=parameters) as model:
            assert (await respond(model, ASKED)).text == "Again."
    assert first.text == "Hello."
    assert annoyed == len(server.refused)
    assert (annoyed == 0) == (strict == Strict())
    assert stored == first.profile


async def test_a_parameter_that_the_operator_set_and_the_provider_refuses_is_dropped_and_remembered() -> None:
    async with ModelServer(strict=Strict(refused_parameters=frozenset({"seed"}))) as server:
        server.script(answer(), answer())
        async with model_of(server, parameters={"seed": 7}) as model:
            response = await respond(model)
            await respond(model)
    assert response.profile.refused == {"seed"}
    assert ["seed" in body for body in server.bodies] == [True, False, False]


async def test_a_change_that_cures_nothing_is_forgotten_and_each_is_tried_once() -> None:
    words = {"error": {"message": "Unsupported parameter: 'stream_options'", "param": "stream_options"}}
    async with ModelServer() as server, model_of(server) as model:
        server.script(*[status(400, words)] * 5)
        with pytest.raises(RequestRefusedError, match="stream_options"):
            await respond(model)
        assert len(server.requests) == 2
        assert model.profile == Profile()


async def test_two_demands_that_contradict_each_other_end() -> None:
    null = {"error": {"message": "content: expected a string, got null"}}
    empty = {"error": {"message": "content must not be empty"}}
    async with ModelServer() as server, model_of(server) as model:
        server.script(*[status(400, null), status(400, empty)] * 5)
        with pytest.raises(RequestRefusedError):
            await respond(model, request(user(), assistant("", call("a")), result("a")))
        assert len(server.requests) == 2


async def test_what_was_learned_holds_for_the_attempts_that_follow() -> None:
    words = {"error": {"message": "Unsupported parameter: 'stream_options'", "param": "stream_options"}}
    async with ModelServer() as server, model_of(server) as model:
        server.script(status(503), status(400, words), status(503), status(503), answer())
        response = await respond(model)
    assert response.profile.refused == {"stream_options"}
    assert ["stream_options" in body for body in server.bodies] == [True, True, False, False, False]


async def test_a_refusal_inside_a_stream_after_something_was_shown_teaches_nothing() -> None:
    refused = frame({"error": {"message": "Unsupported parameter: 'stream_options'", "code": 400}})
    async with ModelServer() as server, model_of(server) as model:
        server.script(reply(text("Hel"), refused))
        with pytest.raises(RequestRefusedError):
            await respond(model)
        assert len(server.requests) == 1
        server.script(reply(refused), answer("Hello."))
        assert (await respond(model)).profile.refused == {"stream_options"}


async def test_the_name_of_the_reasoning_is_remembered_and_echoed_with_calls() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(
            reply(
                thinking("Hm.", field_name="reasoning"), tool_call("fetch", {"url": "x"}), finish("tool_calls"), done()
            ),
            answer(),
        )
        first = await respond(model, request(tools=[tool()]))
        said = first.as_message(["own-1"], origin=model.endpoint.origin)
        await respond(model, request(user(), said, result("own-1"), tools=[tool()]))
    assert first.profile.reasoning_field == "reasoning"
    sent: Any = server.bodies[1]["messages"]
    assert (sent[1]["reasoning"], sent[1]["tool_calls"][0]["id"]) == ("Hm.", "call_1")


@pytest.mark.parametrize(
    ("frames", "habit"),
    [
        ([*tool_call("f", {"a": 1}, dialect="cumulative")], "cumulative"),
        (
            [tc(fn("f", '{"a"', index=0, id="a")), tc(fn("g", "{}", index=1, id="b")), tc(fn(None, ":1}", index=0))],
            "interleaved",
        ),
    ],
)
async def test_habits_that_forbid_early_starts_are_remembered(frames: list[Step], habit: str) -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(calls(frames), answer())
        await respond(model)
        response = await respond(model)
    assert response.profile.as_json() == {habit: True}
    assert not response.profile.starts_early


async def test_parallel_calls_are_sealed_while_the_rest_still_streams() -> None:
    async with ModelServer() as server, model_of(server) as model:
        server.script(calls(tool_call("f", {"a": 1}, id="a"), tool_call("g", {"b": 2}, id="b", index=1)))
        events, response = await collect(model)
    assert [event.call for event in events if isinstance(event, CallSealed)] == [response.calls[0]]
    assert response.profile.starts_early


def test_a_learned_profile_can_be_changed_by_an_operator_in_words() -> None:
    stored = {"schema": "plain", "echo": "demanded", "refused": ["stream_options"]}
    assert Profile.from_json(stored) == Profile(
        schema=SchemaLevel.PLAIN, echo=Echo.DEMANDED, refused=frozenset({"stream_options"})
    )
