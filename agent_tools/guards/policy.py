"""What one tool may reach: its domain lists and opened networks, judged before a look-up and again at the address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from agent_tools.contract.errors import InvalidInputError, Problem
from agent_tools.guards.addresses import IPAddress, closed_by, dialable, effective, is_fake_ip, parse_address
from agent_tools.guards.domains import DomainPattern, DomainRules, parse_domain
from agent_tools.guards.hosts import is_local_name
from agent_tools.guards.network_errors import DomainNotAllowedError, NameNotFoundError, RefusedAddressError
from agent_tools.guards.networks import Networks, OpenedNetwork, parse_network
from agent_tools.guards.urls import Url

Parsed = TypeVar("Parsed")

_SETTING = "an operator can open it for this tool with allowed_networks"
_FAKE_IP_HINT = (
    "a proxy with fake-IP DNS (Clash, sing-box) on this machine is the usual cause: switch that mode off, or let an "
    "operator add 198.18.0.0/15 to allowed_networks"
)


@dataclass(frozen=True, slots=True)
class NetworkPolicy:
    """Domain lists and opened networks as an operator writes them; the default: every public host, no opened network.

    Raises InvalidInputError that names each entry that cannot be read (`allowed_networks.0`) and the remedy.
    """

    allowed_domains: tuple[str, ...] = ("*",)
    blocked_domains: tuple[str, ...] = ()
    allowed_networks: tuple[str, ...] = ()
    _domains: DomainRules = field(init=False, repr=False, compare=False)
    _networks: Networks = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        allowed: tuple[DomainPattern, ...] = _read("allowed_domains", self.allowed_domains, parse_domain, problems)
        blocked: tuple[DomainPattern, ...] = _read("blocked_domains", self.blocked_domains, parse_domain, problems)
        opened: tuple[OpenedNetwork, ...] = _read("allowed_networks", self.allowed_networks, parse_network, problems)
        if problems:
            raise InvalidInputError(problems)
        object.__setattr__(self, "_domains", DomainRules(allowed, blocked))
        object.__setattr__(self, "_networks", Networks(opened))

    def check(self, url: Url) -> None:
        """Refuse by name or literal address, before anything is looked up.

        Raises DomainNotAllowedError or RefusedAddressError.
        """
        if refusal := self._domains.refusal(url.host):
            raise DomainNotAllowedError(refusal, details={"host": url.host})
        if url.address is not None:
            self.vet(url.host, url.port, [url.host])
        elif is_local_name(url.host) and not self._networks.opened:
            raise RefusedAddressError(
                f"Refused {url.host}: it is a name of this machine or its local network, not of the public internet; "
                "give the host's full name.",
                details={"host": url.host, "rule": "local name"},
            )

    def vet(self, host: str, port: int, answers: Sequence[str]) -> tuple[IPAddress, ...]:
        """Return the addresses to dial for `host`, in order; all are refused where one is closed.

        Raises RefusedAddressError, or NameNotFoundError where there is no answer at all.
        """
        if not answers:
            raise NameNotFoundError(f"The name {host} has no address.", details={"host": host})
        vetted: dict[IPAddress, None] = {}
        for answer in answers:
            address = parse_address(answer)
            if address is None:
                raise _refused(host, answer, "an address with a scope, valid on one network link only", "")
            if rule := self._closed(host, port, address):
                raise _refused(host, answer, *rule)
            vetted[dialable(address)] = None
        return tuple(vetted)

    def _closed(self, host: str, port: int, address: IPAddress) -> tuple[str, str] | None:
        """Return the rule that closes the address and what can be done about it, or None."""
        opened = self._networks.cover(address, port)
        literal = parse_address(host) is not None
        rule = closed_by(address)
        if rule is None:
            # A search list of resolv.conf decides where a bare name leads: only opened networks are meant by one.
            local = not literal and is_local_name(host) and not opened
            return (
                ("a public address behind a name of the local network", "give the host's full name") if local else None
            )
        if not is_fake_ip(address):
            return None if rule.openable and opened else (str(rule), _SETTING if rule.openable else "")
        if literal:
            # Only the proxy knows which name such an address stands for, so that no domain list could hold.
            return str(rule), "fake-IP addresses stand for names: give the host's name"
        return None if opened else (str(rule), _FAKE_IP_HINT)


def _read(
    name: str, entries: Sequence[str], parse: Callable[[str], Parsed], problems: list[Problem]
) -> tuple[Parsed, ...]:
    read: list[Parsed] = []
    for index, entry in enumerate(entries):
        try:
            read.append(parse(entry))
        except ValueError as error:
            problems.append(Problem(f"{name}.{index}", str(error)))
    return tuple(read)


def _refused(host: str, answer: str, rule: str, remedy: str) -> RefusedAddressError:
    address = parse_address(answer)
    inner = "" if address is None or effective(address) == address else f", which is {effective(address)}"
    subject = answer if host == answer else f"{answer}, the address of {host}"
    return RefusedAddressError(
        f"Refused to connect to {subject}{inner}: {rule}{'; ' if remedy else ''}{remedy}.",
        details={"host": host, "address": answer, "rule": rule},
    )
