"""Finds files whose names are near one that does not exist."""

from __future__ import annotations

import difflib
from itertools import islice

from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.roots import Place, Roots
from agent_tools.guards.files.walking import walk

MOST_NAMED = 3
MOST_WALKED = 5_000
LEAST_ALIKE = 0.6


def hint(roots: Roots, place: Place) -> str:
    """Return a sentence that names files like a missing one, in its folder or of its name elsewhere in the root;
    empty where there are none.
    """
    if not place.parts:
        return ""
    beside: dict[str, Place] = {}
    elsewhere: list[Place] = []
    wanted = place.parts[-1].casefold()
    try:
        for entry in islice(walk(roots, Place(place.root)), MOST_WALKED):
            if not entry.is_file:
                continue
            if entry.place.parts[:-1] == place.parts[:-1]:
                beside.setdefault(entry.name.casefold(), entry.place)
            elif entry.name.casefold() == wanted:
                elsewhere.append(entry.place)
    except FileRefusedError:
        return ""
    near = [beside[name] for name in difflib.get_close_matches(wanted, beside, MOST_NAMED, LEAST_ALIKE)]
    found = [*near, *elsewhere][:MOST_NAMED]
    return f" There is {' and '.join(each.shown for each in found)}." if found else ""
