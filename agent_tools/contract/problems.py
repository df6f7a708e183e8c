"""Words pydantic's findings as problems: the field by its dotted path, the message with what was allowed."""

from __future__ import annotations

from pydantic import ValidationError

from agent_tools.contract.errors import Problem

LONGEST = 300


def problems_of(error: ValidationError) -> list[Problem]:
    """Return one problem a finding, without echoing the input (it may hold a secret)."""
    return [
        Problem(".".join(str(part) for part in finding["loc"]), _message(finding["type"], finding["msg"]))
        for finding in error.errors(include_url=False, include_input=False, include_context=False)
    ]


def _message(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "there is no such key here; remove it."
    if kind == "missing":
        return "is required."
    text = message.removeprefix("Value error, ").strip()[:LONGEST]
    return text if text.endswith(".") else f"{text}."
