"""Pages beside the form of a language model: testing its provider, forgetting what was learned."""

from __future__ import annotations

import uuid
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.admin.labels import BAD, DOUBTFUL, GOOD, badge
from chat.admin.model_columns import key_state, profile_list
from chat.models import Backend, ChatModel
from chat.services.models import OPENAI_URL, keep_profile
from chat.services.provider_checks import SECONDS, Report, check_provider
from chat.services.provider_verdicts import CheckName, Verdict

Admin = admin.ModelAdmin[ChatModel]


def try_provider(model_admin: Admin, request: HttpRequest, model_id: uuid.UUID) -> HttpResponse:
    """Show what will be tried, and on POST try it and keep what was learned; needs the permission to change models."""
    model = _changeable(model_admin, request, model_id)
    report: Report | None = None
    if request.method == "POST":
        report = async_to_sync(check_provider)(model)
        keep_profile(model.pk, report.profile)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Test this provider"),
        "subtitle": str(model),
        "opts": model_admin.opts,
        "original": model,
        "media": model_admin.media,
        "is_popup": False,
        "offline": model.backend == Backend.OFFLINE,
        "base_url": model.base_url or OPENAI_URL,
        "key": key_state(model),
        "names": [name.label for name in CheckName],
        "seconds": round(SECONDS),
        "report": report,
        "rows": _rows(report) if report else [],
        "profile": profile_list(report.profile) if report else "",
    }
    return TemplateResponse(request, "admin/chat/chatmodel/test.html", context)


def forget_profile(model_admin: Admin, request: HttpRequest, model_id: uuid.UUID) -> HttpResponse:
    """Forget what was learned of a model (POST); needs the permission to change models."""
    model = _changeable(model_admin, request, model_id)
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    ChatModel.objects.filter(pk=model.pk).update(profile={})
    model_admin.log_change(request, model, [{"changed": {"fields": [_("learned profile")]}}])
    model_admin.message_user(request, _("What was learned is forgotten; it is learned anew in use."), messages.SUCCESS)
    return HttpResponseRedirect(reverse("admin:chat_chatmodel_change", args=[model.pk]))


def _changeable(model_admin: Admin, request: HttpRequest, model_id: uuid.UUID) -> ChatModel:
    model = model_admin.get_queryset(request).filter(pk=model_id).first()
    if model is None:
        raise Http404
    if not model_admin.has_change_permission(request, model):
        raise PermissionDenied
    return model


def _rows(report: Report) -> list[dict[str, Any]]:
    verdicts = {
        Verdict.PASSED: (GOOD, _("passed")),
        Verdict.NOTED: (DOUBTFUL, _("works, but")),
        Verdict.FAILED: (BAD, _("failed")),
        Verdict.SKIPPED: ("skipped", _("not tried")),
    }
    return [
        {
            "label": check.name.label,
            "badge": badge(*verdicts[check.verdict]),
            "told": check.told,
            "advice": check.advice,
            "seconds": None if check.seconds is None else _("%(s).1f s") % {"s": check.seconds},
        }
        for check in report.checks
    ]
