"""One hand-written fake a port: what it was given is kept, what it answers is told by the test."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent_tools.contract.events import Event
from agent_tools.contract.permissions import Decision, PermissionAnswer, PermissionRequest
from agent_tools.contract.ports import Answer, Assignment, Completion, Ports, Prompt, Question, Report

E = TypeVar("E", bound=Event)
PATIENCE = 20.0


class FakeSink:
    """Keeps every event; `failing` is what it raises afterwards."""

    def __init__(self, *, failing: type[BaseException] | None = None) -> None:
        self.events: list[Event] = []
        self._failing = failing
        self._news = asyncio.Condition()

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        async with self._news:
            self._news.notify_all()
        if self._failing:
            raise self._failing

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, kind: type[E], count: int = 1) -> list[E]:
        """Return once there are so many events of one kind."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: len(self.of(kind)) >= count)
        return self.of(kind)


Decide = Callable[[PermissionRequest], Awaitable[PermissionAnswer]]


def decided(decision: Decision, reason: str = "", arguments_hash: str | None = None) -> Decide:
    """Return a person who always decides so, for the asked hash or for another."""

    async def decide(request: PermissionRequest) -> PermissionAnswer:
        bound_to = request.arguments_hash if arguments_hash is None else arguments_hash
        return PermissionAnswer(decision=decision, arguments_hash=bound_to, reason=reason)

    return decide


class FakeAsker:
    """A person who answers; `waiting` makes every answer wait until `answer_now` is called."""

    def __init__(self, *decisions: Decide, text: str = "yes", waiting: bool = False) -> None:
        self.questions: list[Question] = []
        self.requests: list[PermissionRequest] = []
        self.asked = asyncio.Event()
        self._decisions = list(decisions) or [decided(Decision.ALLOW_ONCE)]
        self._text = text
        self._answers = asyncio.Event()
        if not waiting:
            self._answers.set()

    def answer_now(self) -> None:
        self._answers.set()

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        self.asked.set()
        await self._answers.wait()
        return Answer(answered=True, text=self._text)

    async def permission(self, request: PermissionRequest) -> PermissionAnswer:
        self.requests.append(request)
        self.asked.set()
        await self._answers.wait()
        decide = self._decisions[min(len(self.requests), len(self._decisions)) - 1]
        return await decide(request)


class FakeLanguageModel:
    """Gives one scripted completion after the other, the last for ever."""

    def __init__(self, *texts: str) -> None:
        self.prompts: list[Prompt] = []
        self._texts = texts or ("",)

    async def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        return Completion(text=self._texts[min(len(self.prompts), len(self._texts)) - 1], usage={"total_tokens": 1})


class FakeDelegate:
    """A sub-agent that reports at once."""

    def __init__(self, summary: str = "done") -> None:
        self.assignments: list[Assignment] = []
        self._summary = summary

    async def run(self, assignment: Assignment) -> Report:
        self.assignments.append(assignment)
        return Report(summary=self._summary, finished=True, steps=1)


def fake_ports(*, sink: FakeSink | None = None, asker: FakeAsker | None = None) -> Ports:
    """Return four fakes, some of them the test's own."""
    return Ports(
        sink=sink or FakeSink(), asker=asker or FakeAsker(), model=FakeLanguageModel(), delegate=FakeDelegate()
    )
