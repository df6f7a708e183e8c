"""What a model is told about a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A tool as a model sees it: the slug is its function name, `parameters` a JSON Schema object, whole."""

    name: str
    description: str
    parameters: Mapping[str, Any]
