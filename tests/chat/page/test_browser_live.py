"""A conversation in a real browser, before a real server and a scripted model."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from agent_tools.models import PermissionRule
from chat.models import Conversation, Message, Request, Turn
from tests.fakes.flags import Gate
from tests.fakes.model_script import answer, calls, done, finish, reply, text, thinking, tool_call, usage
from tests.fakes.model_server import ModelServer
from tests.fakes.site import begin, browsing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def test_an_answer_streams_with_thinking_and_a_card_and_the_stop_key_ends_it(
    site: str, server: ModelServer, session: str
) -> None:
    gate = Gate()
    first = (thinking("I should wait."), text("Let me **wait** a little.\n\n"))
    server.script(reply(*first, gate, tool_call("wait", {"seconds": 50}), finish("tool_calls"), usage(), done()))
    with browsing(site, session) as context:
        page = begin(context, "Please wait", "Tools", "Thinking")
        expect(page.locator(".turn.running .prose strong")).to_have_text("wait")
        expect(page.locator(".thinking")).not_to_have_attribute("open", "")
        expect(page.locator("#transcript")).to_have_attribute("aria-busy", "true")
        gate.open()
        card = page.locator('.card[data-status="running"]')
        expect(card.locator(".card-name")).to_have_text("wait")
        expect(card.locator("progress")).to_be_visible()
        expect(page.get_by_label("Message", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(".ending")).to_contain_text("Stopped.")
        expect(page.locator('.card[data-status="cancelled"]')).to_have_count(1)
        expect(page.get_by_role("button", name="Stop")).to_be_hidden()
        expect(page.get_by_role("status")).to_have_text("Stopped.")
        live = page.locator("#transcript").inner_text()
        page.reload()
        expect(page.locator("#transcript")).to_have_text(live, use_inner_text=True)
    assert Turn.objects.get().reason == "stopped"
    assert Conversation.objects.get().title == "Please wait"


def test_a_reload_in_mid_stream_a_second_tab_and_a_lost_network_lose_nothing(
    site: str, server: ModelServer, session: str
) -> None:
    gate, end = Gate(), Gate()
    server.script(
        reply(text("First half, "), gate, text("second half."), end, finish(), usage(), done()), answer("Two.")
    )
    with browsing(site, session) as context:
        page = begin(context, "Tell me")
        prose = ".turn .prose"
        expect(page.locator(prose)).to_have_text("First half,")
        page.get_by_label("Message", exact=True).fill("a draft")
        page.reload()
        expect(page.locator(prose)).to_have_text("First half,")
        expect(page.get_by_label("Message", exact=True)).to_have_value("a draft")
        second = context.new_page()
        second.goto(page.url)
        expect(second.locator(prose)).to_have_text("First half,")
        gate.open()
        for tab in (page, second):
            expect(tab.locator(prose)).to_have_text("First half, second half.")
        context.set_offline(True)
        expect(page.locator("#connection")).to_contain_text("offline")
        page.get_by_label("Message", exact=True).fill("And then?")
        page.keyboard.press("Enter")
        expect(page.locator(".message.sending")).to_contain_text("Will be sent when connected")
        context.set_offline(False)
        for tab in (page, second):
            expect(tab.locator(".message.queued")).to_contain_text("And then?")
            expect(tab.locator("#connection")).to_be_hidden()
        end.open()
        for tab in (page, second):
            expect(tab.locator(prose)).to_have_text(["First half, second half.", "Two."])
            expect(tab.locator(".message")).to_have_count(2)
    assert Message.objects.filter(role="user").count() == 2


def test_a_permission_is_asked_survives_a_reload_and_binds_to_what_was_shown(
    site: str, server: ModelServer, session: str
) -> None:
    PermissionRule.objects.create(tool_pattern="wait", action="ask", reason="Waiting costs time.")
    server.script(calls(tool_call("wait", {"seconds": 0, "note\u202e": "a\u200bb"})), answer("As you wish."))
    server.script(calls(tool_call("wait", {"seconds": 0})), answer("I see."))
    with browsing(site, session) as context:
        page = begin(context, "Wait", "Tools")
        expect(page.locator(".turn:not(.running)")).to_contain_text("As you wish.")
        page.keyboard.type("Wait again")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("alertdialog", name="wait asks for permission")
        expect(dialog).to_be_focused()
        expect(dialog).to_contain_text("Waiting costs time.")
        expect(dialog.locator("dd")).to_have_text("0")
        expect(dialog.locator(".request-deadline")).to_contain_text("left")
        page.reload()
        expect(dialog).to_be_focused()
        page.wait_for_timeout(500)  # the card takes no answer in its first moments
        dialog.get_by_role("textbox").fill("No time.")
        dialog.get_by_role("button", name="Deny").click()
        expect(page.locator('.card[data-status="denied"]')).to_contain_text("No time.")
        expect(page.locator(".turn").last).to_contain_text("I see.")
        expect(dialog).to_have_count(0)
        expect(page.get_by_label("Message", exact=True)).to_be_focused()
        live = page.locator(".turn").last.inner_text()
        page.reload()
        expect(page.locator(".turn").last).to_have_text(live, use_inner_text=True)
    assert Request.objects.get().answer["decision"] == "deny"


def test_wordings_and_answers_are_branches_to_switch_between(site: str, server: ModelServer, session: str) -> None:
    server.script(answer("One."), answer("Two."), answer("Three."))
    with browsing(site, session) as context:
        page = begin(context, "First wording")
        expect(page.locator(".turn .prose")).to_have_text("One.")
        page.get_by_role("button", name="Another answer").click()
        expect(page.locator(".turn .prose")).to_have_text("Two.")
        expect(page.locator(".turn .branches")).to_contain_text("2/2")
        page.locator(".message").hover()
        page.get_by_role("button", name="Edit").click()
        page.locator(".edit textarea").fill("Second wording")
        page.get_by_role("button", name="Send as a new version").click()
        expect(page.locator(".turn .prose")).to_have_text("Three.")
        expect(page.locator(".message-text")).to_have_text("Second wording")
        page.locator(".message .branches").get_by_role("button", name="Previous").click()
        expect(page.locator(".message-text")).to_have_text("First wording")
        expect(page.locator(".turn .prose")).to_have_text("Two.")
        page.locator(".turn .branches").get_by_role("button", name="Previous").click()
        expect(page.locator(".turn .prose")).to_have_text("One.")
    assert Conversation.objects.get().leaf == Message.objects.get(content="One.")
