"""What an operator decides about a fetch tool, and what a model sends it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, field_validator

from agent_tools.contract.errors import AgentToolsError
from agent_tools.contract.executor import ToolConfig, ToolInput
from agent_tools.guards.domains import parse_domain
from agent_tools.guards.headers import merged_fields
from agent_tools.guards.networks import parse_network

Method = Literal["GET", "POST"]
PUBLIC_HEADERS = frozenset({
    "accept", "accept-language", "cache-control", "content-language", "content-type", "dnt", "if-modified-since",
    "if-none-match", "origin", "pragma", "prefer", "range", "referer", "upgrade-insecure-requests", "user-agent",
    "x-requested-with",
})  # fmt: skip
"""Header fields whose values identify nobody: ordinary words such as "en" or "application/json"."""


def _domain(entry: str) -> str:
    parse_domain(entry)
    return entry.strip()


def _network(entry: str) -> str:
    parse_network(entry)
    return entry.strip()


Domain = Annotated[str, AfterValidator(_domain)]
Network = Annotated[str, AfterValidator(_network)]


class FetchConfig(ToolConfig):
    """The limits of one fetch tool."""

    default_method: Method = Field(
        default="GET", title="Default method", description="Used when the model names no method."
    )
    default_headers: dict[str, SecretStr] = Field(
        default_factory=dict,
        title="Default headers",
        description="Sent with every request to the first site; the model can neither see nor change them.",
    )
    timeout: int = Field(
        default=10_000,
        ge=100,
        le=300_000,
        title="Timeout",
        description="In milliseconds, over look-up, connection, redirects and body together.",
    )
    max_response_size: int = Field(
        default=102_400,
        ge=1,
        le=10_485_760,
        title="Largest response",
        description="In bytes, on the wire and after decompression; longer answers are cut.",
    )
    allowed_domains: tuple[Domain, ...] = Field(
        default=("*",),
        title="Allowed domains",
        description="One a line: * for all, example.org, *.example.org for its sub-domains. Empty allows nothing.",
    )
    blocked_domains: tuple[Domain, ...] = Field(
        default=(), title="Blocked domains", description="Written like the allowed ones, and stronger than those."
    )
    allowed_networks: tuple[Network, ...] = Field(
        default=(),
        title="Opened networks",
        description="Private networks that this tool may reach: 10.1.0.0/16, or with a port 127.0.0.1/32:8080.",
    )
    parse_mode: Literal["raw", "markdown", "json"] = Field(
        default="markdown",
        title="Form of the answer",
        description="markdown turns HTML into Markdown, json parses the body, raw leaves the text as it came.",
    )
    main_content: bool = Field(
        default=True,
        title="Main content only",
        description="Leave out navigation, footers, forms and banners of a page (markdown only).",
    )

    def harmless(self) -> Collection[str]:
        public = {value for name, value in self.headers_sent().items() if name.lower() in PUBLIC_HEADERS}
        return public - {value for name, value in self.headers_sent().items() if name.lower() not in PUBLIC_HEADERS}

    def headers_sent(self) -> dict[str, str]:
        """Return the operator's header fields with their values open."""
        return {name: value.get_secret_value() for name, value in self.default_headers.items()}

    @field_validator("default_headers")
    @classmethod
    def _headers_can_be_sent(cls, headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
        try:
            merged_fields({name: value.get_secret_value() for name, value in headers.items()}, {})
        except AgentToolsError as error:
            raise ValueError(error.message) from error
        return headers


class FetchInput(ToolInput):
    """What the model sends."""

    url: str = Field(min_length=1, max_length=8_192, description="The http or https URL to fetch.")
    method: Method | None = Field(default=None, description="The request method.")
    headers: dict[str, str] = Field(default_factory=dict, description="Request headers, each value a text.")
    body: str | None = Field(default=None, max_length=1_000_000, description="The request body of a POST.")
    start_index: int = Field(
        default=0,
        ge=0,
        le=100_000_000,
        description="Go on reading at this character of the page, as an answer that was cut tells you to.",
    )
