"""Errors keep what they know on their way between processes."""

from __future__ import annotations

import pickle

from agent_tools.contract.errors import ConfigError, Problem, RefusedError


def test_an_error_survives_the_way_between_processes() -> None:
    error = ConfigError([Problem("a.b", "is wrong.")], reason="odd")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (again.problems, again.reason, str(again)) == (error.problems, "odd", "a.b: is wrong.")
    refused = pickle.loads(pickle.dumps(RefusedError("No.", reason="r", details={"x": 1})))  # noqa: S301 - our own
    assert (refused.message, refused.reason, refused.details) == ("No.", "r", {"x": 1})
