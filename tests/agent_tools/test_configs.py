"""Configurations: checked where they enter, sealed at rest, loaded leniently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.fernet import Fernet

from agent_tools import configs
from agent_tools.contract.errors import ConfigError, UnavailableError, UnknownToolTypeError
from agent_tools.registry import registry
from tests.fakes.config_types import LINES, VaultConfig

SUBMITTED: dict[str, Any] = {
    "token": "t0ken-value",
    "headers": {"Authorization": "Bearer abc", "X-Key": "xyz-value"},
    "account": {"name": "ann", "password": "pa55-word"},
    "accounts": [{"name": "bob", "password": "b0b-word"}],
    "size": 7,
}
SECRETS = ("t0ken-value", "Bearer abc", "xyz-value", "pa55-word", "b0b-word")


@pytest.fixture(autouse=True)
def _vault_type() -> Iterator[None]:
    with registry.extended(LINES):
        yield


def stored() -> dict[str, Any]:
    return configs.prepare("vault", SUBMITTED)


def opened(config: dict[str, Any]) -> VaultConfig:
    loaded = configs.load("vault", config)
    assert isinstance(loaded, VaultConfig)
    return loaded


def test_no_secret_is_stored_or_shown_in_clear() -> None:
    for text in (json.dumps(stored()), json.dumps(configs.shown("vault", stored()))):
        assert not [secret for secret in SECRETS if secret in text]


def test_what_was_submitted_comes_back_when_loaded() -> None:
    loaded = opened(stored())
    assert loaded.size == 7
    assert sorted(configs.secret_values(loaded)) == sorted(SECRETS)


def test_an_absent_secret_is_kept_wherever_it_stands() -> None:
    again = configs.prepare("vault", {"account": {"name": "anna"}, "size": 8}, stored())
    loaded = opened(again)
    assert loaded.size == 8
    assert loaded.token is not None
    assert loaded.token.get_secret_value() == "t0ken-value"
    assert loaded.headers["X-Key"].get_secret_value() == "xyz-value"
    assert loaded.account.name == "anna"
    assert loaded.account.password is not None
    assert loaded.account.password.get_secret_value() == "pa55-word"


def test_the_mask_sent_back_keeps_the_secret() -> None:
    loaded = opened(configs.prepare("vault", configs.shown("vault", stored()), stored()))
    assert sorted(configs.secret_values(loaded)) == sorted(SECRETS)


def test_a_secret_that_a_fixture_or_an_older_version_left_in_clear_is_not_shown_and_is_sealed_when_saved() -> None:
    assert configs.shown("vault", SUBMITTED) == configs.shown("vault", stored())
    for submitted in ({"size": 8}, configs.shown("vault", SUBMITTED), SUBMITTED):
        again = configs.prepare("vault", submitted, SUBMITTED)
        assert not [secret for secret in SECRETS if secret in json.dumps(again)]
        assert {"t0ken-value", "Bearer abc", "pa55-word"} <= set(configs.secret_values(opened(again)))


def test_null_clears_one_secret_and_leaves_the_others() -> None:
    loaded = opened(configs.prepare("vault", {"token": None, "headers": {"X-Key": None}}, stored()))
    assert loaded.token is None
    assert set(loaded.headers) == {"Authorization"}


def test_null_for_the_whole_group_clears_all_its_secrets() -> None:
    assert opened(configs.prepare("vault", {"headers": None}, stored())).headers == {}


def test_a_new_value_replaces_the_secret() -> None:
    loaded = opened(configs.prepare("vault", {"token": "other"}, stored()))
    assert loaded.token is not None
    assert loaded.token.get_secret_value() == "other"


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"size": 0}, "size"),
        ({"size": "many"}, "size"),
        ({"colour": "red"}, "colour"),
        ({"account": {"nick": "x"}}, "account.nick"),
        ({"headers": {"X": 5}}, "headers.X"),
        ({"headers": {"X": {"$secret": "set"}}}, "headers.X"),
        ({"words": "one"}, "words"),
        ("text", ""),
        (["a"], ""),
        (None, ""),
    ],
)
def test_a_wrong_configuration_is_refused_naming_the_key(config: object, field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configs.prepare("vault", config)
    assert [problem.field for problem in caught.value.problems] == [field]
    assert caught.value.problems[0].message


def test_an_error_never_repeats_what_was_submitted() -> None:
    with pytest.raises(ConfigError) as caught:
        configs.prepare("vault", {"token": ["very-secret-thing"]})
    assert "very-secret-thing" not in str(caught.value)


def test_a_configuration_of_an_older_version_gets_the_new_defaults() -> None:
    loaded = opened({"gone": 1, "account": {"gone": 2, "name": "ann"}})
    assert (loaded.size, loaded.account.name) == (10, "ann")
    assert configs.shown("vault", {"gone": 1})["words"] == ["one"]


def test_a_stored_value_that_no_longer_fits_is_named_and_not_replaced() -> None:
    with pytest.raises(ConfigError, match="size"):
        configs.load("vault", {"size": 1000})


def test_a_secret_opens_with_an_older_key_and_not_without_it(settings: Any) -> None:
    old = settings.AGENT_TOOLS["SECRET_KEYS"]
    config, new = stored(), Fernet.generate_key().decode()
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": [new, *old]}
    assert configs.secret_values(opened(config))
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": [new]}
    with pytest.raises(ConfigError, match="TOOL_SECRET_KEYS"):
        configs.load("vault", config)
    assert configs.shown("vault", config)["token"] == {"$secret": "set"}


def test_without_a_key_a_secret_is_refused_with_the_remedy(settings: Any) -> None:
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": []}
    with pytest.raises(UnavailableError, match="make_secret_key"):
        configs.prepare("vault", {"token": "x"})
    assert configs.prepare("vault", {"size": 3})["size"] == 3


def test_an_unknown_type_is_refused_naming_the_known_ones() -> None:
    with pytest.raises(UnknownToolTypeError, match="vault"):
        configs.prepare("nothing", {})
