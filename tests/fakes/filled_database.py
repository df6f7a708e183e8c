"""Fills a fresh database for real processes: `python -m tests.fakes.filled_database MODEL_URL COUNT`.

The environment names the database. Prints as JSON the session key of a person and the ids of their conversations.
"""

from __future__ import annotations

import json
import os
import sys


def _main(model_url: str, count: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from agent_tools.models import AgentTool
    from agent_tools.registry import registry
    from chat.models import Conversation
    from tests.fakes.chat import model_at, sign_in
    from tests.fakes.marks import TYPES

    call_command("migrate", verbosity=0)
    with registry.extended(TYPES):
        for name in TYPES:
            AgentTool.objects.create(name=name, slug=name, type=name, description=name, enabled=True)
    person = User.objects.create_user("person")
    model = model_at(model_url)
    conversations = [Conversation.objects.create(user=person, model=model) for _ in range(count)]
    told = {"session": sign_in(person), "conversations": [str(each.pk) for each in conversations]}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]))
