"""Tokens of the REST API: made and revoked here; a key is shown once and kept nowhere."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agent_tools.admin.assets import EXTRA_MEDIA
from agent_tools.models import ApiToken


class TokenForm(forms.ModelForm[ApiToken]):
    """Refuses a token that would never work."""

    class Meta:
        model = ApiToken
        fields = ("user", "name", "expires_at")

    def clean_expires_at(self) -> Any:
        moment = self.cleaned_data["expires_at"]
        if moment is not None and "expires_at" in self.changed_data and moment <= timezone.now():
            raise forms.ValidationError(_("This time has passed already."), code="invalid")
        return moment


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin[ApiToken]):
    """People manage their own tokens, superusers everyone's."""

    form = TokenForm
    list_display = ("name", "start", "user", "created_at", "expires_at", "last_used_at", "works")
    list_select_related = ("user",)
    search_fields = ("name", "start")
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        tokens = super().get_queryset(request)
        return tokens if _is_superuser(request) else tokens.filter(user=cast("Any", request.user))

    def get_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> list[Any]:
        if obj is None:
            return ["user", "name", "expires_at"] if _is_superuser(request) else ["name", "expires_at"]
        return ["user", "name", "start", "created_at", "expires_at", "last_used_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> list[str]:
        return [] if obj is None else ["user", "start", "created_at", "last_used_at"]

    def formfield_for_foreignkey(self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "user":
            kwargs["initial"] = request.user.pk
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "user" and field is not None and field.queryset is not None:
            field.queryset = field.queryset.filter(is_staff=True, is_active=True)
            field.help_text = _("The API is open to staff only.")
        return field

    @admin.display(description=gettext_lazy("valid"), boolean=True)
    def works(self, token: ApiToken) -> bool:
        alive = token.expires_at is None or token.expires_at > timezone.now()
        return alive and token.user.is_active and token.user.is_staff

    def save_model(self, request: HttpRequest, obj: ApiToken, form: Any, change: bool) -> None:
        if not change:
            if not _is_superuser(request):
                obj.user_id = request.user.pk or 0
            setattr(obj, SHOWN, obj.new_key())
        super().save_model(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: ApiToken, post_url_continue: str | None = None) -> HttpResponse:
        """Show the key in the very answer: neither the session nor a cookie ever holds it."""
        context = {
            **self.admin_site.each_context(request),
            "title": _("The new token"),
            "opts": self.opts,
            "media": self.media + EXTRA_MEDIA,
            "is_popup": False,
            "token": obj,
            "key": getattr(obj, SHOWN),
        }
        return TemplateResponse(request, "admin/agent_tools/apitoken/key.html", context)


SHOWN = "_shown_key"


def _is_superuser(request: HttpRequest) -> bool:
    return request.user.is_active and bool(getattr(request.user, "is_superuser", False))
