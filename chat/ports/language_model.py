"""Plain completions for tools, by the model in use."""

from __future__ import annotations

import json
from contextlib import aclosing
from functools import partial

from agent_tools.contract.errors import UnavailableError
from agent_tools.contract.ports import Completion, Prompt
from chat.database import in_database
from chat.llm.model import LanguageModel
from chat.llm.types import Message, Request, Response, Role
from chat.services.models import connect, default_model
from chat.services.steps import add_usage
from chat.turn.work import Work

AS_JSON = "Answer with one JSON value that fits this JSON Schema, and with nothing else:\n"


class TurnModel:
    """The `LanguageModel` port of a turn: its own model, over its own connections. What it uses counts to the step."""

    def __init__(self, work: Work) -> None:
        self._work = work

    async def complete(self, prompt: Prompt) -> Completion:
        response = await ask(self._work.model, prompt)
        add = partial(add_usage, number=self._work.step, usage=response.usage)
        await self._work.recorder.record(write=add)
        return completion_of(response)


class DefaultModel:
    """The `LanguageModel` port outside a conversation: the default model."""

    async def complete(self, prompt: Prompt) -> Completion:
        row = await in_database(default_model)
        if row is None:
            raise UnavailableError("No language model is enabled here.", reason="no_language_model")
        async with connect(row) as model:
            return completion_of(await ask(model, prompt))


async def ask(model: LanguageModel, prompt: Prompt) -> Response:
    """Ask a model once; raises `ProviderError`."""
    messages = [Message(role=Role(role), content=content) for role, content in prompt.messages]
    if prompt.schema is not None:
        wish = Message(role=Role.SYSTEM, content=AS_JSON + json.dumps(prompt.schema, ensure_ascii=False))
        messages.insert(0, wish)
    request = Request(messages=messages, max_tokens=prompt.max_tokens)
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, Response):
                return event
    raise AssertionError("the model's stream ended without a response")


def completion_of(response: Response) -> Completion:
    """Return a response as tools take it."""
    usage = response.usage
    used = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return Completion(text=response.text, usage=used)
