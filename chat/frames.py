"""The frames a browser may send: each is parsed into a closed type, anything else is a `FrameError`."""

from __future__ import annotations

import json
import uuid
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.contract.problems import problems_of
from agent_tools.text.scrub import strict_json

LONGEST_TEXT = 200_000
ClientId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class FrameError(InvalidInputError):
    """A frame is not one of ours, or one of its fields is wrong."""

    default_reason = "invalid_frame"


class Frame(BaseModel):
    """Base of all frames."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Send(Frame):
    """A message of the person, with the switches as they stand; a resent `client_id` does not double."""

    type: Literal["send"]
    client_id: ClientId
    text: Text
    model: uuid.UUID | None = None
    tools: bool = False
    thinking: bool = False


class Stop(Frame):
    """End one turn; a turn that is over already is left alone."""

    type: Literal["stop"]
    turn: uuid.UUID


class Answer(Frame):
    """The person's answer to a question."""

    type: Literal["answer"]
    request: uuid.UUID
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    chosen: Annotated[list[str], Field(max_length=50)] = []


class Decide(Frame):
    """The person's decision on a permission, for exactly the arguments of the hash."""

    type: Literal["decide"]
    request: uuid.UUID
    decision: Literal["allow_once", "allow_always", "deny"]
    arguments_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    reason: Annotated[str, Field(max_length=2_000)] = ""


class Edit(Frame):
    """Another wording of an earlier message: a new branch from the same place."""

    type: Literal["edit"]
    client_id: ClientId
    message: int
    text: Text
    model: uuid.UUID | None = None
    tools: bool = False
    thinking: bool = False


class Regenerate(Frame):
    """Another answer to the message of a turn: a new branch."""

    type: Literal["regenerate"]
    turn: uuid.UUID
    model: uuid.UUID | None = None
    tools: bool = False
    thinking: bool = False


class Sync(Frame):
    """The last event number the client has; everything after it is sent, then what follows."""

    type: Literal["sync"]
    after: Annotated[int, Field(ge=0)]


AnyFrame = Send | Stop | Answer | Decide | Edit | Regenerate | Sync
_adapter: TypeAdapter[AnyFrame] = TypeAdapter(Annotated[AnyFrame, Field(discriminator="type")])


def parse(text: str) -> AnyFrame:
    """Return the frame, its texts safe to store; raises `FrameError` with every problem."""
    try:
        data: Any = strict_json(json.loads(text)).value
    except InvalidInputError as error:
        raise FrameError(error.problems) from error
    except (ValueError, RecursionError) as error:
        raise FrameError([Problem("", "a frame must be a JSON object.")]) from error
    try:
        return _adapter.validate_python(data, strict=False)
    except ValidationError as error:
        raise FrameError(problems_of(error)) from error
