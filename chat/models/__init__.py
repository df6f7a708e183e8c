"""The rows of the chat."""

from __future__ import annotations

from chat.models.conversation import Conversation
from chat.models.event import Event
from chat.models.message import Message, Role
from chat.models.model import Backend, ChatModel
from chat.models.request import Request, RequestKind, RequestState
from chat.models.turn import Step, Turn, TurnKind, TurnReason, TurnState

__all__ = [
    "Backend",
    "ChatModel",
    "Conversation",
    "Event",
    "Message",
    "Request",
    "RequestKind",
    "RequestState",
    "Role",
    "Step",
    "Turn",
    "TurnKind",
    "TurnReason",
    "TurnState",
]
