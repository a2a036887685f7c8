"""A stack that notes what is asked of it, so that what was proved of one stack can serve another.

In: a rule graph, and what was kept of earlier ones. Out: the same graph with rooms (source/rooms.py) in the place of
its mappings. Stacks of a library share most of their nodes, and so does a stack with itself after an edit: what rests
on those alone is proved once.

What a graph holds in no room is the same for every name (facts that always hold, whether an option is loaded); it is
part of the key under which a finding is kept.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, TypeVar

from compiler.analysis.effort import limit
from compiler.analysis.verdicts import Read, Trace, Verdicts, content, digest
from compiler.source.kept import Kept
from compiler.source.rooms import MISSING, Room, made_once
from runtime.graph import nodes as graph

T = TypeVar("T")

# Whoever proves asks for these by name; of the rest a finding may not depend.
ROOMS = ("terms", "rules", "tables", "counters", "procedures")


@dataclass(frozen=True, slots=True)
class Watched:
    """A stack with its rooms. `around` is what every finding depends on besides what it is seen to ask for."""

    stack: graph.Graph
    rooms: list[Room[Any]]
    kept: Kept
    around: tuple[object, ...]
    mixed: bool  # Something stands on the games here.
    verdicts: Verdicts | None = None
    _wholes: dict[int, str] = field(default_factory=dict)  # hashes of whole rooms

    def room(self, named: dict[Any, T]) -> Room[T]:
        """Make one more room, for what follows from a stack by name."""
        made = Room(named)
        made.number, made.kept = len(self.rooms), self.kept
        self.rooms.append(made)
        return made

    def numbers(self, *names: str) -> tuple[int, ...]:
        """Give the numbers of rooms that are no part of the vocabulary."""
        return tuple(len(self.words) + ROOMS.index(name) for name in names)

    @property
    def words(self) -> tuple[int, ...]:
        """Give the numbers of the rooms of the vocabulary."""
        return tuple(range(len(fields(self.stack.vocabulary))))

    def once(self, what: str, thing: object, make: Callable[[], T], *more: object) -> T:
        """Give what follows from a node of the stack, made anew only if something it rests on has changed."""
        return made_once(self.kept, self.rooms, (what, id(thing), *self.around, *more), thing, make)

    def proved(self, what: str, thing: object, make: Callable[[], T], answers: Sequence[T], *more: str | bool) -> T:
        """Give what a proof about a node finds; that it is one of these answers is known to later processes, too."""
        return self.once(what, thing, partial(self._answer, what, thing, make, answers, more), *more)

    def _answer(
        self, what: str, thing: object, make: Callable[[], T], answers: Sequence[T], more: tuple[str | bool, ...]
    ) -> T:
        if self.verdicts is None:
            return make()
        around = (self._content(self.stack.always), str(self.mixed), str(limit()))
        key = digest(what, *map(str, more), *around, self._content(thing))
        for trace in self.verdicts.traces(key):
            if trace.answer < len(answers) and self._digest(trace.reads) == trace.digest:
                self.note(trace.reads)
                return answers[trace.answer]
        made = make()
        if made in answers:
            reads: tuple[Read, ...] = tuple(self.kept.seen or ())
            self.verdicts.add(key, Trace(reads, self._digest(reads), answers.index(made)))
        return made

    @contextmanager
    def noting(self) -> Iterator[dict[Read, Any]]:
        """Note what is asked of the stack meanwhile."""
        around, seen = self.kept.seen, dict[Read, Any]()
        self.kept.seen = seen
        try:
            yield seen
        finally:
            self.kept.seen = around
            if around is not None:
                around.update(seen)

    def note(self, reads: Iterable[Read]) -> None:
        """Read what an answer rests on that was not made by asking this stack, or not in this process."""
        for number, name in reads:
            if name is None:
                self.rooms[number].keys()
            else:
                self.rooms[number].get(name)

    def _digest(self, reads: Iterable[Read]) -> str:
        """Hash what a stack says under these names."""
        rooms = self.rooms
        return digest(
            *(
                self._whole(number) if name is None else self._content(rooms[number].named.get(name, MISSING))
                for number, name in reads
                if number < len(rooms)
            )
        )

    def _whole(self, number: int) -> str:
        if number not in self._wholes:
            members = self.rooms[number].named.items()
            self._wholes[number] = digest(*(part for name, value in members for part in (name, self._content(value))))
        return self._wholes[number]

    def _content(self, value: object) -> str:
        return self.kept.of("content", value, partial(content, value))


def watched(stack: graph.Graph, kept: Kept, verdicts: Verdicts | None = None) -> Watched:
    """Put rooms in the place of the mappings of a stack."""
    mixed = any(layer.kind != "base" for layer in stack.layers)
    made = Watched(stack, [], kept, (id(kept.one(stack.always)), mixed, limit()), mixed, verdicts)
    words = stack.vocabulary
    rooms: dict[str, Any] = {part.name: made.room(getattr(words, part.name)) for part in fields(words)}
    own: dict[str, Any] = {name: made.room(getattr(stack, name)) for name in ROOMS}
    return replace(made, stack=replace(stack, vocabulary=replace(words, **rooms), **own))
