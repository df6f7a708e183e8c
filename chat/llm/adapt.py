"""Shapes an acceptable history for a model that takes less than others: no tools, no system, no images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.llm.history import join_neighbours
from chat.llm.profile import Profile
from chat.llm.types import Message, Role

BRIDGE = "Understood."
IMAGES_FOLLOW = "(Images from the results above.)"
IMAGE_LEFT_OUT = "(An image was left out: this model does not read images.)"
_GAP = "\n\n"


def adapted(history: Sequence[Message], profile: Profile, *, with_tools: bool) -> Sequence[Message]:
    """Return the history as the profile wants it; `with_tools` says whether the request defines any."""
    if not profile.tools or (profile.calls_need_tools and not with_tools):
        history = _calls_as_text(history)
    history = _images_apart(history) if profile.images else _without_images(history)
    if not profile.system:
        history = _without_system(history)
    return history if profile.user_after_tool else _bridged(history)


def _calls_as_text(history: Sequence[Message]) -> Sequence[Message]:
    told: list[Message] = []
    names: dict[str, str] = {}
    for message in history:
        if message.role is Role.TOOL:
            words = f"[Result of {names.get(message.call_id, 'the call')}]\n{message.content}"
            told.append(Message(role=Role.USER, content=words, images=message.images))
        elif message.calls:
            names |= {call.id: call.name for call in message.calls}
            lines = [f"[Called {call.name} with {call.arguments or '{}'}]" for call in message.calls]
            words = _GAP.join(part for part in (message.content.strip(), "\n".join(lines)) if part)
            told.append(replace(message, content=words, calls=()))
        else:
            told.append(message)
    return join_neighbours(told)


def _images_apart(history: Sequence[Message]) -> Sequence[Message]:
    """Move images out of results, which are text alone, behind all results of the batch."""
    told: list[Message] = []
    waiting: tuple[str, ...] = ()
    for message in history:
        if message.role is Role.TOOL:
            waiting += message.images
            told.append(replace(message, images=()))
            continue
        if waiting and message.role is Role.USER:
            told.append(replace(message, images=(*waiting, *message.images)))
        elif waiting:
            told += [Message(role=Role.USER, content=IMAGES_FOLLOW, images=waiting), message]
        else:
            told.append(message)
        waiting = ()
    if waiting:
        told.append(Message(role=Role.USER, content=IMAGES_FOLLOW, images=waiting))
    return told


def _without_images(history: Sequence[Message]) -> Sequence[Message]:
    return [
        replace(message, content=f"{message.content}\n{IMAGE_LEFT_OUT}".strip(), images=())
        if message.images
        else message
        for message in history
    ]


def _without_system(history: Sequence[Message]) -> Sequence[Message]:
    """Let the person say what the system message says."""
    if not history or history[0].role is not Role.SYSTEM:
        return history
    system, *rest = history
    return join_neighbours([replace(system, role=Role.USER), *rest])


def _bridged(history: Sequence[Message]) -> Sequence[Message]:
    """Let the assistant say a word between a result and the person's next message."""
    told: list[Message] = []
    for message in history:
        if message.role is Role.USER and told and told[-1].role is Role.TOOL:
            told.append(Message(role=Role.ASSISTANT, content=BRIDGE))
        told.append(message)
    return told
