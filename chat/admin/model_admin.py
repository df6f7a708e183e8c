"""Language models in the admin: where each is, what it can do, which is the default."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import Media
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.contract.errors import AgentToolsError
from chat.admin.assets import CHAT_MEDIA
from chat.admin.model_columns import ModelColumns
from chat.admin.model_examples import examples
from chat.admin.model_form import ModelForm, ModelListForm
from chat.admin.model_pages import forget_profile, try_provider
from chat.models import ChatModel
from chat.services.model_defaults import make_default, settle_default

FROM_ENVIRONMENT = ("backend", "base_url", "model_id", "key_variable")
WHERE = ("backend", "base_url", "model_id")
SHOWN = ("key_described", "profile_shown", "created_at", "updated_at")


@admin.action(description=gettext_lazy("Make the selected model the default"), permissions=["change"])
def choose_default(model_admin: ModelColumns, request: HttpRequest, queryset: QuerySet[ChatModel]) -> None:
    """Move the default to the one row that is selected."""
    chosen = list(queryset[:2])
    if len(chosen) != 1:
        model_admin.message_user(request, _("Select exactly one model."), messages.WARNING)
    elif not chosen[0].enabled:
        model_admin.message_user(request, _("A disabled model cannot be the default."), messages.ERROR)
    elif move_default(model_admin, request, chosen[0]):
        model_admin.log_change(request, chosen[0], [{"changed": {"fields": [_("default")]}}])


def move_default(model_admin: ModelColumns, request: HttpRequest, model: ChatModel) -> bool:
    """Make a model the default and say so, or say why not: somebody else may have been faster."""
    try:
        make_default(model.pk)
    except AgentToolsError:
        words = _("The default was not moved: this model was disabled or deleted meanwhile.")
        model_admin.message_user(request, words, messages.ERROR)
        return False
    words = _("%(label)s is the default now.") % {"label": model.label}
    model_admin.message_user(request, words, messages.SUCCESS)
    return True


@admin.register(ChatModel)
class ChatModelAdmin(ModelColumns):
    """Operators' way to the models that people may choose."""

    form = ModelForm
    list_display = (
        *("label_shown", "backend_shown", "model_shown", "abilities", "default_shown"),
        *("enabled", "sort_order", "links"),
    )
    list_display_links = ("label_shown",)
    list_editable = ("enabled", "sort_order")
    search_fields = ("label", "model_id", "base_url")
    ordering = ("sort_order", "label")
    actions = (choose_default,)

    @property
    def media(self) -> Media:
        return super().media + CHAT_MEDIA

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, **{"form": ModelListForm, **kwargs})

    def get_readonly_fields(self, request: HttpRequest, obj: ChatModel | None = None) -> tuple[str, ...]:
        return (*SHOWN, *FROM_ENVIRONMENT) if obj is not None and obj.from_environment else SHOWN

    def get_fieldsets(self, request: HttpRequest, obj: ChatModel | None = None) -> list[Any]:
        may_write = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        default = "make_default" if may_write else "is_default"
        key = [] if obj is None else ["key_described"]
        parameters = _("Parameters go into each request as they stand, beside those that this site sets itself.")
        prices = _("In the currency you account in. Costs are shown where a price is known.")
        found: list[Any] = [
            (None, {"fields": ["label", "enabled", default, "sort_order"]}),
            (_("Where it is"), {"fields": [*FROM_ENVIRONMENT, *key], "description": _where(obj)}),
            (_("What it can do"), {"fields": ["context_window", "can_use_tools", "can_think"]}),
            (
                _("Parameters"),
                {"fields": ["extra", "thinking_extra", "plain_extra"], "description": format_html("{}", parameters)},
            ),
            (_("Prices"), {"fields": ["input_price", "output_price"], "description": format_html("{}", prices)}),
        ]
        if obj is not None:
            found.append((_("Learned from its answers"), {"fields": ["profile_shown", "created_at", "updated_at"]}))
        return found

    def save_model(self, request: HttpRequest, obj: ChatModel, form: Any, change: bool) -> None:
        if change:
            self._save_changes(request, obj, form)
        else:
            obj.save()
        chosen = bool(form.cleaned_data.get("make_default")) and not obj.is_default
        if not (chosen and move_default(self, request, obj)):
            self._settle_default(request)

    def delete_model(self, request: HttpRequest, obj: ChatModel) -> None:
        super().delete_model(request, obj)
        self._settle_default(request)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ChatModel]) -> None:
        super().delete_queryset(request, queryset)
        self._settle_default(request)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<uuid:model_id>/test/", wrap(partial(try_provider, self)), name="chat_chatmodel_test"),
            path("<uuid:model_id>/forget/", wrap(partial(forget_profile, self)), name="chat_chatmodel_forget"),
        ]
        return [*own, *super().get_urls()]

    def _save_changes(self, request: HttpRequest, obj: ChatModel, form: Any) -> None:
        # Only what was changed is written: a turn may have learned something about the model meanwhile.
        names = {field.name for field in self.opts.concrete_fields} & set(form.changed_data)
        if names & set(WHERE) and obj.profile:
            obj.profile = {}
            names.add("profile")
            words = _("What was learned of the former model is forgotten.")
            self.message_user(request, words, messages.INFO)
        obj.save(update_fields={*names, "updated_at"})

    def _settle_default(self, request: HttpRequest) -> None:
        promoted = settle_default()
        if promoted is not None:
            words = _("There was no default: %(label)s is it now.") % {"label": promoted.label}
            self.message_user(request, words, messages.INFO)


def _where(model: ChatModel | None) -> str:
    if model is None or not model.from_environment:
        return examples()
    words = _(
        "This model comes from the environment: OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY say where it is, and "
        "each start sets this anew. It is enabled anew too, for as long as the environment names it."
    )
    return format_html("<p>{}</p>", words)
