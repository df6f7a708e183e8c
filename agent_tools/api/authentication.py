"""Who calls: a token in the Authorization header (RFC 6750)."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from agent_tools.models import ApiToken
from agent_tools.services.tokens import note_use, valid_token

SCHEMES = frozenset({b"bearer", b"token"})
LONGEST_KEY = 200


class TokenAuthentication(BaseAuthentication):
    """Takes `Authorization: Bearer KEY`, and `Token KEY` too. Every wrong key gets the same answer."""

    realm = "agent-tools"

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, ApiToken] | None:
        """Return the user and the token, or none when the header is for another scheme."""
        scheme, _separator, key = get_authorization_header(request).partition(b" ")
        if scheme.lower() not in SCHEMES:
            return None
        token = valid_token(_readable(key.strip()))
        if token is None:
            raise AuthenticationFailed(_("The token is wrong or has expired, or its user is not active."))
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'Bearer realm="{self.realm}"'


def _readable(key: bytes) -> str:
    return key[:LONGEST_KEY].decode("ascii", "replace")
