from __future__ import annotations

import uuid

import pytest

from chat.models import ChatModel
from chat.services.errors import MissingError, NotNowError
from chat.services.model_defaults import make_default, settle_default

pytestmark = pytest.mark.django_db


def model(label: str, **fields: object) -> ChatModel:
    return ChatModel.objects.create(label=label, model_id="m", **fields)


def defaults() -> list[str]:
    return list(ChatModel.objects.filter(is_default=True).values_list("label", flat=True))


def test_there_is_one_default_wherever_it_moves() -> None:
    one, two = model("one", is_default=True), model("two")
    for each in (two, one, one, two):
        make_default(each.pk)
        assert defaults() == [each.label]


def test_what_cannot_be_the_default_leaves_it_where_it_is() -> None:
    model("one", is_default=True)
    off = model("off", enabled=False)
    with pytest.raises(NotNowError):
        make_default(off.pk)
    with pytest.raises(MissingError):
        make_default(uuid.uuid4())
    assert defaults() == ["one"]


def test_a_default_is_found_where_there_is_none() -> None:
    assert settle_default() is None
    model("off", enabled=False, is_default=True, sort_order=-1)
    assert settle_default() is None
    assert defaults() == []
    model("late", sort_order=9)
    first = model("first", sort_order=1)
    assert settle_default() == first
    assert settle_default() is None
    assert defaults() == ["first"]
