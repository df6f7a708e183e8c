from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agent_tools.contract.calls import Door
from agent_tools.models import AgentTool, AgentToolLog, PermissionRule
from tests.fakes.admin_types import HOSTILE, Shop
from tests.fakes.browser_forms import Fields, filled_in
from tests.fakes.log_rows import log
from tests.fakes.staff import staff_client
from tests.fakes.stored_tools import store

pytestmark = pytest.mark.django_db(transaction=True)

FORM = "trial-form"
ESCAPED = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"


def url_of(tool: AgentTool) -> str:
    return reverse("admin:agent_tools_agenttool_try", args=[tool.pk])


def form_at(client: Client, url: str) -> Fields:
    return filled_in(client.get(url).content.decode(), FORM)


def run(client: Client, tool: AgentTool, **typed: Any) -> Any:
    return client.post(url_of(tool), {**form_at(client, url_of(tool)), **typed})


def test_looking_runs_nothing(operator_client: Client, shop: AgentTool) -> None:
    text = operator_client.get(url_of(shop) + "?input__item=apple&item=apple").content.decode()
    assert "Result" not in text
    assert not AgentToolLog.objects.exists()


def test_a_run_shows_its_result_and_its_row(operator_client: Client, shop: AgentTool) -> None:
    response = run(operator_client, shop, input__item="apple", input__headers="A: b", input__tags="x\r\ny")
    row = AgentToolLog.objects.get()
    assert row.input == {"item": "apple", "headers": {"A": "b"}, "tags": ["x", "y"], "wrap": False}
    assert (row.door, row.status, row.tool_id) == (Door.ADMIN, "success", shop.pk)
    text = response.content.decode()
    assert response.context["shown"].outcome.call.id == row.call_id
    assert f"/admin/agent_tools/agenttoollog/{row.pk}/change/" in text
    assert "&quot;colour&quot;: null" in text
    assert "price" in text


def test_what_a_tool_gives_is_hostile_text(operator_client: Client, shop: AgentTool) -> None:
    text = run(operator_client, shop, input__item=HOSTILE).content.decode()
    assert HOSTILE not in text
    assert text.count(ESCAPED) >= 4


def test_empty_fields_are_not_sent_and_what_was_typed_stays(operator_client: Client, shop: AgentTool) -> None:
    response = run(operator_client, shop, input__item="two\r\nlines ", input__body='{"a": 1}', input__colour="red")
    expected = {"item": "two\nlines ", "body": {"a": 1}, "colour": "red", "wrap": False}
    assert AgentToolLog.objects.get().input == expected
    shown = filled_in(response.content.decode(), FORM)
    assert (shown["input__item"], shown["input__body"]) == ("two\r\nlines ", '{"a": 1}')


@pytest.mark.parametrize(
    ("typed", "field", "error"),
    [
        ({"input__item": ""}, "input__item", "This field is required."),
        ({"input__item": "x", "input__amount": "many"}, "input__amount", "Enter a whole number"),
        ({"input__item": "x", "session": "none"}, "session", "Enter a valid UUID."),
        ({"input_mode": "json", "input_json": "{"}, "input_json", "This is not valid JSON"),
    ],
)
def test_what_cannot_be_read_is_not_run(
    operator_client: Client, shop: AgentTool, typed: Fields, field: str, error: str
) -> None:
    response = run(operator_client, shop, **typed)
    assert error in response.context["form"].errors[field][0]
    assert not AgentToolLog.objects.exists()


def test_json_is_sent_as_it_stands_and_judged_as_a_model_s(operator_client: Client, shop: AgentTool) -> None:
    text = json.dumps({"item": 5, "colr": "red"})
    response = run(operator_client, shop, input_mode="json", input_json=text, input__amount="nonsense")
    result = response.context["shown"].outcome.result
    assert (result.success, result.reason) == (False, "invalid_arguments")
    assert AgentToolLog.objects.get().input == {"item": 5, "colr": "red"}
    assert filled_in(response.content.decode(), FORM)["input_json"] == text


@pytest.mark.parametrize("value", [[1], "text", None])
def test_json_that_is_no_object_is_judged_too(operator_client: Client, shop: AgentTool, value: object) -> None:
    response = run(operator_client, shop, input_mode="json", input_json=json.dumps(value))
    assert response.status_code == 200
    assert not response.context["shown"].outcome.result.success


def test_a_refusal_and_a_bug_are_results(operator_client: Client, shop: AgentTool) -> None:
    text = run(operator_client, shop, input__item="nothing").content.decode()
    assert "Nothing cannot be bought." in text
    assert "nothing_there" in text
    result = run(operator_client, shop, input__item="bug").context["shown"].outcome.result
    assert result.reason == "internal_error"


