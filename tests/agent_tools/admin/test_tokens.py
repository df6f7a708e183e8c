from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from agent_tools.models import ApiToken
from agent_tools.services.tokens import create_token, valid_token
from tests.fakes.staff import staff_client

TOKENS = "/admin/agent_tools/apitoken/"
EVERYTHING = ("view_apitoken", "add_apitoken", "change_apitoken", "delete_apitoken")


def key_in(response: Any) -> str:
    found = re.search(r"<pre[^>]*>([\w-]{43})</pre>", response.content.decode())
    assert found
    return found[1]


def test_a_new_key_is_shown_once_and_kept_nowhere(operator_client: Client, operator: User) -> None:
    response = operator_client.post(TOKENS + "add/", {"user": operator.pk, "name": "CI"})
    key = key_in(response)
    token = valid_token(key)
    assert token is not None
    assert (token.user, token.name) == (operator, "CI")
    assert "no-store" in response["Cache-Control"]
    assert key not in str(response.cookies)
    assert not [row for row in Session.objects.all() if key in str(row.get_decoded())]
    assert not [row for row in LogEntry.objects.all() if key in row.object_repr + row.change_message]
    for page in ("", f"{token.pk}/change/", f"{token.pk}/history/"):
        assert key not in operator_client.get(TOKENS + page).content.decode()


def test_a_token_can_expire_but_not_in_the_past(operator_client: Client, operator: User) -> None:
    soon = timezone.localtime() + timedelta(days=1)
    times = {"expires_at_0": f"{soon:%Y-%m-%d}", "expires_at_1": "00:00:00"}
    assert key_in(operator_client.post(TOKENS + "add/", {"user": operator.pk, "name": "a", **times}))
    past = {**times, "expires_at_0": "2020-01-01"}
    response = operator_client.post(TOKENS + "add/", {"user": operator.pk, "name": "b", **past})
    assert "This time has passed already." in response.content.decode()
    assert ApiToken.objects.count() == 1


def test_superusers_choose_among_those_the_api_lets_in(operator_client: Client, operator: User, person: User) -> None:
    response = operator_client.get(TOKENS + "add/")
    assert list(response.context["adminform"].form.fields["user"].queryset) == [operator]
    refused = operator_client.post(TOKENS + "add/", {"user": person.pk, "name": "x"})
    assert "user" in refused.context["adminform"].form.errors


def test_others_manage_their_own_alone(operator: User) -> None:
    theirs, _key = create_token(operator, "theirs")
    client = staff_client(*EVERYTHING)
    key = key_in(client.post(TOKENS + "add/", {"user": operator.pk, "name": "mine"}))
    mine = valid_token(key)
    assert mine is not None
    assert mine.user != operator
    assert [token.name for token in client.get(TOKENS).context["cl"].result_list] == ["mine"]
    assert client.get(f"{TOKENS}{theirs.pk}/change/").status_code == 302
    assert client.post(f"{TOKENS}{theirs.pk}/delete/", {"post": "yes"}).status_code == 302
    assert ApiToken.objects.filter(pk=theirs.pk).exists()


def test_a_token_is_renamed_its_user_and_key_stay(operator_client: Client, operator: User, person: User) -> None:
    token, key = create_token(operator, "old")
    data = {"name": "new", "user": person.pk, "digest": "x", "start": "x"}
    assert operator_client.post(f"{TOKENS}{token.pk}/change/", data).status_code == 302
    found = valid_token(key)
    assert found is not None
    assert (found.name, found.user) == ("new", operator)


def test_the_list_says_which_tokens_work(operator_client: Client, operator: User) -> None:
    create_token(operator, "good")
    token, _key = create_token(operator, "late")
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(days=1))
    text = operator_client.get(TOKENS).content.decode()
    assert text.count("icon-yes") == text.count("icon-no") == 1


def test_a_deleted_token_opens_nothing(operator_client: Client, operator: User) -> None:
    token, key = create_token(operator, "x")
    assert operator_client.post(f"{TOKENS}{token.pk}/delete/", {"post": "yes"}).status_code == 302
    assert valid_token(key) is None
