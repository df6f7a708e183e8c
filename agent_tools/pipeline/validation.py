"""Checks arguments against the tool's narrowed schema and words what is wrong, so that a model can mend it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from pydantic import ValidationError as InputError

from agent_tools.contract.calls import Ran, Reason
from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.contract.problems import problems_of
from agent_tools.contract.result import ToolResult
from agent_tools.pipeline.arguments import kind_of, read
from agent_tools.pipeline.running import Bound, Request, Running

MOST = 8
LONGEST = 300
TYPES = {"integer": "a whole number", "number": "a number", "string": "a string", "boolean": "true or false"}
TYPES |= {"object": "an object", "array": "an array", "null": "null"}
BOUNDS = {
    "minimum": "must be at least {}.",
    "maximum": "must be at most {}.",
    "exclusiveMinimum": "must be more than {}.",
    "exclusiveMaximum": "must be less than {}.",
    "minLength": "must have at least {} characters.",
    "maxLength": "must have at most {} characters.",
    "minItems": "must have at least {} items.",
    "maxItems": "must have at most {} items.",
    "pattern": "must match the regular expression {}",
    "multipleOf": "must be a multiple of {}.",
}


def validated(bound: Bound, arguments: Mapping[str, Any]) -> Request:
    """Return the arguments as the executor's input; raises `InvalidInputError` naming each field and what it may be."""
    problems = [problem for error in _errors(bound.schema, arguments) for problem in _problems(error)]
    if problems:
        known = list(dict.fromkeys(problems))[:MOST]
        raise InvalidInputError(known, reason=Reason.INVALID_ARGUMENTS)
    try:
        return Request(arguments=arguments, tool_input=bound.executor.Input.model_validate(arguments))
    except InputError as error:
        raise InvalidInputError(problems_of(error)[:MOST], reason=Reason.INVALID_ARGUMENTS) from error


def validate_again(running: Running) -> None:
    """Check the arguments that hooks put in place of the caller's; ends the call where they do not fit."""
    if not running.open or running.rewritten is None:
        return
    bound, _request = running.prepared()
    try:
        running.request = validated(bound, read(running.rewritten))
    except InvalidInputError as error:
        running.result = ToolResult.failed(
            f"Not run: a hook changed the arguments, and they do not fit any more. {error.message}",
            reason=Reason.INVALID_ARGUMENTS,
            metadata={"hooks": running.rewritten_by},
            ran=Ran.NO,
        )


def _errors(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[ValidationError]:
    validator = _validator(json.dumps(schema, sort_keys=True))
    return sorted(validator.iter_errors(arguments), key=lambda error: [str(part) for part in error.absolute_path])


@lru_cache(maxsize=256)
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def _problems(error: ValidationError) -> Iterator[Problem]:
    """Word one finding without echoing the value, which may be a secret and is known to whoever sent it."""
    path = ".".join(str(part) for part in error.absolute_path)
    allowed: Any = error.validator_value
    instance: Any = error.instance
    if error.validator == "required":
        for name in allowed:
            if name not in instance:
                yield Problem(f"{path}.{name}".lstrip("."), "is required.")
    elif error.validator == "additionalProperties" and allowed is False:
        yield from _unknown_names(error, path)
    elif error.validator in {"anyOf", "oneOf"} and error.context:
        yield from _branches(error, path)
    else:
        yield Problem(path, _message(error))


def _unknown_names(error: ValidationError, path: str) -> Iterator[Problem]:
    schema: Any = error.schema
    instance: Any = error.instance
    known = sorted(schema.get("properties", {}))
    for name in instance:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known) or 'none'}."
            yield Problem(f"{path}.{name[:100]}".lstrip("."), f"there is no such argument; {hint}")


def _branches(error: ValidationError, path: str) -> Iterator[Problem]:
    """Name the types where only the type is wrong, else what the nearest branch misses."""
    kinds = [each for each in error.context if each.validator == "type" and not each.relative_path]
    if len(kinds) == len(error.context):
        values: list[Any] = [each.validator_value for each in kinds]
        allowed = " or ".join(_type_names(value) for value in values)
        yield Problem(path, f"must be {allowed}, not {kind_of(error.instance)}.")
        return
    nearest = best_match(each for each in error.context if each not in kinds)
    yield from _problems(nearest if nearest is not None else error.context[0])


def _message(error: ValidationError) -> str:
    rule = str(error.validator)
    allowed: Any = error.validator_value
    if rule == "type":
        return f"must be {_type_names(allowed)}, not {kind_of(error.instance)}."
    if rule == "enum":
        return f"must be one of {_short(', '.join(json.dumps(value) for value in allowed))}."
    if rule == "const":
        return f"must be {_short(json.dumps(allowed))}."
    if rule in BOUNDS:
        return BOUNDS[rule].format(_short(str(allowed)))
    return f"does not satisfy {rule}: {_short(json.dumps(allowed))}."


def _type_names(kinds: str | list[str]) -> str:
    names = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join(TYPES.get(name, name) for name in names)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
