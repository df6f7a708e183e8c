"""Tells the time, which a model cannot know."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from agent_tools.contract.context import ToolContext
from agent_tools.contract.executor import ToolConfig, ToolExecutor, ToolInput
from agent_tools.contract.result import ToolResult


def zone(name: str) -> tzinfo:
    """Return a time zone of the IANA database; raises `ValueError` naming the remedy. UTC needs no database."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("must be a time zone of the IANA database, such as Europe/Berlin or UTC.") from error


class CurrentTimeConfig(ToolConfig):
    """What an operator decides about telling the time."""

    default_zone: str = Field(
        default="UTC", max_length=60, title="Time zone", description="The zone in which the time is told by default."
    )

    @field_validator("default_zone")
    @classmethod
    def _known(cls, name: str) -> str:
        zone(name)
        return name


class CurrentTimeInput(ToolInput):
    """Which time is wanted."""

    time_zone: str | None = Field(
        default=None, max_length=60, description="IANA time zone such as Asia/Shanghai; leave out for the default."
    )

    @field_validator("time_zone")
    @classmethod
    def _known(cls, name: str | None) -> str | None:
        if name is not None:
            zone(name)
        return name


class CurrentTime(ToolExecutor[CurrentTimeConfig, CurrentTimeInput]):
    """The date and the time, in one zone and in UTC."""

    Config = CurrentTimeConfig
    Input = CurrentTimeInput
    title = "Current time"
    summary = "Tells the current date, weekday and time. Use it whenever an answer depends on today's date."
    enabled_by_default = True
    pollable = True

    def describe(self, config: CurrentTimeConfig) -> str:
        return f"The default time zone is {config.default_zone}."

    def is_read_only(self, tool_input: CurrentTimeInput, config: CurrentTimeConfig) -> bool:
        return True

    def is_concurrency_safe(self, tool_input: CurrentTimeInput, config: CurrentTimeConfig) -> bool:
        return True

    async def execute(
        self, tool_input: CurrentTimeInput, config: CurrentTimeConfig, context: ToolContext
    ) -> ToolResult:
        now = datetime.now(UTC)
        name = tool_input.time_zone or config.default_zone
        local = now.astimezone(zone(name))
        data = {
            "time": local.isoformat(timespec="seconds"),
            "time_zone": name,
            "weekday": local.strftime("%A"),
            "utc": now.isoformat(timespec="seconds"),
            "unix": int(now.timestamp()),
        }
        return ToolResult.ok(data, f"{data['weekday']}, {data['time']} ({name}); {data['utc']} in UTC.")
