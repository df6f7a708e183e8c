from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, User

from agent_tools.contract.calls import CallStatus, Door, Ran
from agent_tools.contract.ports import Ports
from agent_tools.contract.result import ToolResult
from agent_tools.models import AgentTool, Grant, PermissionRule
from agent_tools.services.execution import execute_tool
from tests.fakes.batches import make_tool, make_tools, row_of, run_one, scope
from tests.fakes.ports import FakeAsker, fake_ports

pytestmark = pytest.mark.django_db(transaction=True)


async def rule(action: str, tool_pattern: str = "*", **fields: Any) -> PermissionRule:
    return await PermissionRule.objects.acreate(
        action=action, tool_pattern=tool_pattern, reason=f"the operator says {action}", **fields
    )


async def strict(verdict: str, *, user_id: int | None = None, **fields: Any) -> ToolResult:
    return await run_one("strict", scope(user_id=user_id, **fields), verdict=verdict)


async def test_without_rules_a_call_is_allowed() -> None:
    await make_tools("strict")
    assert (await strict("allow")).success


async def test_a_deny_of_the_tool_itself_ends_the_call() -> None:
    await make_tools("strict")
    await rule("allow")
    result = await strict("deny")
    assert (result.status, result.reason, result.ran) == (CallStatus.DENIED, "denied_by_rule", Ran.NO)
    assert "the tool says deny" in result.content


async def test_a_deny_of_an_operator_wins_over_every_allow() -> None:
    await make_tools("strict")
    for action, pattern in [("allow", "strict"), ("deny", "str*"), ("allow", "*")]:
        await rule(action, pattern)
    result = await strict("allow")
    assert result.reason == "denied_by_rule"
    assert "the operator says deny" in result.content


async def test_the_row_says_who_denied() -> None:
    tool = await make_tool("strict")
    denying = await rule("deny")
    outcome = await execute_tool(tool, {}, door=Door.ADMIN, user_id=None, confirmed=True)
    row = await row_of(outcome.call.id)
    assert (row.status, row.reason) == ("denied", "denied_by_rule")
    assert (row.metadata["denied_by"], row.metadata["rule"]) == ("rule", str(denying.pk))


async def test_an_operators_allow_lifts_an_ask() -> None:
    await make_tools("strict")
    assert (await strict("ask")).reason == "nobody_to_ask"
    await rule("allow", "strict")
    assert (await strict("ask")).success


async def test_a_tool_cannot_pass_its_word_off_as_an_operators() -> None:
    await make_tools("strict")  # it adds an allow in the name of a grant
    assert (await strict("ask")).reason == "nobody_to_ask"


@pytest.mark.parametrize("ports", [Ports(), None], ids=["no asker", "silent"])
async def test_where_nobody_can_be_asked_an_ask_is_a_refusal_that_says_so(ports: Ports | None) -> None:
    await make_tools("strict")
    await rule("ask")
    asker = FakeAsker()
    result = await run_one("strict", scope(ports or fake_ports(asker=asker), silent=ports is None))
    assert (result.status, result.reason, result.ran) == (CallStatus.DENIED, "nobody_to_ask", Ran.NO)
    assert "nobody can be asked here. the operator says ask" in result.content
    assert not asker.requests


async def test_an_operators_confirmation_is_an_allow_once() -> None:
    tool = await make_tool("strict")
    await rule("ask")
    confirmed = await execute_tool(tool, {"verdict": "ask"}, door=Door.ADMIN, user_id=None, confirmed=True)
    refused = await execute_tool(tool, {"verdict": "ask"}, door=Door.ADMIN, user_id=None)
    denied = await execute_tool(tool, {"verdict": "deny"}, door=Door.ADMIN, user_id=None, confirmed=True)
    assert (confirmed.result.success, refused.result.success, denied.result.success) == (True, False, False)


async def test_rules_hold_for_their_users_and_groups_alone() -> None:
    await make_tools("strict")
    ann, ben, cat = [await User.objects.acreate_user(name) for name in ("ann", "ben", "cat")]
    group = await Group.objects.acreate(name="guests")
    await ben.groups.aadd(group)
    denying = await rule("deny")
    await denying.users.aadd(ann)
    await denying.groups.aadd(group)
    ended = [(await strict("allow", user_id=user)).reason for user in (ann.pk, ben.pk, cat.pk, None)]
    assert ended == ["denied_by_rule", "denied_by_rule", "", ""]


async def test_a_disabled_rule_does_not_count() -> None:
    await make_tools("strict")
    await rule("deny", enabled=False)
    assert (await strict("allow")).success


async def test_a_grant_lifts_an_ask_for_its_person_and_session_alone() -> None:
    await make_tools("strict")
    ann = await User.objects.acreate_user("ann")
    within = scope(user_id=ann.pk)
    await Grant.objects.acreate(session_id=within.session_id, tool_slug="strict", user_id=ann.pk)
    assert (await run_one("strict", within, verdict="ask")).success
    assert not (await run_one("strict", within, verdict="deny")).success
    assert not (await run_one("strict", scope(user_id=ann.pk), verdict="ask")).success
    assert not (await run_one("strict", scope(session_id=within.session_id), verdict="ask")).success


async def test_the_chat_can_call_only_its_set() -> None:
    await make_tools("strict", "echo")
    await AgentTool.objects.filter(slug="echo").aupdate(enabled=False)
    disabled = await run_one("echo")
    outside = await run_one("strict", scope(tools=frozenset({"echo"})))
    assert (disabled.reason, outside.reason) == ("unknown_tool", "unknown_tool")
    assert "No tools are available here." in outside.content
