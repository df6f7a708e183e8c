"""What a batch meets: the tools it may call, and the law that holds for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tools.contract.context import Scope
from agent_tools.models import AgentTool
from agent_tools.pipeline.database import in_database
from agent_tools.pipeline.permissions import Law
from agent_tools.selectors.permissions import granted_slugs, rules_for
from agent_tools.selectors.tools import tools_in_set


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Tools by the scope's set and those added to it, rules and grants."""

    tools: list[AgentTool]
    law: Law


async def surroundings_of(scope: Scope, tools: Sequence[AgentTool] = ()) -> Surroundings:
    """Read everything in one go; `tools` may be called beside the scope's set. Raises Django's `Error`."""
    return await in_database(_read, scope, tools)


def _read(scope: Scope, tools: Sequence[AgentTool]) -> Surroundings:
    known = {tool.slug: tool for tool in [*tools_in_set(scope.tools), *tools]}
    law = Law(rules_for(scope.user_id), granted_slugs(scope.session_id, scope.user_id))
    return Surroundings(list(known.values()), law)
