"""Builds the ports: of a turn, and of runs outside a conversation."""

from __future__ import annotations

from agent_tools.contract.ports import NoDelegate, Ports
from chat.ports.asker import ConversationAsker
from chat.ports.language_model import DefaultModel, TurnModel
from chat.ports.sink import JournalSink
from chat.turn.work import Work


def build_ports(*, user_id: int | None) -> Ports:
    """Return the ports for a run outside a conversation: a language model, and nobody to ask."""
    return Ports(model=DefaultModel())


def turn_ports(work: Work) -> Ports:
    """Return the ports of a turn."""
    return Ports(
        sink=JournalSink(work.recorder),
        asker=ConversationAsker(work.recorder, work.clock, work.stop),
        model=TurnModel(work),
        delegate=NoDelegate(),
    )
