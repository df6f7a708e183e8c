"""Why a file is not given."""

from __future__ import annotations

from agent_tools.contract.errors import RefusedError


class FileRefusedError(RefusedError):
    """A path or a file is refused, or is not there; `reason` says which: `path_refused` (its text), `outside_roots`,
    `not_found`, `not_a_file`, `not_a_folder`, `linked`, `read_only`, `too_large`, `changed`, `no_space`, `quota`,
    `unreadable`.
    """

    default_reason = "file_refused"
