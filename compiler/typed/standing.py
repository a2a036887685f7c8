"""What stands as it stood in an earlier stack: nothing that it was made from means anything else there.

Asking everything kept whether all its names still mean the same takes a while for a large stack. So what is made for
a stack is noted, and what its rooms of names held at the time; for the next stack like it the names that mean
something else are found once, and with them who asked for one of them (rooms.py). The rest is not looked at again.
"""

from collections.abc import Iterable
from typing import Any

from compiler.source.kept import Kept, Key
from compiler.source.rooms import Room, astray


class Standing:
    """What was made for a stack, under which key and from what; and what of it may be taken from an earlier one."""

    __slots__ = ("before", "made", "moments", "taken")

    def __init__(self, before: "Standing | None" = None) -> None:
        """Begin beside an earlier stack, if there is one."""
        self.before = before
        self.made: dict[Key, tuple[Any, object]] = {}
        self.moments: dict[str, dict[int, dict[str, object]]] = {}
        self.taken: dict[Key, tuple[Any, object]] = {}

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
                self.taken.pop(key, None)

    def finish(self) -> None:
        """Forget what this rested on, once everything is made."""
        self.before = None
        self.taken = {}
