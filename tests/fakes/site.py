"""The whole site in a process of its own, and a real browser before it.

The site uses the test's database, so rows made in a test are there, and what people do in the browser can be asserted
afterwards. While the browser is open the ORM refuses to work in the test's thread: make rows before, look after.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
STEP_MILLISECONDS = 20_000


def chromium_or_skip() -> str:
    """Return the browser's path, or skip; in CI a missing browser is a failure."""
    path = os.environ.get("TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path:
        return path
    reason = "Chromium is not installed (TEST_CHROMIUM names its path)"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}: CI must run these tests.")
    pytest.skip(reason)


@contextmanager
def serving(data_dir: Path, secret_keys: str, **environment: str) -> Iterator[str]:
    """Serve the site and yield its address, without a slash at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    variables = {
        **os.environ,
        "DATABASE_URL": _database_url(),
        "DATA_DIR": str(data_dir),
        "TOOL_SECRET_KEYS": secret_keys,
        "HTTPS_ONLY": "false",
        **environment,
    }
    command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with (data_dir / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=log, stderr=subprocess.STDOUT)
    try:
        base = f"http://127.0.0.1:{port}"
        _await(f"{base}/healthz", process, data_dir / "server.log")
        yield base
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _database_url() -> str:
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    who = f"{settings['USER']}:{settings['PASSWORD']}" if settings["PASSWORD"] else settings["USER"]
    return f"postgres://{who}@{settings['HOST']}:{settings['PORT'] or 5432}/{settings['NAME']}"


def _await(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            if httpx.get(url, timeout=5).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)  # until the port is open: nobody tells
    pytest.fail("The site did not start:\n" + log.read_text(errors="replace")[-4_000:])


@contextmanager
def browsing(base: str, session: str, **options: Any) -> Iterator[BrowserContext]:
    """Open a browser in which the person of this session is signed in. What its pages complain of fails the test."""
    path = chromium_or_skip()
    complaints: list[str] = []
    expect.set_options(timeout=STEP_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            context = browser.new_context(base_url=base, **options)
            context.set_default_timeout(STEP_MILLISECONDS)
            context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
            context.on("weberror", lambda error: complaints.append(str(error.error)))
            context.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            yield context
        finally:
            browser.close()
    assert not complaints, complaints


def sign_in(user: User) -> str:
    """Sign a person in and return the session's key."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def conversation_id_of(url: str) -> str:
    """Return the id in the address of a conversation's page."""
    found = re.search(r"/chat/([0-9a-f-]{36})/", url)
    assert found, url
    return found[1]


def begin(context: BrowserContext, words: str, *switches: str) -> Page:
    """Begin a conversation by its first message, with the keyboard alone."""
    page = context.new_page()
    page.goto("/chat/")
    for switch in switches:
        page.get_by_role("switch", name=switch).press("Space")
    page.get_by_label("Message", exact=True).press_sequentially(words)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/chat/[0-9a-f-]{36}/"))
    return page
