from __future__ import annotations

import pytest

from agent_tools.selectors.identifiers import row_id


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("17", 17), ("007", 7), ("9223372036854775807", 2**63 - 1)],
)
def test_a_number_names_a_row(text: str, number: int) -> None:
    assert row_id(text) == number


@pytest.mark.parametrize(
    "text",
    ["", " 1", "-1", "1.0", "1e3", "²", "٣", "9223372036854775808", "9" * 5_000, "0" * 20 + "17", "x"],
    ids=lambda text: text[:20],
)
def test_what_is_no_rows_number_names_none(text: str) -> None:
    assert row_id(text) is None
