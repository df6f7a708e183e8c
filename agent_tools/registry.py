"""Turns the catalogue's lines into executors, each on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.module_loading import import_string

from agent_tools.catalogue import CATALOGUE
from agent_tools.contract.errors import UnknownToolTypeError
from agent_tools.contract.executor import ToolExecutor

AnyExecutor = ToolExecutor[Any, Any]


class Registry:
    """Executors by type name."""

    def __init__(self, lines: Mapping[str, str]) -> None:
        self._lines = dict(lines)
        self._executors: dict[str, AnyExecutor] = {}

    def types(self) -> list[str]:
        """Return the known type names, sorted."""
        return sorted(self._lines)

    def get(self, type_name: str) -> AnyExecutor:
        """Return the executor of a type; raises `UnknownToolTypeError` naming the known ones."""
        if type_name in self._executors:
            return self._executors[type_name]
        try:
            path = self._lines[type_name]
        except KeyError:
            raise UnknownToolTypeError(
                f"There is no tool type {type_name!r}; known types: {', '.join(self.types())}."
            ) from None
        try:
            executor: AnyExecutor = import_string(path)()
        except (ImportError, SyntaxError, NameError, AttributeError, TypeError) as error:
            raise UnknownToolTypeError(f"Tool type {type_name!r} cannot be loaded from {path}: {error}") from error
        self._executors[type_name] = executor
        return executor

    @contextmanager
    def extended(self, lines: Mapping[str, str]) -> Iterator[None]:
        """Know further types for a while, as if the catalogue had these lines; for trying a type out."""
        before = self._lines, self._executors
        self._lines, self._executors = {**self._lines, **lines}, {}
        try:
            yield
        finally:
            self._lines, self._executors = before


registry = Registry(CATALOGUE)
