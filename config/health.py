"""Whether this process lives, and whether it can serve."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse


def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as the process answers at all; touches nothing."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database is migrated and the channel layer takes messages, else 503 naming what is not."""
    problems: dict[str, str] = {}
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            problems["database"] = "migrations are missing: run `manage.py migrate`"
    except DatabaseError:
        problems["database"] = "cannot be reached"
    try:
        async_to_sync(_send_to_nobody)()
    except OSError:
        problems["channel_layer"] = "cannot be reached"
    return JsonResponse({"status": "unready" if problems else "ok", **problems}, status=503 if problems else 200)


async def _send_to_nobody() -> None:
    layer = get_channel_layer()
    if layer is not None:
        await layer.group_send("readiness", {"type": "readiness.check"})
