"""Processes to kill, on the test's own database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chat.journal import follow
from tests.fakes.runners import Runners
from tests.fakes.serving import database_url


@pytest.fixture(scope="session")
def parent(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runners]:
    """The one process from which the others are forked."""
    with Runners(tmp_path_factory.mktemp("runners"), database_url()) as runners:
        yield runners


@pytest.fixture
def runners(
    transactional_db: None, marking: None, parent: Runners, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Runners]:
    """Processes that run turns, with the tools that leave marks; followers look often, since no news reach them."""
    monkeypatch.setattr(follow, "LOOK_SECONDS", 0.05)
    parent.marks.unlink(missing_ok=True)
    yield parent
    parent.kill_all()
