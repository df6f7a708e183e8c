"""Tokens are found by their key alone, and their use is noted sparingly."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agent_tools.models import ApiToken
from agent_tools.services.tokens import create_token, note_use, revoke_token, valid_token


def test_a_key_finds_its_token_and_no_other(operator: User) -> None:
    token, key = create_token(operator, "one")
    _other, other_key = create_token(operator, "two")
    assert key != other_key
    assert valid_token(key) == token
    assert valid_token(token.digest) is None
    assert valid_token(token.start) is None
    assert valid_token("") is None


def test_finding_a_token_with_its_user_costs_one_query(operator: User) -> None:
    _token, key = create_token(operator, "one")
    with CaptureQueriesContext(connection) as queries:
        found = valid_token(key)
        assert found is not None
        assert found.user == operator
    assert len(queries) == 1


def test_a_nameless_token_is_refused(operator: User) -> None:
    with pytest.raises(ValidationError):
        create_token(operator, "")
    assert not ApiToken.objects.exists()


def test_a_token_is_valid_before_it_expires_and_not_after(operator: User) -> None:
    now = timezone.now()
    _token, late = create_token(operator, "late", now + timedelta(hours=1))
    _token, early = create_token(operator, "early", now - timedelta(hours=1))
    assert valid_token(late) is not None
    assert valid_token(early) is None


def test_a_use_within_the_minute_writes_nothing(operator: User) -> None:
    token, _key = create_token(operator, "one")
    note_use(token)
    with CaptureQueriesContext(connection) as queries:
        note_use(token)
    assert len(queries) == 0


def test_two_who_note_a_use_at_once_write_it_once(operator: User) -> None:
    token, _key = create_token(operator, "one")
    same = ApiToken.objects.get(pk=token.pk)
    note_use(token)
    first = ApiToken.objects.get(pk=token.pk).last_used_at
    note_use(same)
    assert ApiToken.objects.get(pk=token.pk).last_used_at == first


def test_a_revoked_token_is_gone(operator: User) -> None:
    token, key = create_token(operator, "one")
    revoke_token(token)
    assert valid_token(key) is None
