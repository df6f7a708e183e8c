"""The doctor: what it finds on this machine, and what it says where something is not held."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client

from agent_tools.guards.sandbox import probe
from agent_tools.guards.sandbox.running import Ended
from agent_tools.services.doctor.examination import examine
from agent_tools.services.doctor.trials import OUT, Surroundings, trials

PAGE = "/admin/agent_tools/agenttool/doctor/"


@pytest.fixture
def _sandbox() -> None:
    if probe.find("auto", "").level is None:
        if os.environ.get("CI"):
            pytest.fail("No sandbox works here: CI must run these tests.")
        pytest.skip("no sandbox works here")


@pytest.mark.usefixtures("_sandbox")
@pytest.mark.django_db
def test_everything_is_held_here_and_the_page_shows_it(operator_client: Client, settings: Any) -> None:
    page = operator_client.post(PAGE)
    found = page.context["found"]
    assert [finding for finding in found.findings if not finding.held] == []
    assert len(found.findings) == 15
    assert "Everything was held." in page.content.decode()
    assert not list(Path(settings.AGENT_TOOLS["WORKSPACES_DIR"]).iterdir())
    assert "AGENT_TOOLS_DOCTOR" not in os.environ


@pytest.mark.django_db
def test_the_page_measures_only_when_told_and_only_for_operators(operator_client: Client, person: User) -> None:
    assert b"Measure now" in operator_client.get(PAGE).content
    assert PAGE in operator_client.get("/admin/agent_tools/agenttool/").content.decode()
    person.is_staff = True
    person.save()
    person.user_permissions.add(Permission.objects.get(codename="view_agenttool"))
    client = Client()
    client.force_login(person)
    assert client.post(PAGE).status_code == 403


def test_without_a_sandbox_commands_are_refused_and_that_is_said(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SANDBOX": "off"}
    call_command("doctor")
    assert "commands are refused" in capsys.readouterr().out
    assert examine().is_sound


@pytest.mark.parametrize(
    "ended",
    [
        Ended(0, 1.0, f"x\n{OUT}\n", 0),
        Ended(0, 1.0, "the secret", 0),
        Ended(None, 60.0, "", 0, "time"),
    ],
)
def test_what_got_out_is_found_out(ended: Ended) -> None:
    aims = Surroundings(1, "the secret", Path("/x/secret"), Path("/project"), 1)
    network = trials(aims)[:8]
    assert not any(trial.held(ended) for trial in network)
