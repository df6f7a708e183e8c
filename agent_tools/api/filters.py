"""Narrows the logged calls by what the query names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django_filters.fields import IsoDateTimeField
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.request import Request
from rest_framework.views import APIView

from agent_tools.api.errors import Finding, InvalidQueryError
from agent_tools.contract.calls import Door
from agent_tools.models import AgentToolLog
from agent_tools.models.log import LogStatus
from agent_tools.selectors.identifiers import row_id, uuid_or_none

Rows = QuerySet[AgentToolLog]


class MomentField(IsoDateTimeField):  # type: ignore[misc]
    """A time in ISO 8601 that exists in UTC too, in which rows are stored."""

    def to_python(self, value: Any) -> datetime | None:
        try:
            moment: datetime | None = super().to_python(value)
            return moment and moment.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error


class MomentFilter(django_filters.IsoDateTimeFilter):  # type: ignore[misc]
    """Compares with such a time."""

    field_class = MomentField


class ToolLogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The filters of the list; `from` is included in the time range, `to` is not."""

    tool = django_filters.CharFilter(method="of_tool", label="Tool: id or slug")
    status = django_filters.ChoiceFilter(choices=LogStatus.choices, label="Status")
    user = django_filters.CharFilter(method="of_user", label="User: id or name")
    session = django_filters.UUIDFilter(field_name="session_id", label="Session id")
    door = django_filters.ChoiceFilter(choices=[(door.value, door.value) for door in Door], label="Door")

    class Meta:
        model = AgentToolLog
        fields: list[str] = []

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        """Return the filters; `from` and `to` are added here since `from` is a word of Python."""
        since = MomentFilter(field_name="created_at", lookup_expr="gte", label="From (ISO 8601)")
        until = MomentFilter(field_name="created_at", lookup_expr="lt", label="Before (ISO 8601)")
        return {**super().get_filters(), "from": since, "to": until}

    def of_tool(self, rows: Rows, name: str, value: str) -> Rows:
        identifier = uuid_or_none(value)
        return rows.filter(tool_id=identifier) if identifier is not None else rows.filter(tool_slug=value)

    def of_user(self, rows: Rows, name: str, value: str) -> Rows:
        number = row_id(value)
        return rows.filter(user__username=value) if number is None else rows.filter(user_id=number)


class StrictFilterBackend(DjangoFilterBackend):  # type: ignore[misc]
    """Refuses wrong values and unknown parameters: a filter that is ignored shows the wrong rows."""

    def get_filterset_kwargs(self, request: Request, queryset: Rows, view: APIView) -> dict[str, Any]:
        return {"data": _mended(request.query_params), "queryset": queryset, "request": request}

    def filter_queryset(self, request: Request, queryset: Rows, view: APIView) -> Rows:
        filterset = self.get_filterset(request, queryset, view)
        known = {*filterset.filters, *view.further_parameters}  # type: ignore[attr-defined]
        findings = [
            Finding(f"There is no such parameter; known ones: {', '.join(sorted(known))}.", parameter=name[:50])
            for name in request.query_params
            if name not in known
        ]
        findings += [
            Finding(str(message), parameter=name) for name, messages in filterset.errors.items() for message in messages
        ]
        if findings:
            raise InvalidQueryError(findings)
        narrowed: Rows = filterset.qs
        return narrowed


def _mended(query: QueryDict) -> QueryDict:
    """Give back the + of a time zone, which a query not quoted turns into a blank."""
    mended = query.copy()
    for name in ("from", "to"):
        if name in mended:
            mended[name] = re.sub(r"(T.*) (\d\d:?\d\d)$", r"\1+\2", str(mended[name]))
    return mended
