"""A certificate authority for tests: a certificate for each name a scripted server is to be known by."""

from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_LOOPBACK = ("127.0.0.1", "::1")
_PEM = serialization.Encoding.PEM


class Authority:
    """Issues certificates; a server's context picks one by the name that TLS asks for.

    Without a name, or for a name that was not certified, the certificate is for the addresses only.
    """

    def __init__(self) -> None:
        self._ca = trustme.CA()
        self._addresses = [*_LOOPBACK]
        self._nameless = self._context(*self._addresses)
        self._contexts: dict[str, ssl.SSLContext] = {}
        self.asked: dict[ssl.SSLObject | ssl.SSLSocket, str | None] = {}

    def certify(self, *hosts: str, expired: bool = False) -> None:
        """Let the servers of this authority prove that they are each of these ASCII names and addresses."""
        addresses = [host for host in hosts if _is_address(host) and host not in self._addresses]
        if addresses:
            self._addresses += addresses
            self._nameless = self._context(*self._addresses)
        for name in hosts:
            if not _is_address(name) and (expired or name not in self._contexts):
                self._contexts[name] = self._context(name, expired=expired)

    def server_context(self) -> ssl.SSLContext:
        """Return a server's context."""
        context = self._context(*_LOOPBACK)
        context.sni_callback = self._choose
        return context

    def client_context(self) -> ssl.SSLContext:
        """Return a client's context that trusts this authority and no other."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._ca.configure_trust(context)
        return context

    def pem(self) -> bytes:
        """Return the authority's own certificate, for SSL_CERT_FILE."""
        return self._ca.cert_pem.bytes()

    def _choose(self, connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
        self.asked[connection] = name
        connection.context = self._contexts.get(name or "", self._nameless)

    def _context(self, *hosts: str, expired: bool = False) -> ssl.SSLContext:
        """Issue by hand: trustme holds names to IDNA 2008, which the names of some real sites break."""
        key = ec.generate_private_key(ec.SECP256R1())
        until = datetime.now(UTC) + timedelta(days=-1 if expired else 1)
        issuer = x509.load_pem_x509_certificate(self._ca.cert_pem.bytes())
        signer = serialization.load_pem_private_key(self._ca.private_key_pem.bytes(), None)
        assert isinstance(signer, ec.EllipticCurvePrivateKey)
        certificate = (
            x509.CertificateBuilder(issuer.subject, x509.Name([]), key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(until - timedelta(days=3))
            .not_valid_after(until)
            .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key()),  # type: ignore[arg-type]
                critical=False,
            )
            .sign(signer, hashes.SHA256())
        )
        pem = key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "chain.pem"
            path.write_bytes(pem + certificate.public_bytes(_PEM))
            context.load_cert_chain(path)
        return context


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _general_name(host: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(host)) if _is_address(host) else x509.DNSName(host)


@cache
def authority() -> Authority:
    """Return the authority that all scripted servers share unless given another."""
    return Authority()
