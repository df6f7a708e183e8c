"""The one place where this app reads its settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings


def _setting(name: str) -> Any:
    return settings.CHAT[name]


class Conf:
    """Read anew at each access, so that a test's overrides count. Times are in seconds."""

    @property
    def max_steps(self) -> int:
        """How many responses of one turn have their calls run; one more request closes the turn."""
        return int(_setting("MAX_STEPS"))

    @property
    def system_prompt(self) -> str:
        """The operator's text at the head of every request; empty for the built-in one."""
        return str(_setting("SYSTEM_PROMPT"))

    @property
    def turn_seconds(self) -> float:
        """Limit of a whole turn, waits for a person not counted."""
        return float(_setting("TURN_SECONDS"))

    @property
    def step_seconds(self) -> float:
        """Limit of one response of a model."""
        return float(_setting("STEP_SECONDS"))

    @property
    def first_content_seconds(self) -> float:
        """How long a model may be silent before its first content."""
        return float(_setting("FIRST_CONTENT_SECONDS"))

    @property
    def between_content_seconds(self) -> float:
        """How long a model may be silent between two pieces of content."""
        return float(_setting("BETWEEN_CONTENT_SECONDS"))

    @property
    def lease_seconds(self) -> float:
        """How long a turn stays with a process that gives no sign of life."""
        return float(_setting("LEASE_SECONDS"))

    @property
    def sweep_seconds(self) -> float:
        """How often a process looks for turns that nobody runs."""
        return min(10.0, self.lease_seconds / 3)

    @property
    def drain_seconds(self) -> float:
        """How long an ending process waits for running tools before it leaves its turns to others."""
        return float(_setting("DRAIN_SECONDS"))

    @property
    def daily_tokens(self) -> int:
        """Tokens that one person may use a day (0: no limit)."""
        return int(_setting("DAILY_TOKENS"))

    @property
    def upload_bytes(self) -> int:
        """Octets that one uploaded file may have."""
        return int(_setting("UPLOAD_BYTES"))

    @property
    def session_engine(self) -> str:
        """Module of the store of browsers' sessions."""
        return str(settings.SESSION_ENGINE)

    @property
    def openai_base_url(self) -> str:
        """Base URL of the model that the environment names; empty for OpenAI's own."""
        return str(_setting("OPENAI_BASE_URL"))

    @property
    def openai_model(self) -> str:
        """The model that the environment names."""
        return str(_setting("OPENAI_MODEL"))


conf = Conf()
