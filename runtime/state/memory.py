"""Answers kept for as long as nothing they rest on has changed.

In: a `Question`, which says what parts of a position it reads. Out: a dict for its answers, by whatever
decided them. An event changes one part, and every question that reads that part begins afresh; the
others keep what they know. A question whose reading is unknown forgets at every event.

An event only notes the part and lays all memories aside; a memory is held against what has changed
when it is next asked for. So events cost the same however many questions there are, and looking an
answer up is one dict after the other.

Parts are named by `parts_of`: a track, a status or a fact by its key, where the pieces of a kind
stand, which of them are there at all, who is related, which records are written, one field of a type
of record, a hand of the clock.
"""

from collections.abc import Callable, Iterable
from typing import Any

from runtime.state.record import Event

Memory = dict[Any, Any]

# Answers kept for one question. A whole game asks less of any; a search through many positions may ask more.
MOST = 50_000

# Changes noted before everything is forgotten. Games have a few thousand; a search that makes and unmakes has no end.
LONGEST = 50_000


class Question:
    """A question of one compiled stack; equal only to itself, so stacks share maps but no answers.

    `reads` are the parts it reads; None where that cannot be told.
    """

    __slots__ = ("reads",)

    def __init__(self, reads: frozenset[str] | None = None) -> None:
        """Note what it reads."""
        self.reads = reads


class Answers(dict[Question, Memory]):
    """The memory of one state: questions asked since the last event, and those laid aside with when that was."""

    __slots__ = ("aside", "changes")

    def __init__(self) -> None:
        """Begin knowing nothing."""
        super().__init__()
        self.changes: list[str] = []
        self.aside: dict[Question, tuple[int, Memory]] = {}

    def happened(self, parts: Iterable[str]) -> None:
        """Note that parts have changed, and lay aside what has been asked since something last did."""
        if self:
            now, aside = len(self.changes), self.aside
            for question, memory in self.items():
                aside[question] = (now, memory)
            self.clear()
        self.changes.extend(parts)
        if len(self.changes) > LONGEST:
            self.forget()

    def forget(self) -> None:
        """Forget everything, where something has changed that is no part of the position."""
        self.clear()
        self.aside.clear()
        self.changes.clear()

    def __missing__(self, question: Question) -> Memory:
        found = self.aside.get(question)
        memory = found[1] if found and self.holds(question, found[0]) and len(found[1]) < MOST else {}
        self[question] = memory
        return memory

    def holds(self, question: Question, since: int) -> bool:
        """Say whether nothing that a question reads has changed since then."""
        changes = self.changes[since:]
        return not changes or (question.reads is not None and question.reads.isdisjoint(changes))


# Names of parts.


def standing(kind: str) -> str:
    """Name where the pieces of a kind stand."""
    return f"where {kind}"


def pairs(relation: str) -> str:
    """Name who is related."""
    return f"pairs {relation}"


def written(type_: str) -> str:
    """Name which records of a type are written."""
    return f"written {type_}"


def amended(type_: str, name: str) -> str:
    """Name a field of the records of a type."""
    return f"field {type_}.{name}"


def present(kind: str) -> str:
    """Name which pieces of a kind are on the map, have yet to come, or are gone."""
    return f"present {kind}"


# A track, a status and a fact are called by their keys.
PARTS: dict[str, Callable[[Event], str]] = {
    "track": lambda event: event.key,
    "fact": lambda event: event.key,
    "mark": lambda event: event.key,
    "pair": lambda event: pairs(event.key),
    "record": lambda event: written(event.key),
    "amend": lambda event: amended(event.subject.type, event.key),
    "clock": lambda event: f"game.{event.key}",
}


def parts_of(event: Event, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    """Name the parts that an event changes, given the kinds of all pieces; None where it is more than that."""
    if event.what == "move":
        kind = kinds[event.subject]
        (old, _), (new, _) = event.old, event.new
        # From hex to hex everybody who is there stays there.
        return (standing(kind),) if old >= 0 and new >= 0 else (standing(kind), present(kind))
    named = PARTS.get(event.what)
    return (named(event),) if named else None
