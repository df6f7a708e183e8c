"""What a person does with conversations as such: begin, rename, switch the branch, delete."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from agent_tools.contract.errors import AgentToolsError
from agent_tools.workspace import folders
from chat.models import ChatModel, Conversation, Message, Turn, TurnState
from chat.selectors.branches import Node, Tree


class BusyError(AgentToolsError):
    """A turn of the conversation runs, and what was asked would pull the ground from under it."""

    default_reason = "busy"


class NoSuchMessageError(AgentToolsError):
    """The conversation has no such message."""

    default_reason = "no_such_message"


def create_conversation(
    user: AbstractBaseUser, *, model: ChatModel | None = None, tools_on: bool = False, thinking_on: bool = False
) -> Conversation:
    """Begin a conversation; its title comes with the first message."""
    return Conversation.objects.create(user_id=user.pk, model=model, tools_on=tools_on, thinking_on=thinking_on)


def rename_conversation(conversation: Conversation, title: str) -> None:
    """Give a conversation another title; its place in the list stays."""
    Conversation.objects.filter(pk=conversation.pk).update(title=title)


def switch_branch(conversation: Conversation, message: int) -> None:
    """Show the newest branch through `message`; raises `NoSuchMessageError`, or `BusyError` while a turn runs, which
    would go on where nobody sees it.
    """
    with transaction.atomic():
        _hold(conversation, _("An answer is being written. Wait for its end, or stop it, then switch."))
        rows = Message.objects.filter(conversation=conversation).values_list("id", "parent_id", "role", "turn_id")
        tree = Tree(map(Node._make, rows))
        if message not in tree:
            raise NoSuchMessageError(f"This conversation has no message {message}.")
        Conversation.objects.filter(pk=conversation.pk).update(leaf_id=tree.newest_leaf(message))


def delete_conversation(conversation: Conversation) -> None:
    """Delete a conversation with its messages, its journal and its files; raises `BusyError` while a turn runs. Records
    of calls and kept outputs belong to the tools' session: retention removes them.
    """
    with transaction.atomic():
        _hold(conversation, _("An answer is being written. Stop it first, then delete the conversation."))
        Conversation.objects.filter(pk=conversation.pk).delete()
        transaction.on_commit(partial(folders.forget, conversation.pk))


def _hold(conversation: Conversation, busy: str) -> None:
    # The row's lock keeps turns from starting: each begins with an event, whose number that row gives out.
    Conversation.objects.select_for_update().get(pk=conversation.pk)
    if Turn.objects.filter(conversation=conversation, state=TurnState.RUNNING).exists():
        raise BusyError(busy)
