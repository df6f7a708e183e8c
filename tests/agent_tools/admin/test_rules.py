from __future__ import annotations

import uuid

from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from agent_tools.models import AgentTool, Grant, PermissionRule
from tests.fakes.browser_forms import filled_in
from tests.fakes.staff import staff_client

RULES = "/admin/agent_tools/permissionrule/"
GRANTS = "/admin/agent_tools/grant/"


def rule(**fields: str) -> PermissionRule:
    return PermissionRule.objects.create(**{"action": "deny", "reason": "r", **fields})


def test_a_rule_is_written_with_examples_beside_it(operator_client: Client, shop: AgentTool) -> None:
    text = operator_client.get(RULES + "add/").content.decode()
    assert "https://*.example.org/*" in text
    data = filled_in(text, "permissionrule_form") | {"tool_pattern": " sh* ", "action": "deny", "reason": "No."}
    response = operator_client.post(RULES + "add/", data, follow=True)
    assert PermissionRule.objects.get().tool_pattern == "sh*"
    assert "No tool has a slug like" not in response.content.decode()


def test_a_rule_for_no_tool_is_kept_with_a_warning(operator_client: Client, db: None) -> None:
    data = {"tool_pattern": "sh*", "action": "ask", "reason": "No.", "enabled": "on"}
    text = operator_client.post(RULES + "add/", data, follow=True).content.decode()
    assert "No tool has a slug like sh* now." in text


def test_a_pattern_that_cannot_match_is_refused(operator_client: Client, db: None) -> None:
    response = operator_client.post(RULES + "add/", {"tool_pattern": "a b", "action": "deny", "reason": "r"})
    assert "A slug has no blanks" in response.content.decode()
    assert not PermissionRule.objects.exists()


def test_the_list_says_for_whom_and_for_which_tools(
    operator_client: Client, operator: User, shop: AgentTool, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mine = rule(tool_pattern="s*", argument_name="item", argument_pattern="<gold>")
    mine.users.add(operator)
    mine.groups.add(Group.objects.create(name="Buyers"))
    for number in range(5):
        rule(tool_pattern=f"x{number}")
    text = operator_client.get(RULES).content.decode()
    for shown in ("item <code>&lt;gold&gt;</code>", "operator, Buyers", "everyone", ">shop<", ">none<"):
        assert shown in text
    # Session, user, two counts, rows, users, groups, slugs.
    with django_assert_num_queries(8):
        operator_client.get(RULES)


def test_rules_are_switched_in_the_list(operator_client: Client, db: None) -> None:
    kept = rule(tool_pattern="x")
    data = filled_in(operator_client.get(RULES).content.decode(), "changelist-form") | {"_save": "Save", "action": ""}
    del data["form-0-enabled"]
    assert operator_client.post(RULES, data).status_code == 302
    kept.refresh_from_db()
    assert not kept.enabled


def test_grants_are_read_and_taken_back_but_not_given(operator_client: Client, operator: User) -> None:
    session = uuid.uuid4()
    grant = Grant.objects.create(session_id=session, tool_slug="shop", user=operator)
    assert str(session) in operator_client.get(f"{GRANTS}?q={session}").content.decode()
    assert operator_client.get(f"{GRANTS}{grant.pk}/change/").status_code == 200
    assert operator_client.post(f"{GRANTS}{grant.pk}/change/", {"tool_slug": "x"}).status_code == 403
    assert operator_client.get(GRANTS + "add/").status_code == 403
    assert staff_client("view_grant").post(f"{GRANTS}{grant.pk}/delete/", {"post": "yes"}).status_code == 403
    assert operator_client.post(f"{GRANTS}{grant.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Grant.objects.exists()


def test_the_index_hides_what_is_only_bookkeeping(operator_client: Client, db: None) -> None:
    text = operator_client.get("/admin/").content.decode()
    assert "Tool calls" in text
    for name in ("installeddefault", "sessionvalue"):
        assert name not in text
