from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from django import forms
from pydantic import BaseModel, Field, SecretStr, create_model

from agent_tools.admin.schema_forms.build import SchemaFields
from agent_tools.admin.schema_forms.kinds import Kind
from agent_tools.contract.errors import Problem


class Inner(BaseModel):
    depth: int = 1
    again: Inner | None = None


class Outer(BaseModel):
    inner: Inner = Inner()
    must: Inner


def fields_of(annotation: Any, default: Any = ..., *, value: Any = None, sparse: bool = False) -> SchemaFields:
    model = create_model("Made", field=(annotation, default))
    values = {} if value is None else {"field": value}
    return SchemaFields(model.model_json_schema(), values, prefix="x__", sparse=sparse)


def kind_of(annotation: Any, value: Any = None) -> Kind:
    [plan] = fields_of(annotation, value=value).plans.values()
    return plan.kind


def sent(made: SchemaFields, **data: Any) -> dict[str, Any]:
    form = type("Form", (forms.Form,), dict(made.fields))(data)
    assert form.is_valid(), form.errors
    return made.read(form.cleaned_data)


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (str, Kind.TEXT),
        (str | None, Kind.TEXT),
        (Annotated[int, Field(ge=1)], Kind.INTEGER),
        (float, Kind.NUMBER),
        (int | float, Kind.NUMBER),
        (bool, Kind.SWITCH),
        (bool | None, Kind.CHOICE),
        (Literal["a"], Kind.CHOICE),
        (Literal[1, "a"] | None, Kind.CHOICE),
        (Literal["a"] | bool, Kind.CHOICE),
        (list[str], Kind.LINES),
        (tuple[int, ...], Kind.LINES),
        (set[float] | None, Kind.LINES),
        (frozenset[Literal["a", "b"]], Kind.CHOICES),
        (tuple[int, str], Kind.JSON),
        (list[list[str]], Kind.JSON),
        (list[str | None], Kind.JSON),
        (list[SecretStr], Kind.JSON),
        (dict[str, str], Kind.PAIRS),
        (dict[str, str] | None, Kind.PAIRS),
        (dict[str, int], Kind.JSON),
        (dict[str, Literal["a"]], Kind.JSON),
        (dict[str, SecretStr], Kind.SECRETS),
        (SecretStr | None, Kind.SECRET),
        (Inner | None, Kind.JSON),
        (str | dict[str, Any], Kind.MIXED),
        (int | Literal["auto"], Kind.MIXED),
        (Any, Kind.JSON),
        (dict[str, Any], Kind.JSON),
        (None, Kind.JSON),
    ],
)
def test_every_type_has_its_field(annotation: Any, kind: Kind) -> None:
    assert kind_of(annotation) is kind


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (list[str], ["two\nlines"]),
        (list[str], [" blanks "]),
        (list[str], [""]),
        (list[str], "no list"),
        (dict[str, str], {"a:b": "c"}),
        (dict[str, str], {"a": "two\nlines"}),
        (dict[str, str], ["no object"]),
        (str, 5),
        (bool, "yes"),
        (Inner, "no object"),
        (str | dict[str, Any], '{"a": 1}'),
    ],
)
def test_a_value_that_its_field_would_change_is_written_as_json(annotation: Any, value: Any) -> None:
    made = fields_of(annotation, value=value)
    [(name, field)] = made.fields.items()
    assert made.plans[name].kind is Kind.JSON
    assert sent(made, **{name: field.initial}) == {"field": value}


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (str | dict[str, Any], '{"a": 1}', {"a": 1}),
        (str | dict[str, Any], "{not json", "{not json"),
        (str | dict[str, Any], "[1]", "[1]"),
        (int | Literal["auto"], "5", 5),
        (int | Literal["auto"], "auto", "auto"),
        (int, " 7 ", 7),
        (int, "7.0", 7),
        (float, "1e3", 1000.0),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (Literal[1, "a"], '"a"', "a"),
        (Literal[1, "a"], "1", 1),
        (bool | None, "false", False),
    ],
)
def test_what_is_typed_becomes_the_value_that_is_meant(annotation: Any, text: str, value: Any) -> None:
    found = sent(fields_of(annotation), x__field=text)["field"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("annotation", "text"),
    [(int, "1.5"), (int, "x"), (float, "nan"), (float, "inf"), (int, "9" * 5000), (list[int], "1\nx"), (Any, "{")],
)
def test_what_has_no_value_is_an_error(annotation: Any, text: str) -> None:
    form = type("Form", (forms.Form,), dict(fields_of(annotation).fields))({"x__field": text})
    assert list(form.errors) == ["x__field"]


