"""Secrets are struck however they are written, and whatever part of them gives them away."""

from __future__ import annotations

import base64
import html
import json
from itertools import pairwise
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.text.striking import REMOVED, Striker

SECRET = 'pa"ss/w&rd+é'
TOKEN = "sk_live_a*b_c-D3f9+/xyzQ=="
BEARER = f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET),
        quote(quote(SECRET)),
        quote_plus(SECRET).lower(),
        'pa\\"ss/w&rd+é',
        'pa\\"ss/w&rd+\\u00e9',
        'pa\\"ss\\/w&rd+\\u00E9',
        json.dumps(json.dumps(SECRET))[3:-3],
        "pa&quot;ss/w&amp;rd+é",
        "pa&#34;ss&#x2F;w&amp;amp;rd&#43;&eacute;",
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
        quote(base64.b64encode(SECRET.encode()).decode()),
    ],
)
def test_a_secret_is_struck_in_every_form_it_is_written_in(form: str) -> None:
    assert Striker([SECRET]).text(f"x{form}y") == f"x{REMOVED}y"


@pytest.mark.parametrize(
    "form",
    [
        BEARER,
        TOKEN,
        "BEARER  " + TOKEN,
        quote(TOKEN),
        html.escape(TOKEN),
        TOKEN.replace("_", "\\_").replace("*", "\\*"),
        base64.b64encode(TOKEN.encode()).decode(),
    ],
)
def test_a_token_is_struck_without_its_scheme_too(form: str) -> None:
    struck = Striker([BEARER]).text(f"<p>{form}</p>")
    assert REMOVED in struck
    assert "live" not in struck
    assert "xyz" not in struck


@pytest.mark.parametrize(
    ("secret", "parts"),
    [
        ("sid=abcdef123456; theme=dark; csrf=0123456789", ["abcdef123456", "0123456789"]),
        ("Basic " + base64.b64encode(b"user:correct-horse").decode(), ["user:correct-horse", "correct-horse"]),
        ('Token token="abcdef123456"', ["abcdef123456"]),
        ("ApiKey abcdef123456", ["abcdef123456"]),
    ],
)
def test_what_gives_a_credential_away_is_struck_by_itself(secret: str, parts: list[str]) -> None:
    for part in parts:
        assert Striker([secret]).text(f"a {part} b") == f"a {REMOVED} b"
    assert Striker([secret]).text("a dark user reads a Basic token") == "a dark user reads a Basic token"


@given(st.binary(max_size=9), st.binary(max_size=9))
def test_a_secret_inside_of_base64_is_struck_wherever_it_stands(before: bytes, after: bytes) -> None:
    encoded = base64.b64encode(before + TOKEN.encode() + after).decode()
    struck = Striker([BEARER]).text(encoded)
    assert REMOVED in struck
    assert b"live" not in base64.b64decode(struck.split(REMOVED)[0] + "==")


def test_secrets_are_struck_from_keys_values_and_numbers() -> None:
    strike = Striker(["hunter2", "98765432"])
    assert strike.data({"a hunter2": ["hunter2", {"n": 98765432, "f": 1.5, "t": True}]}) == {
        f"a {REMOVED}": [REMOVED, {"n": REMOVED, "f": 1.5, "t": True}]
    }


def test_a_short_secret_is_struck_only_where_it_stands_alone() -> None:
    assert Striker(["pin"]).text("the pin is pinned") == f"the {REMOVED} is pinned"


def test_the_longer_of_two_secrets_is_struck_first() -> None:
    assert Striker(["token", "token-longer"]).text("token-longer") == REMOVED


def test_without_secrets_everything_stays() -> None:
    assert Striker(["", ""]).data({"a": 1}) == {"a": 1}
    assert Striker([]).piece("a", begins=False, ends=False) == "a"


def test_no_piece_of_a_text_shows_what_a_cut_has_left_of_a_secret() -> None:
    text = f"before {BEARER} between {TOKEN} after"
    strike = Striker([BEARER])
    for size in (5, 9, 15, 30):
        for start in range(size):
            borders = [0, *range(start or size, len(text), size), len(text)]
            pieces = [text[a:b] for a, b in pairwise(borders)]
            shown = [
                strike.piece(piece, begins=index == 0, ends=index == len(pieces) - 1)
                for index, piece in enumerate(pieces)
            ]
            assert not [piece for piece in shown if any(TOKEN[at : at + 4] in piece for at in range(len(TOKEN) - 3))]


def test_long_and_hostile_texts_are_struck_in_reasonable_time() -> None:
    strike = Striker([BEARER, SECRET])
    for part in ["Bearer ", "sk_", "\\", "%25", "&amp;", " ", "c2tf", "p"]:
        strike.text(part * 100_000)
