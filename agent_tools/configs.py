"""Tool configurations: checked where they enter, their secrets sealed at rest, loaded leniently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr, ValidationError
from pydantic_core import to_jsonable_python

from agent_tools import vault
from agent_tools.contract.errors import ConfigError, Problem, UnavailableError
from agent_tools.contract.executor import ToolConfig
from agent_tools.contract.problems import problems_of
from agent_tools.contract.schemas import MISSING, Path, Schema, child_schema, is_secret, secret_keys, union_branch
from agent_tools.registry import registry

SECRET = "$secret"  # noqa: S105 - the key that marks a sealed value
KEPT = {SECRET: "set"}


def prepare(type_name: str, submitted: object, stored: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Check a submitted configuration and return it as it is stored: whole, with every secret sealed.

    A secret that is absent (or sent back as `{"$secret": "set"}`) keeps its stored value, null clears it. Raises
    `ConfigError` naming every wrong key, `UnknownToolTypeError` for an unknown type.
    """
    model = registry.get(type_name).Config
    if not isinstance(submitted, Mapping):
        raise ConfigError([Problem("", "the configuration must be a JSON object.")])
    merged = _Merge(model.model_json_schema()).run(submitted, stored or {})
    config = _validated(model, merged, extra="forbid")
    sealed: dict[str, Any] = to_jsonable_python(_seal(config.model_dump(mode="python")))
    return sealed


def load(type_name: str, stored: Mapping[str, Any]) -> ToolConfig:
    """Return the stored configuration as the type's model: unknown keys ignored, new keys at their defaults.

    Raises `ConfigError` when a value no longer fits or a secret cannot be opened.
    """
    return _validated(registry.get(type_name).Config, _unseal(stored, ()), extra="ignore")


def shown(type_name: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration for people: defaults filled in, each secret as `{"$secret": "set"}`, one that a
    fixture or an older version of the type left in clear too.
    """
    model = registry.get(type_name).Config
    schema = model.model_json_schema()
    defaults = to_jsonable_python(_seal(model().model_dump(mode="python"), mask=True))
    return {**defaults, **{key: value for key, value in _masked(schema, schema, stored).items() if key in defaults}}


def masked(value: Any) -> Any:
    """Return stored JSON with each sealed secret as `{"$secret": "set"}`, whatever its type; for a broken row."""
    return _masked({}, {}, value)


def secret_values(config: ToolConfig) -> tuple[str, ...]:
    """Return the secrets in a loaded configuration, to be struck out of whatever a tool gives back."""
    found: list[str] = []

    def visit(value: object) -> None:
        if isinstance(value, SecretStr):
            found.append(value.get_secret_value())
        elif isinstance(value, Mapping):
            for item in value.values():
                visit(item)
        elif isinstance(value, list | tuple | set | frozenset):
            for item in value:
                visit(item)

    visit(config.model_dump(mode="python"))
    return tuple(secret for secret in found if secret and secret not in config.harmless())


def _validated(model: type[ToolConfig], data: object, *, extra: Any) -> ToolConfig:
    try:
        return model.model_validate(data, extra=extra)
    except ValidationError as error:
        raise ConfigError(problems_of(error)) from error


def _seal(value: Any, *, mask: bool = False) -> Any:
    if isinstance(value, SecretStr):
        return KEPT if mask else {SECRET: vault.seal(value.get_secret_value())}
    if isinstance(value, Mapping):
        return {key: _seal(item, mask=mask) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_seal(item, mask=mask) for item in value]
    return value


def _masked(root: Schema, schema: Schema, value: Any) -> Any:
    """Return stored JSON without what is sealed, and without what stands where the schema knows a secret."""
    schema = union_branch(root, schema)
    if is_secret(schema) and value is not None:
        return KEPT
    if isinstance(value, Mapping):
        sealed = set(value) == {SECRET}
        return KEPT if sealed else {key: _masked(root, child_schema(schema, key), item) for key, item in value.items()}
    if isinstance(value, list):
        return [_masked(root, schema.get("items", {}), item) for item in value]
    return value


def _unseal(value: Any, path: Path) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {SECRET}:
            return _open(value, path)
        return {key: _unseal(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_unseal(item, (*path, position)) for position, item in enumerate(value)]
    return value


def _open(sealed: Mapping[str, Any], path: Path) -> str:
    try:
        return vault.unseal(str(sealed[SECRET]))
    except UnavailableError as error:
        raise ConfigError([Problem(_dotted(path), error.message)], reason=error.reason) from error


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))


class _Merge:
    """Carries stored secrets over into a submitted configuration, following the type's schema."""

    def __init__(self, schema: Schema) -> None:
        self.root = schema

    def run(self, submitted: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
        merged = self._merge(self.root, submitted, stored, ())
        return merged if isinstance(merged, dict) else {}

    def _merge(self, schema: Schema, submitted: Any, stored: Any, path: Path) -> Any:
        schema = union_branch(self.root, schema)
        if is_secret(schema):
            return self._secret(submitted, stored, path)
        if isinstance(submitted, Mapping):
            return self._object(schema, submitted, stored if isinstance(stored, Mapping) else {}, path)
        if submitted is None and secret_keys(self.root, schema, stored):
            return MISSING
        if isinstance(submitted, list) and "items" in schema:
            old = stored if isinstance(stored, list) else []
            pairs = [(item, old[at] if at < len(old) else MISSING) for at, item in enumerate(submitted)]
            merged = [self._merge(schema["items"], new, was, (*path, at)) for at, (new, was) in enumerate(pairs)]
            return [item for item in merged if item is not MISSING]
        return submitted

    def _object(self, schema: Schema, submitted: Mapping[str, Any], stored: Mapping[str, Any], path: Path) -> Any:
        merged: dict[str, Any] = {}
        for key in [*submitted, *(key for key in secret_keys(self.root, schema, stored) if key not in submitted)]:
            old = stored.get(key, MISSING)
            new = submitted[key] if key in submitted else _absent(old)
            value = self._merge(child_schema(schema, key), new, old, (*path, key))
            if value is not MISSING:
                merged[str(key)] = value
        return merged

    def _secret(self, submitted: Any, stored: Any, path: Path) -> Any:
        if submitted is None:
            return MISSING
        if submitted is MISSING or submitted in (KEPT, stored):
            if isinstance(stored, Mapping):
                return _open(stored, path)
            if isinstance(stored, str):  # it was stored in clear, past the checks
                return stored
            raise ConfigError([Problem(_dotted(path), "there is no stored secret to keep: send its value.")])
        return submitted


def _absent(stored: Any) -> Any:
    """Return what stands for an absent key below which secrets are stored, so that they are kept."""
    if isinstance(stored, Mapping):
        return MISSING if set(stored) == {SECRET} else {}
    return _unseal(stored, ())
