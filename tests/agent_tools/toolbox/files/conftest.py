"""What tests of the file tools stand on: one session with a workspace, and its tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tools.contract.context import Scope
from agent_tools.workspace.folders import folder_of, roots_of
from tests.fakes.batches import scope


@pytest.fixture
def session() -> Scope:
    """One session, as a conversation opens it."""
    return scope()


@pytest.fixture
def workspace(session: Scope) -> Path:
    """The folder of the session's workspace."""
    roots_of(session.session_id)
    return folder_of(session.session_id)


@pytest.fixture
def library(settings: Any) -> Path:
    """The folder of the library."""
    folder = Path(settings.AGENT_TOOLS["LIBRARY_DIR"])
    folder.mkdir(parents=True)
    return folder
