"""Records, pairs and events: the small things a position is made of.

A record is equal only to itself, and stays the same through every copy of a state. What play
later changes in it is kept in the state (`State.amended`), never in the record, so that copies
cannot disturb each other.
"""

from typing import Any, NamedTuple

# Values are typed by the rule graph (runtime/graph/nodes/types.py), not by Python.
Value = Any


class Record:
    """A record as it was written: its type, its fields, and a serial number that orders records."""

    __slots__ = ("fields", "serial", "type")

    def __init__(self, type_: str, serial: int, fields: dict[str, Value]) -> None:
        """Fields left out are absent, not empty."""
        self.type = type_
        self.serial = serial
        self.fields = fields

    def __lt__(self, other: "Record") -> bool:
        return self.serial < other.serial

    def __repr__(self) -> str:
        return f"{self.type}({', '.join(f'{name}: {value!r}' for name, value in self.fields.items())})"


class Pairs(NamedTuple):
    """One relation: who stands to the right of whom and to the left, in the order they came, and payloads."""

    rights: dict[int, tuple[int, ...]]
    lefts: dict[int, tuple[int, ...]]
    payload: dict[tuple[int, int], Value]


class Sheet(NamedTuple):
    """What is printed on a piece, and where it comes from; only a flip changes it.

    `original_counter` is its counter before it was flipped, "" if it shows that one. `force` is its force on the
    scenario card, -1 if none; `area` and `arrives` are the hexes where that force is set up or enters, and the turn in
    which it enters (0: it is set up).
    """

    name: str
    kind: str
    counter: str
    side: str
    printed: dict[str, Value]
    traits: frozenset[str]
    force: int = -1
    area: tuple[int, ...] = ()
    arrives: int = 0
    original_counter: str = ""


class Event(NamedTuple):
    """One change of a state: `old` stood there, `new` stands there now. None means absent.

    what: track, fact, mark, move, create, flip, pair, record, amend, clock. `key` is the track, status,
    relation, record type, field or clock hand; `subject` the piece, hex, side, pair or record.
    A move is (hex, place); a related pair is a tuple of its payload; a record is its place in line.
    """

    what: str
    key: str
    subject: Value
    old: Value
    new: Value
