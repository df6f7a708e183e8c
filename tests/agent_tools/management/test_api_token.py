"""Tokens are made, listed and revoked on the command line."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from agent_tools.models import ApiToken
from agent_tools.services.tokens import valid_token


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("api_token", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_new_key_alone_is_printed_and_opens(operator: User) -> None:
    out, err = run("create", "operator", "--name", "laptop")
    key = out.strip()
    token = valid_token(key)
    assert token is not None
    assert (token.user, token.name, token.expires_at) == (operator, "laptop", None)
    assert key not in err
    assert "until it is revoked" in err


def test_a_key_is_stored_only_as_a_digest(operator: User) -> None:
    key = run("create", "operator", "--name", "laptop")[0].strip()
    assert key not in str(ApiToken.objects.values())


def test_a_token_may_expire(operator: User) -> None:
    run("create", "operator", "--name", "laptop", "--days", "30")
    expires = ApiToken.objects.get().expires_at
    assert expires is not None
    assert timedelta(days=29) < expires - timezone.now() <= timedelta(days=30)


@pytest.mark.parametrize("days", ["0", "-1", "3651"])
def test_a_life_out_of_bounds_is_refused(operator: User, days: str) -> None:
    with pytest.raises(CommandError, match="--days must be from 1 to 3650"):
        run("create", "operator", "--name", "laptop", f"--days={days}")
    assert not ApiToken.objects.exists()


def test_wrong_users_are_refused_by_name(person: User, operator: User) -> None:
    User.objects.filter(pk=operator.pk).update(is_active=False)
    for username, told in (("nobody", "no user 'nobody'"), ("person", "is no staff"), ("operator", "not active")):
        with pytest.raises(CommandError, match=told):
            run("create", username, "--name", "laptop")


@pytest.mark.parametrize("name", ["", "x" * 101])
def test_a_wrong_name_is_refused(operator: User, name: str) -> None:
    with pytest.raises(CommandError):
        run("create", "operator", "--name", name)


def test_tokens_are_listed_without_their_keys(operator: User) -> None:
    key = run("create", "operator", "--name", "laptop")[0].strip()
    run("create", "operator", "--name", "server")
    listed = run("list", "operator")[0]
    assert [line.split()[2] for line in listed.splitlines()] == ["NAME", "server", "laptop"]
    assert key not in listed
    assert key[:6] in listed
    assert run("list")[0] == listed


def test_a_revoked_key_opens_nothing(operator: User) -> None:
    key = run("create", "operator", "--name", "laptop")[0].strip()
    out, _err = run("revoke", str(ApiToken.objects.get().pk))
    assert "Revoked: laptop" in out
    assert valid_token(key) is None
    with pytest.raises(CommandError, match="no token 99"):
        run("revoke", "99")
