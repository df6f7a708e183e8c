"""Rows that the admin shows and nobody edits."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

M = TypeVar("M", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin[M]):
    """Views and, with the permission to, deletes; adds and changes nothing, whatever is posted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        codes = [f"{self.opts.app_label}.{verb}_{self.opts.model_name}" for verb in ("view", "change")]
        return any(request.user.has_perm(code) for code in codes)
