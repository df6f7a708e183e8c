from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from chat.database import in_database
from chat.models import Request
from tests.fakes.admin_pages import request_url, text_at
from tests.fakes.browser_forms import filled_in
from tests.fakes.chat import Chat
from tests.fakes.model_script import answer, calls, tool_call
from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)


def press(client: Client, asked: Request, decision: str, reason: str = "") -> None:
    form = filled_in(text_at(client, request_url(asked)), "decide-form")
    client.post(request_url(asked, "decide"), {**form, "decision": decision, "reason": reason})


async def test_a_turn_goes_on_with_an_operator_s_decision(
    chat: Chat, server: ModelServer, tools: None, operator: User
) -> None:
    asks = {"verdict": "ask", "path": "a.txt"}
    server.script(calls(tool_call("strict", asks)), answer("Ran."), calls(tool_call("strict", asks)), answer("No."))
    client = Client()
    await in_database(client.force_login, operator)
    async with chat.socket() as socket:
        for decision, reason in (("allow_once", ""), ("deny", "not on Sundays")):
            await socket.send("Do it", tools=True)
            event = await socket.until("permission_request")
            asked = await Request.objects.aget(pk=event["id"])
            await in_database(press, client, asked, decision, reason)
            resolved = await socket.until("resolved")
            assert (resolved["id"], resolved["decision"]) == (event["id"], decision)
            await socket.finished()
    results = socket.of("tool_result")
    assert results[0]["output"] == "ran a.txt"
    assert "not on Sundays" in results[1]["output"]
    assert await Request.objects.filter(answered_by=operator, delivered=True).acount() == 2
