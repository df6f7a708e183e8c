"""What the list and the form of language models show beside the columns themselves."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.contract.errors import InvalidInputError
from chat.admin.labels import BAD, GOOD, NOTHING, badge
from chat.admin.profile_words import words_of
from chat.llm.profile import Profile
from chat.models import Backend, ChatModel
from chat.services.models import OPENAI_URL, key_of


def key_state(model: ChatModel) -> str:
    """Say whether the environment holds the model's key now; never what it is."""
    if model.backend == Backend.OFFLINE or not model.key_variable:
        return _("none needed")
    try:
        key_of(model)
    except InvalidInputError as error:
        missing = error.reason == "no_key"
        return badge(BAD, _("not in the environment") if missing else _("not an allowed name"))
    return badge(GOOD, _("in the environment"))


class ModelColumns(admin.ModelAdmin[ChatModel]):
    """The columns."""

    @admin.display(description=gettext_lazy("label"), ordering="label")
    def label_shown(self, model: ChatModel) -> str:
        if not model.from_environment:
            return model.label
        return format_html('{} <span class="quiet below">{}</span>', model.label, _("from the environment"))

    @admin.display(description=gettext_lazy("backend and key"), ordering="backend")
    def backend_shown(self, model: ChatModel) -> str:
        if model.backend == Backend.OFFLINE:
            return _("built in")
        try:
            host = urlsplit(model.base_url or OPENAI_URL).netloc.rpartition("@")[2]
        except ValueError:
            host = model.base_url
        key = key_state(model) if model.key_variable else _("without a key")
        return format_html('{} <span class="quiet below">{}</span>', host, key)

    @admin.display(description=gettext_lazy("model"), ordering="model_id")
    def model_shown(self, model: ChatModel) -> str:
        return format_html("<code>{}</code>", model.model_id) if model.model_id else NOTHING

    @admin.display(description=gettext_lazy("can"))
    def abilities(self, model: ChatModel) -> str:
        found = [(_("tools"), model.can_use_tools), (_("thinking"), model.can_think)]
        return ", ".join(name for name, can in found if can) or _("text only")

    @admin.display(description=gettext_lazy("default"))
    def default_shown(self, model: ChatModel) -> str:
        return badge(GOOD, _("default")) if model.is_default else ""

    @admin.display(description="")
    def links(self, model: ChatModel) -> str:
        url = reverse("admin:chat_chatmodel_test", args=[model.pk])
        return format_html('<a href="{}">{}</a>', url, _("Test"))

    @admin.display(description=gettext_lazy("key at present"))
    def key_described(self, model: ChatModel) -> str:
        note = _("Its value is never shown. It is read anew for each request, from the environment of the server.")
        return format_html('{} <span class="quiet below">{}</span>', key_state(model), note)

    @admin.display(description=gettext_lazy("learned so far"))
    def profile_shown(self, model: ChatModel) -> str:
        return profile_list(Profile.from_json(model.profile))


def profile_list(profile: Profile) -> str:
    """Return what was learned as a list."""
    known: list[Any] = [(sentence,) for sentence in words_of(profile)]
    if not known:
        return _("Nothing unusual: requests are sent in the standard form.")
    return format_html('<ul class="learned">{}</ul>', format_html_join("", "<li>{}</li>", known))
