from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, done, reply, text
from tests.fakes.model_server import ModelServer
from tests.fakes.strict_provider import MISTRAL_IDS, Strict, complain


def ask(server: ModelServer, body: object = None, path: str = "/chat/completions") -> Any:
    data = None if path == "/models" else json.dumps(body or {"messages": []}).encode()
    request = urllib.request.Request(server.base_url + path, data=data, headers={"Content-Type": "application/json"})  # noqa: S310 - loopback
    return urllib.request.urlopen(request, timeout=10)  # noqa: S310 - loopback


def test_in_a_thread_it_serves_blocking_tests_and_records_what_came() -> None:
    with ModelServer() as server:
        server.script(answer("Hi."))
        with ask(server, {"model": "m", "messages": []}) as response:
            body = response.read().decode()
        server.arrival(1).wait()
        server.requests[0].finished.wait()
    assert '"content": "Hi."' in body
    assert body.endswith("data: [DONE]\n\n")
    assert server.bodies == [{"model": "m", "messages": []}]
    assert not server.requests[0].disconnected.is_set


def test_a_gate_holds_the_rest_back_until_it_is_opened() -> None:
    gate = Gate()
    with ModelServer() as server:
        server.script(reply(text("one"), gate, text("two"), done()))
        with ask(server) as response:
            gate.reached.wait()
            assert b"one" in response.readline()
            assert server.requests[0].steps_sent == 1
            gate.open()
            assert b"two" in response.read()


def test_a_client_that_leaves_is_noticed() -> None:
    gate = Gate()
    with ModelServer() as server:
        server.script(reply(text("one"), gate))
        with ask(server):
            gate.reached.wait()
        server.requests[0].disconnected.wait()
        assert server.requests[0].steps_sent == 1


def test_it_lists_its_models_and_knows_no_other_path() -> None:
    with ModelServer(models=["a", "b"]) as server:
        with ask(server, path="/models") as response:
            assert [one["id"] for one in json.load(response)["data"]] == ["a", "b"]
        with pytest.raises(urllib.error.HTTPError, match="404") as caught, ask(server, path="/completions"):
            pass
        caught.value.close()


def test_a_script_that_has_run_out_says_so() -> None:
    with ModelServer() as server:
        with pytest.raises(urllib.error.HTTPError, match="500") as caught, ask(server):
            pass
        with caught.value as error:
            assert b"no reply left" in error.read()


def test_a_function_may_answer_instead_of_a_script() -> None:
    with ModelServer() as server:
        server.respond = lambda request: answer(request.body["messages"][0]["content"].upper())
        with ask(server, {"messages": [{"role": "user", "content": "loud"}]}) as response:
            assert b"LOUD" in response.read()


def test_a_strict_server_refuses_without_using_its_script() -> None:
    with ModelServer(strict=Strict()) as server:
        server.script(answer("Hi."))
        with pytest.raises(urllib.error.HTTPError, match="400") as caught, ask(server, {"messages": []}):
            pass
        caught.value.close()
        with ask(server, {"messages": [{"role": "user", "content": "x"}]}) as response:
            assert b"Hi." in response.read()
    assert [complaint.param for complaint in server.refused] == ["messages"]


def calling(*ids: str, **more: Any) -> dict[str, Any]:
    calls = [{"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls, **more}


U: dict[str, Any] = {"role": "user", "content": "x"}
A: dict[str, Any] = {"role": "assistant", "content": "x"}
S: dict[str, Any] = {"role": "system", "content": "x"}


def T(call_id: str = "a", content: Any = "x") -> dict[str, Any]:  # noqa: N802 - one letter a role
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def named(name: str, **schema: Any) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": name, "parameters": {"type": "object", "properties": {}, **schema}},
    }


@pytest.mark.parametrize(
    ("messages", "strict"),
    [
        ([S, U], {}),
        ([U, calling("a"), T()], {}),
        ([U, calling("a", "b"), T("b"), T("a"), U], {}),
        ([U, {**calling("a"), "content": ""}, T()], {}),
        ([U, calling("abcdefghi"), T("abcdefghi")], {"id_pattern": MISTRAL_IDS}),
    ],
)
def test_what_a_provider_takes_is_not_complained_of(messages: list[dict[str, Any]], strict: dict[str, Any]) -> None:
    assert complain({"messages": messages}, Strict(**strict)) is None


@pytest.mark.parametrize(
    ("messages", "strict", "words"),
    [
        ([], {}, "not empty"),
        ([U, T()], {}, "must follow"),
        ([U, calling("a"), T(), T()], {}, "must follow"),
        ([U, calling("a", "b"), T("a")], {}, "must be followed"),
        ([U, calling("a"), U], {}, "must be followed"),
        ([U, calling("a"), T(), calling("a"), T()], {}, "Duplicate"),
        ([S, S, U], {}, "beginning"),
        ([U, S], {}, "beginning"),
        ([S, U], {"system": False}, "does not support 'system'"),
        ([A, U], {}, "first message"),
        ([U, A], {}, "last message"),
        ([U, U], {}, "alternate"),
        ([U, calling("a"), T(), U], {"user_after_tool": False}, "Unexpected role 'user'"),
        ([U, {**A, "content": None}, U], {}, "got null"),
        ([U, {**A, "content": " "}, U], {}, "not be empty"),
        ([U, calling("a"), T(content="")], {}, "not be empty"),
        ([U, calling("a"), T()], {"content_null": False}, "got null"),
        ([U, calling("a", content=""), T()], {"content_empty": False}, "not be empty"),
        ([U, calling("a"), T(content=[{"type": "image_url"}])], {}, "image_url"),
        ([U, calling("x" * 41), T("x" * 41)], {}, "must be"),
        ([U, calling("abc"), T("abc")], {"id_pattern": MISTRAL_IDS}, "length of 9"),
        ([U, {**A, "tool_calls": []}, U], {}, "too short"),
        ([U, {**A, "mood": "x"}, U], {"unknown_message_keys": False}, "'mood' is unsupported"),
        ([U, A, U], {"reasoning": "demanded"}, "is missing"),
        ([U, {**A, "reasoning_content": "x"}, U], {"reasoning": "refused"}, "is unsupported"),
        ([U, calling("a"), T()], {"calls_without_tools": False}, "without `tools=`"),
    ],
)
def test_what_a_strict_provider_refuses_is_refused(
    messages: list[dict[str, Any]], strict: dict[str, Any], words: str
) -> None:
    complaint = complain({"messages": messages}, Strict(**strict))
    assert complaint is not None
    assert words in complaint.message


@pytest.mark.parametrize(
    ("body", "strict", "words"),
    [
        ({"tools": [named("a.b")]}, {}, "must match"),
        ({"tools": [named("x" * 65)]}, {}, "must match"),
        ({"tools": [named("a"), named("a")]}, {}, "unique"),
        ({"tools": [named("a", type="string")]}, {}, "must be an object"),
        (
            {"tools": [named("a", additionalProperties=False)]},
            {"schema_keywords": frozenset({"type", "properties"})},
            "additionalProperties",
        ),
        ({"tools": [named("a")]}, {"tools": False}, "does not support tools"),
        ({"stream_options": {}}, {"refused_parameters": frozenset({"stream_options"})}, "Unsupported parameter"),
    ],
)
def test_tools_and_parameters_are_judged_too(body: dict[str, Any], strict: dict[str, Any], words: str) -> None:
    complaint = complain({"messages": [U], **body}, Strict(**strict))
    assert complaint is not None
    assert words in complaint.message
