"""The one place where this app reads its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def _setting(name: str) -> Any:
    return settings.AGENT_TOOLS[name]


class Conf:
    """Read anew at each access, so that a test's overrides count."""

    @property
    def secret_keys(self) -> list[bytes]:
        """Fernet keys, newest first: the first encrypts, all decrypt. Empty where none is set."""
        keys = [str(key).encode() for key in _setting("SECRET_KEYS")]
        for position, key in enumerate(keys, 1):
            try:
                Fernet(key)
            except ValueError as error:
                raise ImproperlyConfigured(
                    f"TOOL_SECRET_KEYS: key {position} is no Fernet key (32 bytes in URL-safe base64)."
                ) from error
        return keys

    @property
    def tool_timeout(self) -> float:
        """Limit of one call in seconds where its type sets none."""
        return float(_setting("TOOL_TIMEOUT"))

    @property
    def log_output_bytes(self) -> int:
        """Size up to which a call's structured output is kept in its log row."""
        return int(_setting("LOG_OUTPUT_BYTES"))

    @property
    def duplicate_threshold(self) -> int:
        """The how-manyth equal call with an equal result is not run any more."""
        return int(_setting("DUPLICATE_THRESHOLD"))

    @property
    def permission_timeout(self) -> float:
        """Seconds a person has to answer a permission request."""
        return float(_setting("PERMISSION_TIMEOUT"))

    @property
    def user_agent(self) -> str:
        """What tools call themselves on the web."""
        return str(_setting("USER_AGENT"))

    @property
    def proxy(self) -> str:
        """Proxy for outgoing requests; empty for none. The environment's own proxies are never used."""
        return str(_setting("PROXY"))

    @property
    def workspaces_dir(self) -> Path:
        """Folder of the sessions' workspaces, one folder each."""
        return Path(_setting("WORKSPACES_DIR"))

    @property
    def library_dir(self) -> Path:
        """Folder of the library's files, which tools only read."""
        return Path(_setting("LIBRARY_DIR"))

    @property
    def skills_dir(self) -> Path:
        """Folder of the skills, which tools only read."""
        return Path(_setting("SKILLS_DIR"))

    @property
    def workspace_bytes(self) -> int:
        """Octets that one workspace may hold."""
        return int(_setting("WORKSPACE_BYTES"))

    @property
    def workspace_files(self) -> int:
        """Files and folders that one workspace may hold."""
        return int(_setting("WORKSPACE_FILES"))

    @property
    def sandbox(self) -> str:
        """How commands are kept apart: `auto`, one of `bubblewrap` and `unshare`, or `off`."""
        return str(_setting("SANDBOX"))

    @property
    def shell_without_isolation(self) -> str:
        """The words by which an operator accepts commands without isolation; empty for not."""
        return str(_setting("SHELL_WITHOUT_ISOLATION"))

    @property
    def hidden_dirs(self) -> tuple[Path, ...]:
        """Folders that no command may see: the project and its data."""
        return tuple(Path(path) for path in _setting("HIDDEN_DIRS"))

    @property
    def ports_factory(self) -> str:
        """Dotted path of the factory of ports for runs outside a conversation; empty for the refusing ones."""
        return str(_setting("PORTS_FACTORY"))


conf = Conf()
