"""Which rules hold for a user, and what a person allowed for one conversation."""

from __future__ import annotations

import uuid

from django.db.models import Q

from agent_tools.models import Grant, PermissionRule


def rules_for(user_id: int | None) -> list[PermissionRule]:
    """Return the enabled rules that are for everyone, for this user, or for one of the user's groups."""
    mine = Q(users=None, groups=None)
    if user_id is not None:
        mine |= Q(users=user_id) | Q(groups__user=user_id)
    return list(PermissionRule.objects.filter(mine, enabled=True).distinct())


def granted_slugs(session_id: uuid.UUID, user_id: int | None) -> set[str]:
    """Return the tools that this user allowed for the rest of this session."""
    mine = Q(user=None) if user_id is None else Q(user=user_id)
    granted = Grant.objects.filter(mine, session_id=session_id)
    return set(granted.values_list("tool_slug", flat=True))
