"""The tree of a conversation's messages: which branch is on view, and which others there are beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID


class Node(NamedTuple):
    """A message without its text."""

    id: int
    parent_id: int | None
    role: str
    turn_id: UUID | None


@dataclass(frozen=True, slots=True)
class Siblings:
    """Where a message stands among those that take its place on other branches; `number` counts from 1."""

    number: int
    count: int
    previous: int | None
    following: int | None


class Tree:
    """The messages of one conversation by their parents."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = {node.id: node for node in sorted(nodes)}
        self._children: dict[int | None, list[Node]] = defaultdict(list)
        for node in self._nodes.values():
            self._children[node.parent_id].append(node)

    def path(self, leaf: int | None) -> list[Node]:
        """Return the branch that ends in `leaf`, root first; without a leaf, the newest message's branch."""
        if leaf not in self._nodes:
            leaf = max(self._nodes, default=None)
        found: list[Node] = []
        seen: set[int] = set()
        while leaf is not None and leaf in self._nodes and leaf not in seen:
            seen.add(leaf)
            found.append(self._nodes[leaf])
            leaf = self._nodes[leaf].parent_id
        return found[::-1]

    def siblings(self, message: int) -> Siblings:
        """Return the place of a message among those of the same role under the same parent."""
        node = self._nodes[message]
        same = [other.id for other in self._children[node.parent_id] if other.role == node.role]
        at = same.index(message)
        return Siblings(
            number=at + 1,
            count=len(same),
            previous=same[at - 1] if at else None,
            following=same[at + 1] if at + 1 < len(same) else None,
        )

    def answers(self, message: int) -> list[int]:
        """Return the first messages of the answers to `message`."""
        return [other.id for other in self._children[message] if other.role != "user"]

    def beside_the_answers(self, message: int) -> Siblings | None:
        """Return the place of a turn that left no message beside the stored answers to `message`, if there are any."""
        answers = self.answers(message)
        return Siblings(len(answers) + 1, len(answers) + 1, answers[-1], None) if answers else None

    def newest_leaf(self, message: int) -> int:
        """Return the message at which the newest branch through `message` ends."""
        seen: set[int] = set()
        while message not in seen and self._children[message]:
            seen.add(message)
            message = self._children[message][-1].id
        return message

    def __contains__(self, message: object) -> bool:
        return message in self._nodes
