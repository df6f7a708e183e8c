"""Serves the toy model and offers it on the chat page for as long."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.llm.profile import Profile, SchemaLevel
from chat.models import Backend, ChatModel
from chat.services.model_defaults import settle_default
from chat.toy import server as toy

SERVER = Path(toy.__file__)
ROOT = SERVER.parents[2]
PYTHON = ROOT / ".venv-model" / "bin" / "python"
LABEL = "SmolLM2 135M (a toy)"


class Command(BaseCommand):
    help = "Serve a tiny language model on loopback (`make toy-model` installs it), and offer it until this ends."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--python", default=str(PYTHON), help="Interpreter of the environment that has the model.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            server = subprocess.Popen([options["python"], str(SERVER)], stdout=subprocess.PIPE, text=True)  # noqa: S603
        except OSError as error:
            raise CommandError(f"{error}. `make toy-model` installs it.") from error
        stopped: list[int] = []

        def end(number: int, _frame: FrameType | None) -> None:
            stopped.append(number)
            server.terminate()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        address = server.stdout.readline().strip() if server.stdout else ""
        try:
            if address:
                self._offer(address)
            code = server.wait()
        finally:
            ChatModel.objects.filter(label=LABEL).update(enabled=False, is_default=False)
            settle_default()
        if code and not stopped:
            raise CommandError(f"The model's server ended with {code}.")

    def _offer(self, address: str) -> None:
        ChatModel.objects.update_or_create(
            label=LABEL,
            defaults={
                "backend": Backend.OPENAI,
                "base_url": address,
                "model_id": toy.NAME,
                "key_variable": "",
                "context_window": toy.CONTEXT_TOKENS,
                "enabled": True,
                "sort_order": 900,
                # llama.cpp makes a grammar of the schemas, and silently none of one with a long maxLength.
                "profile": Profile(schema=SchemaLevel.PLAIN).as_json(),
            },
        )
        self.stdout.write(f"{LABEL} on {address} (stop with Ctrl-C). It is tiny and often wrong.")
        self.stdout.write("On the chat page choose it, switch the tools on, and write for example:")
        self.stdout.write("  Fetch http://127.0.0.1:8001/castor and summarise it        (with `make demo`)")
        self.stdout.write(f"Elsewhere: OPENAI_BASE_URL={address} OPENAI_MODEL={toy.NAME}")
        self.stdout.flush()
