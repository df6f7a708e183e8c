"""Writes the first `.env` with fresh keys. Standard library only: it runs before anything is installed."""

from __future__ import annotations

import base64
import os
import secrets
import sys
from pathlib import Path

TEMPLATE = """\
# Settings of this machine; README.md explains each. Made by `make run`, never to be shared.
ENVIRONMENT=development
SECRET_KEY={secret_key}
TOOL_SECRET_KEYS={tool_secret_key}
"""


def write(path: Path) -> bool:
    """Create the file, readable by its owner alone, unless it exists; tell whether it was created."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    fernet_key = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(TEMPLATE.format(secret_key=secrets.token_urlsafe(50), tool_secret_key=fernet_key))
    return True


if __name__ == "__main__":
    if write(Path(__file__).resolve().parent.parent / ".env"):
        sys.stdout.write("wrote .env with fresh keys\n")
