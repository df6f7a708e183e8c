"""Files and diffs in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from agent_tools.models import AgentTool
from tests.fakes.model_script import answer, calls, tool_call
from tests.fakes.model_server import ModelServer
from tests.fakes.site import begin, browsing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def test_what_a_tool_changes_is_shown_and_files_come_and_go(
    site: str, server: ModelServer, session: str, tmp_path: Path
) -> None:
    for kind in ("file_write", "file_edit"):
        AgentTool.objects.create(name=kind, slug=kind, type=kind, description=kind, config={})
    edit = {"path": "notes.md", "old_string": "two", "new_string": "<b>2</b>"}
    server.script(
        calls(tool_call("file_write", {"path": "notes.md", "content": "one\ntwo\n"})),
        calls(tool_call("file_edit", edit)),
        answer("Done."),
    )
    with browsing(site, session) as context:
        page = begin(context, "Take notes", "Tools")
        expect(page.locator(".turn .prose")).to_have_text("Done.")
        card = page.locator(".card", has_text="file_edit")
        expect(card.locator(".diff-line.removed")).to_have_text("-two\n")
        expect(card.locator(".diff-line.added")).to_have_text("+<b>2</b>\n")
        expect(card.locator(".card-output")).to_have_text("Edited workspace/notes.md in one place (+1 -1).")
        live = card.locator(".diff").text_content() or ""
        page.reload()
        page.locator(".tools > summary").click()
        card.locator("summary").click()
        expect(card.locator(".diff")).to_be_visible()
        expect(card.locator(".diff")).to_have_text(live)
        page.get_by_role("link", name="Files").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(".file-name")).to_have_text("workspace/notes.md")
        (tmp_path / "up.csv").write_text("a,b\n")
        dialog.get_by_label("Upload files").set_input_files(tmp_path / "up.csv")
        dialog.get_by_role("button", name="Upload", exact=True).click()
        expect(dialog.locator(".flash.success")).to_have_text("workspace/up.csv was uploaded.")
        with page.expect_download() as given:
            dialog.get_by_role("link", name="workspace/notes.md").click()
        assert given.value.path().read_text() == "one\n<b>2</b>\n"
        assert given.value.suggested_filename == "notes.md"
        dialog.get_by_role("listitem").filter(has_text="up.csv").get_by_role("button", name="Mention").click()
        expect(page.get_by_label("Message", exact=True)).to_have_value("workspace/up.csv ")
        drop = """() => { const data = new DataTransfer(); data.items.add(new File(["x"], "dropped.txt"));
            document.getElementById("main").dispatchEvent(
              new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }"""
        page.evaluate(drop)
        expect(dialog.locator(".flash.success")).to_have_text("workspace/dropped.txt was uploaded.")