@pytest.mark.parametrize(
    ("annotation", "default", "whole", "sparse"),
    [
        (str, "d", {"field": ""}, {}),
        (str | None, "d", {"field": None}, {}),
        (int, 3, {}, {}),
        (int | None, 3, {"field": None}, {}),
        (list[str], ["d"], {"field": []}, {}),
        (dict[str, str], {"d": "d"}, {"field": {}}, {}),
        (bool, True, {"field": False}, {"field": False}),
        (bool | None, True, {"field": None}, {}),
        (SecretStr | None, None, {}, {}),
    ],
)
def test_an_empty_field_means_nothing_the_default_or_null(
    annotation: Any, default: Any, whole: dict[str, Any], sparse: dict[str, Any]
) -> None:
    assert sent(fields_of(annotation, default)) == whole
    assert sent(fields_of(annotation, default, sparse=True)) == sparse


def test_nested_objects_become_groups_and_recursion_ends() -> None:
    made = SchemaFields(Outer.model_json_schema(), {}, prefix="x__")
    assert [group.path for group in made.groups] == [(), ("inner",), ("must",)]
    assert made.plans["x__inner__again"].kind is Kind.JSON
    assert sent(made, x__inner__depth="4") == {"inner": {"depth": 4, "again": None}, "must": {"again": None}}
    sparse = SchemaFields(Outer.model_json_schema(), {}, prefix="x__", sparse=True)
    assert sent(sparse) == {"must": {}}


def test_names_that_would_collide_are_told_apart() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a__b": {"type": "string"},
            "a": {"type": "object", "properties": {"b": {"type": "string"}}},
            'quo"te <x>': {"type": "string"},
        },
    }
    made = SchemaFields(schema, {}, prefix="x__", sparse=True)
    assert sorted(made.fields) == ["x__a__b", "x__a__b_2", 'x__quo"te <x>']
    assert sent(made, x__a__b="1", x__a__b_2="2") == {"a__b": "1", "a": {"b": "2"}}


@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"type": "object", "properties": {"a": {}, "b": {"$ref": "#/$defs/none"}}}]
)
def test_a_bare_schema_is_no_problem(schema: dict[str, Any]) -> None:
    assert sent(SchemaFields(schema, {}, prefix="x__", sparse=True)) == {}


def test_problems_find_their_fields() -> None:
    made = SchemaFields(Outer.model_json_schema(), {}, prefix="x__")
    problems = [Problem("inner.depth", "too deep."), Problem("inner.again.depth", "no."), Problem("inner", "odd.")]
    assert list(made.place([*problems, Problem("", "all wrong."), Problem("other", "unknown.")])) == [
        ("x__inner__depth", "Too deep."),
        ("x__inner__again", "depth: no."),
        (None, "inner: odd."),
        (None, "All wrong."),
        (None, "other: unknown."),
    ]


def test_a_line_is_named_as_people_count() -> None:
    made = fields_of(list[str])
    assert list(made.place([Problem("field.1", "no host.")])) == [("x__field", "Line 2: no host.")]


def test_texts_from_a_schema_are_escaped_where_templates_print_them_raw() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "<b>", "default": "<i>"}}}
    field = SchemaFields(schema, {}, prefix="x__").fields["x__a"]
    assert field.help_text == "&lt;b&gt;. Default: &lt;i&gt;."
