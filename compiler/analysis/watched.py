"""A stack that notes what is asked of it, so that what was proved of one stack can serve another.

In: a rule graph, and what was kept of earlier ones. Out: the same graph with rooms (source/rooms.py) in the place of
its mappings. Stacks of a library share most of their nodes, and so does a stack with itself after an edit: what rests
on those alone is proved once.

What a graph holds in no room is the same for every name (facts that always hold, whether an option is loaded); it is
part of the key under which a finding is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from compiler.analysis.effort import limit
from compiler.source.kept import Kept
from compiler.source.rooms import Room, made_once
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

    def room(self, named: dict[Any, T]) -> Room[T]:
        """Make one more room, for what follows from a stack by name."""
        made = Room(named)
        made.number, made.kept = len(self.rooms), self.kept
        self.rooms.append(made)
        return made

    def once(self, what: str, thing: object, make: Callable[[], T], *more: object) -> T:
        """Give what follows from a node of the stack, made anew only if something it rests on has changed."""
        return made_once(self.kept, self.rooms, (what, id(thing), *self.around, *more), thing, make)


def watched(stack: graph.Graph, kept: Kept) -> Watched:
    """Put rooms in the place of the mappings of a stack."""
    mixed = any(layer.kind != "base" for layer in stack.layers)
    made = Watched(stack, [], kept, (id(kept.one(stack.always)), mixed, limit()), mixed)
    words = stack.vocabulary
    rooms: dict[str, Any] = {part.name: made.room(getattr(words, part.name)) for part in fields(words)}
    own: dict[str, Any] = {name: made.room(getattr(stack, name)) for name in ROOMS}
    return replace(made, stack=replace(stack, vocabulary=replace(words, **rooms), **own))
