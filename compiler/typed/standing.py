"""What stands as it stood in an earlier stack: nothing that it was made from means anything else there.

Asking everything kept whether all its names still mean the same takes a while for a large stack. So what is made for
a stack is noted, and what its rooms of names held at the time; for the next stack like it the names that mean
something else are found once, and with them who asked for one of them (rooms.py). The rest is not looked at again.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from compiler.source.kept import Kept, Key
from compiler.source.rooms import MISSING, Room, astray

T = TypeVar("T")
Made = TypeVar("Made")


class Standing:
    """What was made for a stack, under which key and from what; and what of it may be taken from an earlier one.

    Of some sorts everything has a name, which comes second in its key: these are taken over together.
    """

    __slots__ = ("astray", "before", "made", "moments", "sorts", "taken")

    def __init__(self, before: "Standing | None" = None) -> None:
        """Begin beside an earlier stack, if there is one."""
        self.before = before
        self.made: dict[Key, tuple[Any, object]] = {}
        self.moments: dict[str, dict[int, dict[str, object]]] = {}
        self.taken: dict[Key, tuple[Any, object]] = {}
        self.astray: set[Key] = set()
        self.sorts: dict[str, tuple[Mapping[str, object], Mapping[str, Any]]] = {}

    def __reduce__(self) -> "tuple[type[Standing], tuple[()]]":
        """Stay behind when a world goes elsewhere, as what is kept does."""
        return Standing, ()

    def look_around(self, moment: str, kept: Kept, rooms: Iterable[Room[Any]]) -> None:
        """Find what stands as it stood; `rooms` are those that hold something else than at the moment before."""
        self.moments[moment] = now = {room.number: dict(room.named) for room in rooms}
        if self.before is not None:
            if len(self.moments) == 1:
                self.taken = dict(self.before.made)
            for key in astray(kept, now, self.before.moments[moment]):
                self.astray.add(key)
                self.taken.pop(key, None)

    def lasting(self, what: str, now: Mapping[str, object]) -> dict[str, Any]:
        """Give what was made of the very things that stand there `now`, unless it read a name that went astray."""
        if self.before is None or what not in self.before.sorts:
            return {}
        then, made = self.before.sorts[what]
        lost = {key[1] for key in self.astray if key[0] == what}
        return {
            name: made[name] for name, thing in now.items() if then.get(name, MISSING) is thing and name not in lost
        }

    def taken_over(self, what: str, things: Mapping[str, T], make: Callable[[T], Made]) -> dict[str, Made]:
        """Give what is made of each of these things, made anew only where it does not last."""
        lasting: dict[str, Made] = self.lasting(what, things)
        made = {name: lasting[name] if name in lasting else make(thing) for name, thing in things.items()}
        self.note(what, things, made)
        return made

    def altered(self, what: str, made: Mapping[str, Any]) -> list[Any]:
        """List what was made for one of the two stacks and not for the other."""
        _, then = self.before.sorts.get(what, ({}, {})) if self.before is not None else ({}, {})
        fresh = [each for name, each in made.items() if then.get(name) is not each]
        return fresh + [each for name, each in then.items() if made.get(name) is not each]

    def note(self, what: str, things: Mapping[str, object], made: Mapping[str, Any]) -> None:
        """Note all that was made of one sort, for the next stack."""
        self.sorts[what] = (things, made)

    def finish(self) -> None:
        """Forget what this rested on, once everything is made."""
        self.before = None
        self.taken = {}
        self.astray = set()
