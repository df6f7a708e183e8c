"""The tool types there are: one line each, type → dotted path of its executor."""

from __future__ import annotations

CATALOGUE: dict[str, str] = {
    "fetch": "agent_tools.toolbox.web.fetch.Fetch",
}
