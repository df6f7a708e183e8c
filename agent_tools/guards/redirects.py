"""What a redirect makes of a request: its method, body, and which header fields may follow to another origin."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent_tools.guards.headers import Fields
from agent_tools.guards.network_errors import BadResponseError
from agent_tools.guards.response import Headers
from agent_tools.guards.urls import Url, resolve_location

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SEE_OTHER = 303
_KEPT_ELSEWHERE = frozenset({"accept", "accept-language", "user-agent"})
_OF_THE_BODY = frozenset({"content-type", "content-encoding", "content-language", "content-location"})


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One request to one URL, as a hop sends it."""

    url: Url
    method: str
    fields: Fields
    body: bytes


def redirect_target(outgoing: Outgoing, status: int, headers: Headers) -> Url | None:
    """Return where the response leads, None where it is an answer: another status, or no Location.

    Raises InvalidUrlError for a Location that cannot be followed, BadResponseError for several that differ.
    """
    locations = set(headers.get_all("location")) - {""}
    if status not in _REDIRECTS or not locations:
        return None
    if len(locations) > 1:
        raise BadResponseError(f"The server at {outgoing.url.host} redirects to several places at once.")
    return resolve_location(outgoing.url, locations.pop())


def redirected(outgoing: Outgoing, status: int, target: Url) -> Outgoing:
    """Return the request that follows a redirect (RFC 9110, 15.4, and the Fetch standard's HTTP-redirect fetch).

    To another origin only what describes no person goes along, and the type of a body that is sent again.
    """
    becomes_get = status == _SEE_OTHER if outgoing.method != "POST" else status in {301, 302, _SEE_OTHER}
    request = replace(outgoing, url=target)
    if becomes_get and outgoing.method != "HEAD":
        kept = tuple(field for field in outgoing.fields if field[0].lower() not in _OF_THE_BODY)
        request = replace(request, method="GET", body=b"", fields=kept)
    if target.origin != outgoing.url.origin:
        described = {"content-type"} if request.body else set()
        kept = tuple(field for field in request.fields if field[0].lower() in _KEPT_ELSEWHERE | described)
        request = replace(request, fields=kept)
    return request
