from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.models import Backend, ChatModel
from tests.fakes.chat import model_at
from tests.fakes.model_script import answer, status
from tests.fakes.model_server import ModelServer
from tests.fakes.providers import always
from tests.fakes.strict_provider import Strict

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("check_model", *arguments, stdout=out)
    return out.getvalue()


def test_each_check_is_a_line_and_what_was_learned_is_kept() -> None:
    with ModelServer(strict=Strict(system=False)) as server:
        model_at(server.base_url, label="Mine", can_use_tools=False)
        server.respond = always(answer("Hello, one two."))
        lines = run("Mine").splitlines()
    assert [line.split()[0] for line in lines] == ["PASSED", "PASSED", "PASSED", "SKIPPED", "SKIPPED", "SKIPPED"]
    assert ChatModel.objects.get().profile == {"system": False}


def test_a_failed_check_fails_the_command_and_says_what_to_do() -> None:
    out = StringIO()
    with ModelServer() as server:
        model_at(server.base_url, label="Mine")
        server.respond = always(status(404, "<html></html>"))
        with pytest.raises(CommandError, match="1 of 6 checks failed"):
            call_command("check_model", "Mine", stdout=out)
    assert "it often ends in /v1" in out.getvalue()


def test_a_label_that_nobody_knows_and_no_time_are_refused() -> None:
    with pytest.raises(CommandError, match="Known: none"):
        run("x")
    ChatModel.objects.create(label="Toy", backend=Backend.OFFLINE)
    with pytest.raises(CommandError, match=r"no model labelled 'x'\. Known: Toy"):
        run("x")
    with pytest.raises(CommandError, match="more than 0"):
        run("Toy", "--seconds", "0")
    assert "It is built in" in run("Toy")