def test_the_narrowed_schema_counts(operator_client: Client, shop: AgentTool) -> None:
    result = run(operator_client, shop, input__item="x", input__amount="4").context["shown"].outcome.result
    assert result.reason == "invalid_arguments"


def test_a_confirmation_lifts_an_ask_and_no_denial(operator_client: Client, shop: AgentTool) -> None:
    asked = run(operator_client, shop, input__item="gold")
    assert asked.context["shown"].outcome.result.status == "denied"
    assert "tick “Confirm” below" in asked.content.decode()
    assert run(operator_client, shop, input__item="gold", confirmed="on").context["shown"].outcome.result.success
    PermissionRule.objects.create(tool_pattern="shop", action="deny", reason="Closed.")
    denied = run(operator_client, shop, input__item="gold", confirmed="on").context["shown"].outcome.result
    assert denied.reason == "denied_by_rule"


def test_a_session_can_be_gone_on_with(operator_client: Client, shop: AgentTool) -> None:
    first = run(operator_client, shop, input__item="x").context["shown"].log.session_id
    second = run(operator_client, shop, input__item="x", session=str(first)).context["shown"].log.session_id
    third = run(operator_client, shop, input__item="x").context["shown"].log.session_id
    assert first == second != third


def test_a_disabled_tool_can_be_tried(operator_client: Client, shop: AgentTool) -> None:
    AgentTool.objects.update(enabled=False)
    response = run(operator_client, shop, input__item="x")
    assert response.context["shown"].outcome.result.success
    assert "The tool is disabled" in response.content.decode()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"type": "gone"}, "unknown_tool_type"), ({"config": {"count": 0}}, "invalid_config")],
)
def test_a_broken_tool_takes_json_and_fails_plainly(
    operator_client: Client, shop: AgentTool, fields: dict[str, Any], reason: str
) -> None:
    store(shop, **fields)
    response = run(operator_client, shop, input_json="{}")
    assert "This tool cannot run:" in response.content.decode()
    assert response.context["shown"].outcome.result.reason == reason


def test_a_tool_runs_outside_any_transaction(operator_client: Client, shop: AgentTool) -> None:
    Shop.seen_in_transaction = None
    assert run(operator_client, shop, input__item="x").status_code == 200
    assert Shop.seen_in_transaction is False


def test_a_run_needs_its_token_against_forgery(shop: AgentTool, operator_client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = operator_client.cookies
    assert strict.post(url_of(shop), {"input__item": "x", "input_mode": "form"}).status_code == 403
    assert not AgentToolLog.objects.exists()


def test_a_logged_call_fills_the_form_again(operator_client: Client, shop: AgentTool) -> None:
    sent = {"item": "apple", "headers": {"A": "b", "Authorization": "[masked]"}, "tags": ["x"]}
    row = log(shop, input=sent)
    url = f"{url_of(shop)}?from_log={row.pk}"
    response = operator_client.get(url)
    text = response.content.decode()
    shown = filled_in(text, FORM)
    assert (shown["input__item"], shown["input__headers"], shown["input__tags"]) == ("apple", "A: b", "x")
    assert "they are left empty:" in text
    assert "headers.Authorization" in text
    assert json.loads(shown["input_json"]) == {"item": "apple", "headers": {"A": "b"}, "tags": ["x"]}
    assert operator_client.post(url, shown).context["shown"].outcome.result.success


@pytest.mark.parametrize("sent", ["{broken", [1, 2], 5])
def test_a_logged_call_that_was_no_object_comes_back_as_json(
    operator_client: Client, shop: AgentTool, sent: object
) -> None:
    shown = form_at(operator_client, f"{url_of(shop)}?from_log={log(shop, input=sent).pk}")
    assert shown["input_mode"] == "json"
    assert json.loads(shown["input_json"]) == sent


@pytest.mark.parametrize("wanted", ["999999", "x", "9" * 40])
def test_a_call_that_is_not_there_is_said_so(operator_client: Client, shop: AgentTool, wanted: str) -> None:
    text = operator_client.get(f"{url_of(shop)}?from_log={wanted}").content.decode()
    assert "The logged call was not found" in text


def test_without_the_right_to_see_calls_none_is_filled_in_or_linked(shop: AgentTool) -> None:
    row = log(shop, input={"item": "apple"})
    client = staff_client("change_agenttool")
    text = client.get(f"{url_of(shop)}?from_log={row.pk}").content.decode()
    assert "The logged call was not found" in text
    assert "apple" not in text
    ran = run(client, shop, input__item="x").content.decode()
    assert "agenttoollog" not in ran
