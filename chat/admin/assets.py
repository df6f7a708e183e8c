"""The stylesheets and the module of the chat's pages in the admin."""

from __future__ import annotations

from django.forms import Media

from agent_tools.admin.assets import EXTRA_MEDIA

CHAT_MEDIA = EXTRA_MEDIA + Media(css={"all": ["admin_extra/chat.css"]})
