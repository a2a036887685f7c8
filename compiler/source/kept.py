"""What was worked out for one stack and may serve the next: stacks of a library share most of what they hold.

Everything is kept by the identity of the nodes it was made from, and the nodes come along, so that no other node can
take their place in memory. What a result rests on besides is noted while it is made (rooms.py); it serves again only
where all of that is the same. So nothing kept can change what comes out, and whoever throws it away loses time alone.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from threading import RLock
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

# A hundred large stacks, or an afternoon of edits. Beyond, everything is worked out anew.
MOST = 100_000
# What is made of many things at once is large itself.
MOST_LARGE = 300
# Some options and readings of one game, and another game or two.
MOST_RECENT = 12


# What was read, and what it meant: the number of a room and a name in it, or none for the whole room.
Seen = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Unit:
    """Something made for a stack: what it read of which room of names, and what it was made from."""

    reads: Seen
    wholes: Seen
    made: Any
    source: object


Key = tuple[object, ...]


class Archive(Protocol):
    """Where files as they were read outlive a program."""

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Give what a file of this name and text was read into, or read it."""


class Kept:
    """The store of one library. `same` gives one object for all that are equal; `seen` notes what is being read."""

    __slots__ = (
        "archive",
        "contents",
        "facts",
        "large",
        "lock",
        "ones",
        "readers",
        "recent",
        "same",
        "seen",
        "texts",
        "units",
    )

    def __init__(self, archive: Archive | None = None) -> None:
        """Begin with nothing but what an archive holds."""
        self.archive = archive
        self.units: dict[Key, list[Unit]] = {}
        self.facts: dict[tuple[Hashable, ...], tuple[object, Any]] = {}
        self.texts: dict[tuple[int, str | None] | str, tuple[object, bytes]] = {}
        self.contents: dict[tuple[str, str], object] = {}
        self.large: dict[tuple[Hashable, ...], tuple[object, Any]] = {}
        # The keys of what was made by asking for a name in a room, or for all of a room.
        self.readers: defaultdict[tuple[int, str | None], dict[Key, None]] = defaultdict(dict)
        self.recent: dict[str, list[tuple[Set[str], Any]]] = {}
        self.same: dict[Any, Any] = {}
        self.ones: set[int] = set()  # where in memory those stand that `same` gives
        self.seen: dict[tuple[int, str | None], Any] | None = None
        # Notes are taken for one stack at a time.
        self.lock = RLock()

    def __reduce__(self) -> "tuple[type[Kept], tuple[()]]":
        """Stay behind when a library goes elsewhere: identities mean nothing there."""
        return Kept, ()

    def of(self, what: str, thing: object, make: Callable[[], T], *more: Hashable) -> T:
        """Give what is to be known of a thing, given what more it depends on, whatever stack it is in."""
        key = (what, id(thing), *more)
        found = self.facts.get(key)
        if found is None:
            self.facts[key] = found = (thing, make())
        known: T = found[1]
        return known

    def of_all(self, what: str, things: tuple[object, ...], make: Callable[[], T]) -> T:
        """Give what is to be known of several things together."""
        key = (what, *map(id, things))
        found = self.facts.get(key)
        if found is None:
            self.facts[key] = found = (things, make())
        known: T = found[1]
        return known

    def of_many(self, what: str, things: tuple[object, ...], make: Callable[[], T], *more: Hashable) -> T:
        """Give what is made of a good part of a stack, of which the latest are kept."""
        key = (what, more, *map(id, things))
        found = self.large.pop(key, None) or (things, make())
        self.large[key] = found
        if len(self.large) > MOST_LARGE:
            del self.large[next(iter(self.large))]
        known: T = found[1]
        return known

    def like(self, what: str, layers: Set[str]) -> Any:
        """Give what is remembered of the stack most like the one of these layers, the latest of several."""
        found = self.recent.get(what)
        return min(reversed(found), key=lambda each: len(each[0] ^ layers))[1] if found else None

    def remember(self, what: str, layers: Set[str], thing: object) -> None:
        """Remember something of a stack for those that are like it; of each sort the latest are remembered."""
        found = self.recent.setdefault(what, [])
        found[:] = [each for each in found[-MOST_RECENT:] if each[0] != layers]
        found.append((layers, thing))

    def all_of(self, things: Iterable[T]) -> tuple[T, ...]:
        """Give one tuple for all that hold these very things."""
        held = tuple(things)
        return self.of_all("held", held, lambda: held)

    def one(self, value: T) -> T:
        """Give the one object that stands for all that are equal to a value."""
        if id(value) not in self.ones:
            value = self.same.setdefault(value, value)
            self.ones.add(id(value))
        return value

    def tidy(self, most: int = MOST) -> None:
        """Forget everything when it has become too much."""
        stores: tuple[dict[Any, Any], ...] = (self.units, self.facts, self.large, self.texts, self.same, self.contents)
        if sum(map(len, stores)) > most:
            for store in stores:
                store.clear()
            self.ones.clear()
            self.recent.clear()
            self.readers.clear()
