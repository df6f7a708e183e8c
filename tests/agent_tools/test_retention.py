from __future__ import annotations

import uuid
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from agent_tools.models import AgentToolLog
from agent_tools.services.retention import prune_logs, prune_outputs
from agent_tools.workspace.models import KeptOutput

pytestmark = pytest.mark.django_db


def rows(count: int, *, days: int, status: str = "success") -> None:
    made = AgentToolLog.objects.bulk_create(
        AgentToolLog(session_id=uuid.uuid4(), tool_slug="x", door="api", status=status) for _ in range(count)
    )
    then = timezone.now() - timedelta(days=days)
    AgentToolLog.objects.filter(pk__in=[row.pk for row in made]).update(created_at=then)


def test_old_rows_go_in_batches_and_young_ones_stay() -> None:
    rows(5, days=40)
    rows(3, days=1)
    rows(4, days=31)
    assert prune_logs(days=30, batch=2) == 9
    assert AgentToolLog.objects.count() == 3


def test_running_calls_stay_and_errors_may() -> None:
    for status in ["running", "success", "error", "denied"]:
        rows(1, days=40, status=status)
    assert prune_logs(days=30, keep_errors=True) == 1
    assert prune_logs(days=30) == 2
    assert [row.status for row in AgentToolLog.objects.all()] == ["running"]


def test_old_outputs_go() -> None:
    for days in [1, 40]:
        kept = KeptOutput.objects.create(
            call_id=uuid.uuid4(), session_id=uuid.uuid4(), tool_slug="x", content="x", length=1
        )
        KeptOutput.objects.filter(pk=kept.pk).update(created_at=timezone.now() - timedelta(days=days))
    assert prune_outputs(days=30) == 1


def test_each_batch_takes_two_queries(django_assert_num_queries: Any) -> None:
    rows(4, days=40)
    with django_assert_num_queries(5):
        prune_logs(days=30, batch=2)


def test_the_commands_say_what_they_deleted() -> None:
    rows(2, days=40)
    out = StringIO()
    call_command("prune_logs", "--days", "30", "--keep-errors", stdout=out)
    call_command("prune_outputs", "--days", "30", stdout=out)
    assert out.getvalue() == "deleted 2 log rows\ndeleted 0 kept outputs\n"


@pytest.mark.parametrize("wrong", [["--days", "-1"], ["--days", "soon"], ["--days", "1", "--batch", "0"], []])
def test_wrong_arguments_are_refused(wrong: list[str]) -> None:
    with pytest.raises(CommandError, match=r"--days|--batch"):
        call_command("prune_logs", *wrong)
