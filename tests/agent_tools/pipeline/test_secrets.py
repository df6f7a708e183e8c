from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from agent_tools.contract.events import Event
from agent_tools.pipeline.secrets import REMOVED, Striker
from tests.fakes.batches import call, make_tool, row_of, run, scope
from tests.fakes.ports import FakeSink, fake_ports

SECRET = 'pa"ss/w&rd+é'


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        'pa\\"ss/w&rd+é',
        'pa\\"ss/w&rd+\\u00e9',
        "pa&quot;ss/w&amp;rd+é",
        base64.b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_is_struck_in_every_form_it_is_written_in(form: str) -> None:
    assert Striker([SECRET]).text(f"x{form}y") == f"x{REMOVED}y"


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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["", "fail", "bug"])
async def test_an_operators_secret_is_in_nothing_that_leaves(way: str, caplog: pytest.LogCaptureFixture) -> None:
    await make_tool("secretive", config={"token": "hunter2-hunter2", "pin": "no1"})
    sink = FakeSink()
    [outcome] = await run(call("secretive", text=way), within=scope(fake_ports(sink=sink)))
    row = await row_of(outcome.call.id)
    told: list[Event] = sink.events
    everything = f"{outcome} {told} {row.__dict__} {caplog.text}"
    assert "hunter2-hunter2" not in everything
    assert way == "bug" or REMOVED in everything
    assert way or "pin [secret removed], token [secret removed], pinned" in outcome.result.content
