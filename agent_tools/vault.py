"""Encrypts the secrets in tool configurations; keys come from the environment (Fernet: AES-128-CBC with HMAC)."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from agent_tools.conf import conf
from agent_tools.contract.errors import UnavailableError


def _fernet() -> MultiFernet:
    keys = conf.secret_keys
    if not keys:
        raise UnavailableError(
            "Secrets cannot be kept: set TOOL_SECRET_KEYS (make one with `manage.py make_secret_key`).",
            reason="no_secret_key",
        )
    return MultiFernet([Fernet(key) for key in keys])


def seal(secret: str) -> str:
    """Return the secret encrypted with the newest key, as URL-safe text."""
    return _fernet().encrypt(secret.encode()).decode("ascii")


def unseal(token: str) -> str:
    """Return the secret; raises `UnavailableError` when no key in the environment opens it."""
    try:
        return _fernet().decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnavailableError(
            "none of TOOL_SECRET_KEYS opens this secret; set it again or clear it.", reason="secret_not_readable"
        ) from error
