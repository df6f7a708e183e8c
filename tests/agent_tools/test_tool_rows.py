"""Tools as rows: what is refused wherever it enters, and what survives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from agent_tools.models import AgentTool, InstalledDefault
from agent_tools.registry import Registry, registry
from agent_tools.services import tools as services
from tests.fakes.config_types import LINES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _vault_type() -> Iterator[None]:
    with registry.extended(LINES):
        yield


def fields(**changes: Any) -> dict[str, Any]:
    return {"name": "Vault", "slug": "vault", "description": "d", "type": "vault", "config": {}, **changes}


def test_a_tool_is_created_with_the_defaults_of_the_table() -> None:
    tool = AgentTool.objects.get(pk=services.create_tool(**fields()).pk)
    assert (tool.enabled, tool.sort_order) == (True, 0)
    assert tool.created_at <= tool.updated_at


@pytest.mark.parametrize("slug", ["", "a b", "a.b", "é", "x" * 51, "a\n", "a/b", "ａ"])
def test_a_slug_that_a_provider_would_refuse_is_refused(slug: str) -> None:
    with pytest.raises(ValidationError) as caught:
        services.create_tool(**fields(slug=slug))
    assert "slug" in caught.value.message_dict


def test_the_database_keeps_the_form_of_a_slug_too() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        AgentTool.objects.bulk_create([AgentTool(**fields(slug="a b"))])


def test_two_tools_cannot_have_one_slug_but_one_type() -> None:
    services.create_tool(**fields())
    with pytest.raises(ValidationError, match=r"[Ss]lug"):
        services.create_tool(**fields())
    assert services.create_tool(**fields(slug="vault_2")).type == "vault"


@pytest.mark.parametrize(
    "way",
    [
        lambda config: AgentTool.objects.create(**fields(config=config)),
        lambda config: AgentTool.objects.bulk_create([AgentTool(**fields(config=config))]),
        lambda config: AgentTool(**fields(config=config)).save(),
        lambda config: AgentTool(**fields(config=config)).full_clean(),
        lambda config: AgentTool.objects.get_or_create(slug="other", defaults=fields(config=config)),
        lambda config: services.create_tool(**fields(config=config)),
    ],
    ids=["create", "bulk_create", "save", "full_clean", "get_or_create", "service"],
)
def test_a_wrong_configuration_is_refused_wherever_code_brings_it(way: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        way({"size": -1})
    assert caught.value.message_dict["config"] == ["size: Input should be greater than or equal to 1."]


def test_a_configuration_cannot_be_changed_past_the_checks() -> None:
    tool = services.create_tool(**fields())
    with pytest.raises(ValidationError):
        AgentTool.objects.filter(pk=tool.pk).update(config={"size": -1})
    with pytest.raises(ValidationError):
        AgentTool.objects.bulk_update([tool], ["config"])


def test_a_secret_is_sealed_on_every_way_in_and_kept_when_absent() -> None:
    tool = AgentTool.objects.create(**fields(config={"token": "s3cret-value", "size": 3}))
    assert "s3cret-value" not in json.dumps(AgentTool.objects.values_list("config", flat=True).get(pk=tool.pk))
    tool = AgentTool.objects.get(pk=tool.pk)
    services.update_tool(tool, {"config": {"size": 4}})
    config: Any = AgentTool.objects.get(pk=tool.pk).load_config()
    assert (config.size, config.token.get_secret_value()) == (4, "s3cret-value")


def test_saving_an_untouched_tool_changes_nothing_even_without_the_key(settings: Any) -> None:
    tool = AgentTool.objects.create(**fields(config={"token": "s3cret-value"}))
    before = AgentTool.objects.values_list("config", flat=True).get(pk=tool.pk)
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "SECRET_KEYS": []}
    tool = AgentTool.objects.get(pk=tool.pk)
    tool.enabled = False
    tool.save()
    assert AgentTool.objects.values_list("config", flat=True).get(pk=tool.pk) == before


def test_a_tool_whose_type_is_gone_can_still_be_disabled_and_deleted() -> None:
    with registry.extended({"gone": LINES["vault"]}):
        tool = AgentTool.objects.create(**fields(type="gone", slug="gone"))
    tool = AgentTool.objects.get(pk=tool.pk)
    tool.enabled = False
    tool.save()
    assert not AgentTool.objects.get(pk=tool.pk).enabled
    services.delete_tool(tool)


def test_an_unknown_type_is_refused_at_the_type() -> None:
    with pytest.raises(ValidationError) as caught:
        services.create_tool(**fields(type="nothing"))
    assert "type" in caught.value.message_dict


def test_the_type_of_a_tool_stays() -> None:
    tool = services.create_tool(**fields())
    with pytest.raises(ValidationError, match="another tool"):
        services.update_tool(tool, {"type": "fetch"})


def test_each_type_gets_its_default_once_and_a_deleted_one_does_not_come_back() -> None:
    first = services.install_default_tools()
    assert {tool.type for tool in first} == set(registry.types())
    assert AgentTool.objects.get(slug="vault").enabled is False
    assert AgentTool.objects.get(slug="fetch").enabled is True
    AgentTool.objects.get(slug="fetch").delete()
    assert services.install_default_tools() == []
    assert not AgentTool.objects.filter(slug="fetch").exists()


def test_a_default_does_not_take_the_slug_of_an_operators_tool() -> None:
    services.create_tool(**fields(slug="fetch"))
    assert "fetch" not in {tool.slug for tool in services.install_default_tools()}
    assert InstalledDefault.objects.filter(type="fetch").exists()


def test_a_line_that_leads_nowhere_is_named_with_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "misspelt.py").write_text("class Thing(:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    lines = {"a": "agent_tools.nowhere.Thing", "b": "agent_tools.registry.Nothing", "c": "misspelt.Thing"}
    broken = Registry(lines)
    for name in lines:
        with pytest.raises(Exception, match="cannot be loaded"):
            broken.get(name)
