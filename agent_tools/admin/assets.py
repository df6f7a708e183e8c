"""The stylesheet and the module that the stock admin gets beside its own."""

from __future__ import annotations

from typing import Any

from django.forms import Media
from django.forms.widgets import Script

_MODULE: Any = Script("admin_extra/agent_tools.js", type="module")

EXTRA_MEDIA = Media(css={"all": ["admin_extra/agent_tools.css"]}, js=[_MODULE])
