"""What the README shows works."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from agent_tools.contract.calls import Door
from agent_tools.models import AgentTool, AgentToolLog
from agent_tools.registry import registry
from agent_tools.services.execution import execute_tool
from agent_tools.services.tools import install_default_tools

README = Path(__file__).resolve().parents[2] / "README.md"
MODULE = "readme_word_count"


def example(name: str) -> str:
    found = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)\n```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"README.md has no example {name!r}"
    return found[1]


@pytest.fixture
def _word_count() -> Iterator[None]:
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    exec(compile(example("new-tool"), "README.md", "exec"), module.__dict__)  # noqa: S102 - that is the point
    with registry.extended({"word_count": f"{MODULE}.WordCount"}):
        yield
    del sys.modules[MODULE]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_word_count")
async def test_the_tool_type_of_the_readme_runs_after_one_module_and_one_line() -> None:
    from channels.db import database_sync_to_async

    person = await User.objects.acreate(username="p")
    await database_sync_to_async(install_default_tools)()
    tool = await AgentTool.objects.aget(slug="word_count")
    outcome = await execute_tool(tool, {"text": "one two three"}, door=Door.API, user_id=person.pk)
    assert (outcome.result.data, outcome.result.content) == ({"words": 3}, "3 words")
    failed = await execute_tool(tool, {"text": "x" * 10_001}, door=Door.API, user_id=person.pk)
    assert failed.result.reason == "too_long"
    wrong = await execute_tool(tool, {"txt": "x"}, door=Door.API, user_id=person.pk)
    assert wrong.result.reason == "invalid_arguments"
    assert [row.status async for row in AgentToolLog.objects.order_by("id")] == ["success", "error", "error"]


def test_the_hooks_of_the_readme_register_themselves() -> None:
    from agent_tools.contract.hooks import registry as hooks

    before, after = list(hooks.before), list(hooks.after)
    try:
        exec(compile(example("hooks"), "README.md", "exec"), {"__name__": "readme_hooks"})  # noqa: S102
        added = [hook.name for hook in (*hooks.before, *hooks.after) if hook.name.startswith("readme_hooks.")]
    finally:
        hooks.before[:], hooks.after[:] = before, after
    assert added == ["readme_hooks.keep_drafts_private", "readme_hooks.prefer_https", "readme_hooks.count"]
