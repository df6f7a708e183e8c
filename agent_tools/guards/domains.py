"""Which hosts a tool may speak to, by name: exact names, `*.example.com` for what lies under a name, `*` for all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent_tools.guards.addresses import effective, parse_address
from agent_tools.guards.hosts import ascii_host

_FORMS = "write example.com, *.example.com or *"
_NAMED_IN_ERRORS = 5


@dataclass(frozen=True, slots=True)
class DomainPattern:
    """One entry of a list; `suffix` is `.example.com` for a wildcard and empty for an exact `name`, both for `*`."""

    name: str
    suffix: str = ""

    def __str__(self) -> str:
        return f"*{self.suffix}" if self.suffix else self.name or "*"

    def matches(self, host: str) -> bool:
        """Whether the entry speaks of `host`, given as `host_key` writes it."""
        if self.suffix:
            return host.endswith(self.suffix)
        return self.name in {"", host}


@dataclass(frozen=True, slots=True)
class DomainRules:
    """Allowed and blocked hosts: blocked wins, an empty allowed list allows nothing; the default allows all."""

    allowed: tuple[DomainPattern, ...] = (DomainPattern(""),)
    blocked: tuple[DomainPattern, ...] = ()

    def refusal(self, host: str) -> str:
        """Say in a sentence why `host` (ASCII, no brackets or trailing dot) is out of bounds; empty if it is not."""
        key = host_key(host)
        if any(pattern.matches(key) for pattern in self.blocked):
            return f"The host {host} is blocked for this tool (blocked_domains)."
        if any(pattern.matches(key) for pattern in self.allowed):
            return ""
        return f"The host {host} is not among the domains allowed for this tool ({_listed(self.allowed)})."


def parse_domain(entry: str) -> DomainPattern:
    """Read one entry of a domain list, in any case and script; ValueError names the entry and the remedy."""
    text = entry.strip()
    if text == "*":
        return DomainPattern("")
    wildcard = text.startswith("*.")
    bare = text.removeprefix("*.")
    if bare.startswith("."):
        raise ValueError(f"'{entry}' begins with a dot; write *.{bare.strip('.')} for all names under it")
    if "*" in bare:
        raise ValueError(f"'{entry}' has a * where none can be; {_FORMS}")
    if "/" in bare or "@" in bare:
        raise ValueError(f"'{entry}' must be a bare host, without scheme, path or user; {_FORMS}")
    name = _host(entry, bare)
    if not wildcard:
        return DomainPattern(name)
    if parse_address(name) is not None:
        raise ValueError(f"'{entry}' puts a wildcard before an address; give the address alone")
    return DomainPattern("", f".{name}")


def parse_domains(entries: Iterable[str]) -> tuple[DomainPattern, ...]:
    """Read a whole list; ValueError at the first entry that is wrong."""
    return tuple(parse_domain(entry) for entry in entries)


def host_key(host: str) -> str:
    """Return the form in which hosts are compared: addresses as the IPv4 inside them where there is one."""
    address = parse_address(host)
    return host if address is None else str(effective(address))


def _host(entry: str, text: str) -> str:
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if parse_address(inner) is not None:
        return host_key(inner)
    if ":" in text:
        raise ValueError(f"'{entry}' must not have a port or scheme; {_FORMS}")
    try:
        return ascii_host(text)
    except ValueError as error:
        raise ValueError(f"'{entry}' is no host: {error}; {_FORMS}") from None


def _listed(patterns: tuple[DomainPattern, ...]) -> str:
    if not patterns:
        return "allowed_domains is empty"
    named = ", ".join(str(pattern) for pattern in patterns[:_NAMED_IN_ERRORS])
    more = len(patterns) - _NAMED_IN_ERRORS
    return f"allowed_domains: {named} and {more} more" if more > 0 else f"allowed_domains: {named}"
