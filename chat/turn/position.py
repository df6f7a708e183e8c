"""Where a turn stands in its rows: at its beginning, or in the middle when it is taken over."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tools.contract.definition import ToolDefinition
from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.selectors.tools import definitions, tools_in_set
from chat.context.history import branch
from chat.journal.store import Held, SupersededError
from chat.models import ChatModel, Message, Role, Turn
from chat.services.steps import head_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What is known of a turn when its runner begins. `step` is the number of the last response that is stored;
    `pending` is that response where its calls lack answers, and `branch` all before it.
    """

    user_id: int
    row: ChatModel
    thinking: bool
    tools: tuple[ToolDefinition, ...]
    spent: float
    branch: list[Message]
    step: int
    pending: Message | None


def load(held: Held) -> Position:
    """Read where a turn stands. Raises `SupersededError` when it is gone, and `InvalidInputError` when its model is: no
    other one gets to read the conversation instead.
    """
    turn = Turn.objects.select_related("conversation", "model").filter(pk=held.turn_id).first()
    if turn is None:
        raise SupersededError("The turn is gone.")
    row = turn.model
    if row is None or not row.enabled:
        raise InvalidInputError([Problem("model", "is not offered any more; choose another.")], reason="unknown_model")
    messages = branch(turn.conversation_id, head_of(turn))
    last = messages[-1]
    own = last.role != Role.USER
    pending = last if own and last.role == Role.ASSISTANT and last.calls else None
    return Position(
        user_id=turn.conversation.user_id,
        row=row,
        thinking=turn.thinking_on,
        tools=tuple(definitions(tools_in_set(None))) if turn.tools_on else (),
        spent=turn.spent_ms / 1000,
        branch=messages[:-1] if pending else messages,
        step=last.step if own else 0,
        pending=pending,
    )
