"""Says in words what was learned of a model's provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.llm.profile import Echo, EmptyContent, IdStyle, MaxTokensName, Profile, SchemaLevel


def words_of(profile: Profile) -> list[str]:
    """Return one sentence for each thing in which the provider differs from what is usual."""
    usual = Profile()
    return [
        say(getattr(profile, name))
        for name, say in _SENTENCES.items()
        if getattr(profile, name) != getattr(usual, name)
    ]


def _echo(value: Echo) -> str:
    return {
        Echo.NEVER: _("It refuses reasoning in the history: none is sent back."),
        Echo.WITH_CALLS: _("Reasoning goes back with the calls it led to."),
        Echo.DEMANDED_WITH_CALLS: _("It demands its reasoning back with every call."),
        Echo.DEMANDED: _("It demands its reasoning back in every answer."),
    }[value]


def _ids(value: IdStyle) -> str:
    return {
        IdStyle.PROVIDER: _("Ids of calls go back as they came."),
        IdStyle.OWN: _("Ids of calls are always this site’s own."),
        IdStyle.ALNUM9: _("Ids of calls have nine letters and digits."),
    }[value]


def _content(value: EmptyContent) -> str:
    if value is EmptyContent.EMPTY:
        return _("A message that holds calls and no words has an empty text: it refuses null.")
    return _("A message that holds calls and no words has null as its text.")


def _schema(value: SchemaLevel) -> str:
    if value is SchemaLevel.PLAIN:
        return _("Tools are described with the plain part of JSON Schema: it refuses the rest.")
    return _("Tools are described with all of JSON Schema.")


def _max_tokens(value: MaxTokensName) -> str:
    return _("The length of an answer is limited by %(name)s.") % {"name": value.value}


def _refused(value: frozenset[str]) -> str:
    return _("It refuses these parameters, which are left out: %(names)s.") % {"names": ", ".join(sorted(value))}


def _reasoning_field(value: str) -> str:
    return _("Its reasoning comes in the field %(name)s.") % {"name": value}


_SENTENCES: Final[dict[str, Callable[[Any], str]]] = {
    "tools": lambda _value: _("It takes no tools: calls in the history are told as text."),
    "system": lambda _value: _("It takes no system message: the first message says what that would."),
    "images": lambda _value: _("It reads no images: they are left out, and it is told so."),
    "user_after_tool": lambda _value: _("It takes no message right behind a result: a short word is put between."),
    "calls_need_tools": lambda _value: _(
        "It takes calls in the history only beside tools; else they are told as text."
    ),
    "max_tokens_name": _max_tokens,
    "empty_content": _content,
    "id_style": _ids,
    "echo": _echo,
    "reasoning_field": _reasoning_field,
    "replay": lambda _value: _("It refuses keys of its own in the history: they are not sent back."),
    "schema": _schema,
    "refused": _refused,
    "interleaved": lambda _value: _("It mixes several calls in one stream: none is started before the end."),
    "cumulative": lambda _value: _("It repeats arguments from their beginning: no call is started before the end."),
}
