"""Trust in certificates: one shared context, since loading the authorities is slow, and plain words for failures."""

from __future__ import annotations

import ssl
from functools import cache
from typing import TypeVar

import httpx

from agent_tools.guards.network_errors import TlsFailedError

Error = TypeVar("Error", bound=BaseException)

_MAX_WRAPPED = 10
# X509_V_ERR_* of OpenSSL's x509_vfy.h
_VERIFY_REASONS = {
    9: "its certificate is not valid yet",
    10: "its certificate has expired",
    18: "its certificate is self-signed",
    19: "its certificate comes from an authority that is not trusted here",
    20: "its certificate comes from an authority that is not trusted here",
    21: "its certificate comes from an authority that is not trusted here",
    23: "its certificate was revoked",
    62: "its certificate is for another name",
    64: "its certificate is for another address",
}


@cache
def shared_context() -> ssl.SSLContext:
    """Return the process's context: the authorities of certifi, or those that SSL_CERT_FILE or SSL_CERT_DIR name."""
    return httpx.create_ssl_context()


def tls_failure(name: str, error: BaseException) -> TlsFailedError:
    """Say in one sentence why there is no secure connection to `name`."""
    verification = behind(error, ssl.SSLCertVerificationError)
    if verification is not None:
        reason = _VERIFY_REASONS.get(
            verification.verify_code, f"its certificate is bad ({verification.verify_message})"
        )
        return TlsFailedError(f"No secure connection to {name}: {reason}.", details={"host": name})
    garbled = behind(error, ssl.SSLError) is not None and behind(error, ssl.SSLEOFError) is None
    reason = "the server does not speak TLS as it should" if garbled else "the server broke off the handshake"
    return TlsFailedError(f"No secure connection to {name}: {reason}.", details={"host": name})


def behind(error: BaseException | None, kind: type[Error]) -> Error | None:
    """Find the error of this kind that the libraries wrapped."""
    seen = 0
    while error is not None and seen < _MAX_WRAPPED:
        if isinstance(error, kind):
            return error
        error = error.__cause__ or error.__context__
        seen += 1
    return None
