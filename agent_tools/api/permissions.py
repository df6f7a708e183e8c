"""Who may do what: staff, with Django's permission for it, as in the admin."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

DEFAULT_VERBS: Mapping[str, tuple[str, ...]] = {
    "POST": ("add",),
    "PUT": ("change",),
    "PATCH": ("change",),
    "DELETE": ("delete",),
}
READING = ("view", "change")


class ModelPermission(BasePermission):
    """Demands staff, and of those who are no superusers any one of the permissions for the view's `permission_model`.

    Reading takes view or change, as in the admin; a view may name other verbs for a method in `permission_verbs`.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        if not (user.is_authenticated and user.is_staff):
            return False
        model: type[models.Model] = view.permission_model  # type: ignore[attr-defined]
        method = request.method or ""
        if method not in SAFE_METHODS and method not in view.allowed_methods:
            return True  # it is answered 405, which says more
        options = model._meta  # noqa: SLF001 - Django's public API in spite of its name
        names = [f"{options.app_label}.{verb}_{options.model_name}" for verb in _verbs(view, method)]
        if any(user.has_perm(name) for name in names):
            return True
        raise PermissionDenied(f"This needs the permission {' or '.join(names)}.")


def _verbs(view: APIView, method: str) -> tuple[str, ...]:
    verbs: Mapping[str, tuple[str, ...]] = {**DEFAULT_VERBS, **getattr(view, "permission_verbs", {})}
    return READING if method in SAFE_METHODS else verbs[method]
