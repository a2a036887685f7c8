"""Rooms of names that note what is asked of them, so that what was made for one stack can serve another.

Noting what was read, rather than saying what may be read, leaves nothing to forget: a room gives its names in no other
way. Asking for a single name notes that name, there or not; going through a room notes the whole of it.
"""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, MutableMapping, Sequence, ValuesView
from operator import is_
from typing import Any, TypeVar, overload

from compiler.source.kept import Kept, Key, Unit

T = TypeVar("T")
M = TypeVar("M")

MISSING: Any = object()
# Where nobody takes notes.
UNHEARD = Kept()


class Room(MutableMapping[str, T]):
    """Names of one sort and what they mean in a stack."""

    __slots__ = ("_items", "fresh", "kept", "named", "number")

    def __init__(self, named: dict[str, T] | None = None) -> None:
        """Begin with what is named already."""
        self.named: dict[str, T] = {} if named is None else named
        self.fresh = set(self.named)  # what was named since meanings were made one
        self.kept = UNHEARD
        self.number = 0
        self._items: tuple[tuple[str, T], ...] | None = None  # of the whole room, until something else is named

    def __reduce__(self) -> "tuple[type[Room[T]], tuple[dict[str, T]]]":
        """Travel as what is named."""
        return type(self), (self.named,)

    def __getitem__(self, name: str) -> T:
        found: T = self.named.get(name, MISSING)
        if self.kept.seen is not None:
            self.kept.seen[self.number, name] = found
        if found is MISSING:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, default: None = None, /) -> T | None:
        """Give what a name means, or nothing."""

    @overload
    def get(self, name: str, default: T | M, /) -> T | M:
        """Give what a name means, or something else."""

    def get(self, name: str, default: T | M | None = None, /) -> T | M | None:
        """Give what a name means, if anything."""
        found = self.named.get(name, MISSING)
        if self.kept.seen is not None:
            self.kept.seen[self.number, name] = found
        return default if found is MISSING else found

    def __contains__(self, name: Any) -> bool:
        if self.kept.seen is not None:
            self.kept.seen[self.number, name] = self.named.get(name, MISSING)
        return name in self.named

    def __setitem__(self, name: str, value: T) -> None:
        self.named[name] = value
        self.fresh.add(name)
        self._items = None

    def __delitem__(self, name: str) -> None:
        del self.named[name]
        self.fresh.discard(name)
        self._items = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def keys(self) -> KeysView[str]:
        """List the names."""
        return self._whole().keys()

    def values(self) -> ValuesView[T]:
        """List what they mean."""
        return self._whole().values()

    def items(self) -> ItemsView[str, T]:
        """List both."""
        return self._whole().items()

    def _whole(self) -> dict[str, T]:
        if self.kept.seen is not None:
            if self._items is None:
                self._items = tuple(self.named.items())
            self.kept.seen[self.number, None] = self._items
        return self.named

    def settle(self) -> None:
        """Put in the place of every new meaning the one that stands for all equal to it."""
        one = self.kept.one
        for name in self.fresh:
            self.named[name] = one(self.named[name])
        self.fresh.clear()
        self._items = None

    def enter(self, named: Mapping[str, T]) -> None:
        """Name many things at once."""
        self.named.update(named)
        self.fresh.update(named)
        self._items = None

    def take_over(self, other: "Room[T]") -> None:
        """Name what another room names, with as much of it made one as is there."""
        self.named.update(other.named)
        self.fresh |= other.fresh
        self._items = None


def serves(known: Unit, rooms: Sequence[Room[object]]) -> bool:
    """Tell whether every name that was read means the same in these rooms."""
    for (number, name), value in known.reads.items():
        if rooms[number].named.get(name, MISSING) is not value:
            return False
    return all(tuple(rooms[number].named.items()) == whole for (number, _), whole in known.wholes.items())


def astray(kept: Kept, now: Mapping[int, dict[str, Any]], then: Mapping[int, dict[str, Any]]) -> set[Key]:
    """Give the keys of what read a name that means something else now than it did then.

    Both hold what is named in some rooms, by their numbers.
    """
    found: set[Key] = set()
    readers = kept.readers
    for number, here in now.items():
        there = then[number]
        if len(here) == len(there) and all(map(is_, here.values(), there.values())) and list(here) == list(there):
            continue
        other: set[str | None] = {name for name, value in here.items() if there.get(name, MISSING) is not value}
        other |= there.keys() - here.keys()
        if other or list(here) != list(there):
            other.add(None)
        for name in other:
            found.update(readers.get((number, name), ()))
    return found


# A rule of a shared core means something else in each family of games, and something more with some options.
MOST_READINGS = 12


def made_once(
    kept: Kept,
    rooms: Sequence[Room[Any]],
    key: Key,
    source: object,
    make: Callable[[], T],
    worth: Callable[[], bool] = lambda: True,
) -> T:
    """Make something, unless it was made before under this key and every name it read still means the same.

    `source` is what the identities in the key belong to. What is not `worth` it is made again every time. What is made
    inside of something else is kept by itself, and the other takes over what it read.
    """
    known = kept.units.setdefault(key, [])
    around = kept.seen
    for unit in known:
        if serves(unit, rooms):
            if around is not None:
                around.update(unit.reads)
                around.update(unit.wholes)
            was: T = unit.made
            return was
    seen: dict[tuple[int, str | None], Any] = {}
    kept.seen = seen
    try:
        made = make()
    finally:
        kept.seen = around
    if around is not None:
        around.update(seen)
    if worth():
        reads = {(number, name): value for (number, name), value in seen.items() if name is not None}
        wholes = {(number, name): whole for (number, name), whole in seen.items() if name is None}
        known.append(Unit(reads, wholes, made, source))
        for name in seen:
            kept.readers[name][key] = None
        del known[:-MOST_READINGS]
    return made
