"""Operators' rules for who may run what, and the grants that people gave in conversations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin.read_only import ReadOnlyAdmin
from agent_tools.models import Grant, PermissionRule
from agent_tools.pipeline.globs import matches
from agent_tools.selectors.tools import all_tools

MOST_NAMED = 8


def _examples() -> str:
    rows = [
        ("run_*", "", "", _("deny"), _("Nobody runs a tool whose slug begins with run_.")),
        ("fetch", "url", "https://*.example.org/*", _("allow"), _("No question for these addresses.")),
        ("file_*", "path", "*.env", _("ask the person"), _("Ask before such a file is written.")),
    ]
    head = format_html(
        "<tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th></th></tr>",
        *(_("Tools"), _("Argument"), _("Argument pattern"), _("Action")),
    )
    body = format_html_join(
        "",
        "<tr><td><code>{}</code></td><td><code>{}</code></td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
        rows,
    )
    rule = _(
        "Rules have no order: any deny wins, an allow lifts an ask, and without a rule the tool's own word counts. "
        "Arguments are judged as the model sent them and as hooks left them."
    )
    return format_html('<p>{}</p><div class="scroll"><table class="examples">{}{}</table></div>', rule, head, body)


class RuleForm(forms.ModelForm[PermissionRule]):
    """Refuses what can never match."""

    class Meta:
        model = PermissionRule
        fields = "__all__"  # noqa: DJ007 - the admin's fieldsets say which

    def clean_tool_pattern(self) -> str:
        pattern = str(self.cleaned_data["tool_pattern"]).strip()
        if any(letter.isspace() for letter in pattern):
            raise forms.ValidationError(_("A slug has no blanks: make one rule for each pattern."), code="invalid")
        return pattern


class RuleList(ChangeList):
    """Adds to a page of rules which tools they match now, in one query."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        slugs = _slugs()
        for rule in self.result_list:
            rule.fitting = [slug for slug in slugs if matches(rule.tool_pattern, slug)]


@admin.register(PermissionRule)
class PermissionRuleAdmin(admin.ModelAdmin[PermissionRule]):
    """Rules, with what they match at present."""

    form = RuleForm
    list_display = ("tool_pattern", "argument", "action", "reason", "people", "tools_now", "enabled")
    list_editable = ("enabled",)
    list_filter = ("action", "enabled")
    search_fields = ("tool_pattern", "argument_name", "argument_pattern", "reason")
    show_facets = admin.ShowFacets.NEVER
    filter_horizontal = ("users", "groups")
    ordering = ("tool_pattern", "action", "created_at")

    class Media:
        css = {"all": ["admin_extra/agent_tools.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[PermissionRule]:
        return super().get_queryset(request).prefetch_related("users", "groups")

    def get_fieldsets(self, request: HttpRequest, obj: PermissionRule | None = None) -> list[Any]:
        people = _("Without users and groups the rule is for everyone, calls without a user included.")
        which = {
            "fields": ["tool_pattern", "argument_name", "argument_pattern", "action", "reason", "enabled"],
            "description": _examples(),
        }
        whom = {"fields": ["users", "groups"], "description": format_html("{}", people)}
        return [(None, which), (_("For whom"), whom)]

    @admin.display(description=gettext_lazy("argument"))
    def argument(self, rule: PermissionRule) -> str:
        if not (rule.argument_name or rule.argument_pattern):
            return _("any")
        return format_html("{} <code>{}</code>", rule.argument_name or _("any"), rule.argument_pattern or "*")

    @admin.display(description=gettext_lazy("for whom"))
    def people(self, rule: PermissionRule) -> str:
        names = [*(str(user) for user in rule.users.all()), *(str(group) for group in rule.groups.all())]
        return _named(names) if names else _("everyone")

    @admin.display(description=gettext_lazy("tools now"))
    def tools_now(self, rule: PermissionRule) -> str:
        fitting: list[str] = getattr(rule, "fitting", [])
        return _named(fitting) if fitting else _("none")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return RuleList

    def save_model(self, request: HttpRequest, obj: PermissionRule, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not any(matches(obj.tool_pattern, slug) for slug in _slugs()):
            self.message_user(
                request, _("No tool has a slug like %(pattern)s now.") % {"pattern": obj.tool_pattern}, messages.WARNING
            )


@admin.register(Grant)
class GrantAdmin(ReadOnlyAdmin[Grant]):
    """What people allowed for the rest of a conversation; deleting one takes it back."""

    list_display = ("tool_slug", "user", "session_id", "created_at")
    list_display_links = ("tool_slug",)
    list_select_related = ("user",)
    search_fields = ("=session_id", "tool_slug", "user__username")
    search_help_text = gettext_lazy("A session id, a slug or a user's name.")
    ordering = ("-created_at", "-id")


def _slugs() -> list[str]:
    return list(all_tools().order_by("slug").values_list("slug", flat=True))


def _named(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return (
        _("%(names)s and %(count)d more") % {"names": shown, "count": len(names) - MOST_NAMED}
        if (len(names) > MOST_NAMED)
        else shown
    )
