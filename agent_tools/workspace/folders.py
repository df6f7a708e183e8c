"""The folders of workspaces: one for each conversation and its sub-agents, made when first needed, bounded in size."""

from __future__ import annotations

import uuid
from pathlib import Path

from agent_tools.conf import conf
from agent_tools.guards.files.roots import LIBRARY, SKILLS, WORKSPACE, Root, Roots


def folder_of(workspace_id: uuid.UUID) -> Path:
    """Return where a workspace's files are, whether or not there are any yet."""
    return conf.workspaces_dir / workspace_id.hex


def roots_of(workspace_id: uuid.UUID) -> Roots:
    """Return the roots that exist for a workspace's tools, with its folder made (mode 0700)."""
    folder = folder_of(workspace_id)
    conf.workspaces_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    return Roots(
        [Root(WORKSPACE, folder, writable=True), Root(LIBRARY, conf.library_dir), Root(SKILLS, conf.skills_dir)]
    )
