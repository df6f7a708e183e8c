"""How fast the list of calls is on many rows, beside the list that Django gives by default.

Run: `python benchmarks/admin_logs.py [rows]` (200 000 by default; 2 000 000 takes some minutes and 1.5 GB).
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

FILL = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s)
INSERT INTO agent_tools_agenttoollog (call_id, session_id, tool_id, tool_slug, door, provider_call_id, input, output,
    content, status, reason, error_message, metadata, duration_ms, created_at, user_id)
SELECT printf('%%032x', i), printf('%%032x', i / 7), printf('%%032x', i %% 10), 'tool' || (i %% 10),
    CASE WHEN i %% 5 = 0 THEN 'api' ELSE 'chat' END, '',
    json_object('url', 'https://example.org/' || i), json_object('n', i), printf('%%.300c', 'x'),
    CASE WHEN i %% 1000 = 0 THEN 'denied' WHEN i %% 11 = 0 THEN 'error' ELSE 'success' END, '', '', '{}',
    (i * 37) %% 9000, strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', printf('-%%d seconds', (%s - i) * 2592000 / %s)), NULL
FROM n
"""

PAGES = {
    "first page, last 7 days": "",
    "all, 40 pages on": "?time=all&before={deep}",
    "status error": "?status=error",
    "status denied, all": "?status=denied&time=all",
    "one tool, failed": "?tool=tool3&status=error",
    "door": "?door=api",
    "text in the inputs": "?q=example.org/1234",
    "text that is nowhere": "?q=nowhere&time=all",
    "a call's id": "?q={call}",
}
DEFAULT_PAGES = {"default list": "", "default list, status error": "?status__exact=error"}


def timed(run: Callable[[], Any], times: int = 3) -> float:
    """Return the median of some runs in milliseconds."""
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append((time.perf_counter() - start) * 1_000)
    return statistics.median(taken)


def measure(rows: int) -> None:
    """Fill the table and time each page once warm."""
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute(FILL, [rows, rows, rows])

    from django.contrib import admin
    from django.contrib.auth.models import User
    from django.test import Client, RequestFactory

    from agent_tools.models import AgentToolLog

    class DefaultAdmin(admin.ModelAdmin[AgentToolLog]):
        list_display = ("created_at", "tool_slug", "status", "user")
        list_filter = ("tool_slug", "status")
        date_hierarchy = "created_at"

    user = User.objects.create_superuser("bench", "bench@example.org", "bench")
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    default = DefaultAdmin(AgentToolLog, admin.AdminSite("default"))

    def ours(query: str) -> None:
        response = client.get(f"/admin/agent_tools/agenttoollog/{query}")
        assert response.status_code == 200, response.status_code

    def theirs(query: str) -> None:
        request = RequestFactory().get(f"/{query}")
        request.user = user
        changelist = default.get_changelist_instance(request)
        list(changelist.result_list)
        for spec in changelist.filter_specs:
            list(spec.choices(changelist))
        from django.contrib.admin.templatetags.admin_list import date_hierarchy

        date_hierarchy(changelist)

    names = {"deep": rows - 2_000, "call": f"{rows // 2:032x}"}
    print(f"{rows:,} rows, {Path(connection.settings_dict['NAME']).stat().st_size / 1e6:,.0f} MB")
    results = {name: timed(partial(ours, query.format(**names))) for name, query in PAGES.items()}
    results["chart"] = timed(lambda: client.get("/admin/agent_tools/agenttoollog/chart/"))
    stock = {name: timed(partial(theirs, query), times=1) for name, query in DEFAULT_PAGES.items()}
    for name, taken in [*results.items(), *stock.items()]:
        print(f"{name:32} {taken:10.0f} ms")
    ratio = stock["default list"] / results["first page, last 7 days"]
    print(f"The default list takes {ratio:.0f} times as long as ours (whole page against its queries alone).")


def main() -> None:
    """Measure in a database that is gone afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=200_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        os.environ["DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        measure(rows)


if __name__ == "__main__":
    main()
