from __future__ import annotations

import pytest
from django.test import Client

from agent_tools.models import AgentTool
from agent_tools.toolbox.web.fetch_config import FetchConfig
from tests.fakes.browser_forms import filled_in

ADD = "/admin/agent_tools/agenttool/add/?type=fetch"


def test_a_fetch_tool_is_made_in_its_form(operator_client: Client, db: None) -> None:
    data = filled_in(operator_client.get(ADD).content.decode(), "agenttool_form") | {
        "slug": "fetch_docs",
        "config__default_method": "POST",
        "config__default_headers-0-key": "X-Key",
        "config__default_headers-0-new": "hush",
        "config__timeout": "5000",
        "config__allowed_domains": "docs.example.org\r\n*.example.com",
        "config__allowed_networks": "127.0.0.1/32:8080",
        "config__parse_mode": "raw",
    }
    response = operator_client.post(ADD, data)
    assert response.status_code == 302, response.context["adminform"].form.errors
    config = AgentTool.objects.get(slug="fetch_docs").load_config()
    assert isinstance(config, FetchConfig)
    assert (config.default_method, config.timeout, config.parse_mode) == ("POST", 5000, "raw")
    assert config.default_headers["X-Key"].get_secret_value() == "hush"
    assert config.allowed_domains == ("docs.example.org", "*.example.com")


@pytest.mark.parametrize(
    ("field", "typed", "error"),
    [
        ("timeout", "99", "greater than or equal to 100"),
        ("timeout", "soon", "Enter a whole number"),
        ("max_response_size", "0", "greater than or equal to 1"),
        ("allowed_domains", "good.example\r\nbad..example", "Line 2: "),
        ("allowed_networks", "10.0.0.0/99", "Line 1: "),
        ("parse_mode", "xml", "Select a valid choice"),
    ],
)
def test_each_error_stands_at_its_field(operator_client: Client, db: None, field: str, typed: str, error: str) -> None:
    data = filled_in(operator_client.get(ADD).content.decode(), "agenttool_form") | {f"config__{field}": typed}
    errors = operator_client.post(ADD, data).context["adminform"].form.errors
    assert list(errors) == [f"config__{field}"]
    assert error in errors[f"config__{field}"][0]
    assert not AgentTool.objects.exists()
