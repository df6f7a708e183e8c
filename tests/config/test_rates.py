"""A rate in the environment is checked at start."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.throttling import SimpleRateThrottle

from config import environment


@pytest.mark.parametrize(
    "value", ["60/min", "1/s", "5/sec", "5/second", "600/m", "5/minute", "7/h", "1/hour", "2/d", "2/day"]
)
def test_a_rate_is_taken_as_it_stands(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("API_RATE", f" {value} ")
    assert environment.rate("API_RATE", "600/min") == value
    number, seconds = SimpleRateThrottle.parse_rate(None, value)  # type: ignore[arg-type]
    assert number == int(value.split("/", maxsplit=1)[0])
    assert seconds in {1, 60, 3600, 86400}


@pytest.mark.parametrize(
    "value", ["60", "60/", "/min", "0/min", "-1/min", "many/min", "60/fortnight", "60/min/h", "6 0/min", "60/5min"]
)
def test_a_wrong_rate_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EXECUTE_RATE", value)
    with pytest.raises(ImproperlyConfigured, match=r"EXECUTE_RATE must be .* as 60/min"):
        environment.rate("EXECUTE_RATE", "60/min")


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_rate_is_the_default(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("API_RATE", value)
    assert environment.rate("API_RATE", "600/min") == "600/min"
