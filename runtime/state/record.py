"""Records, pairs and events: the elements of a position and of a journal.

A record is equal only to itself, and copies of a state share it. Later changes of its fields are stored in the state
(`State.amended`), never in the record, so that copies are independent.
"""

from typing import Any, NamedTuple

# Values are typed by the rule graph (runtime/graph/nodes/types.py), not by Python.
Value = Any


class Record:
    """A record as it was created: its type, its fields, and a serial number, by which records are ordered."""

    __slots__ = ("fields", "serial", "type")

    def __init__(self, type_: str, serial: int, fields: dict[str, Value]) -> None:
        """Create a record; a field that is left out is absent."""
        self.type = type_
        self.serial = serial
        self.fields = fields

    def __lt__(self, other: "Record") -> bool:
        return self.serial < other.serial

    def __repr__(self) -> str:
        return f"{self.type}({', '.join(f'{name}: {value!r}' for name, value in self.fields.items())})"


class Pairs(NamedTuple):
    """The pairs of one relation: partners by left and by right end, and payloads."""

    rights: dict[int, tuple[int, ...]]
    lefts: dict[int, tuple[int, ...]]
    payload: dict[tuple[int, int], Value]


class Sheet(NamedTuple):
    """The printed values and the origin of a piece, which a flip and a recovery change.

    `original_counter` is its counter before it was flipped, "" if it shows that one. `force` is its force on the
    scenario card, -1 if none; `area` and `arrives` are the hexes where that force is set up or enters, and the turn in
    which it enters (0: it is set up). `recovered_steps` counts those that it lost and has got back.
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
    recovered_steps: int = 0


class Event(NamedTuple):
    """One change of a state, from `old` to `new`; None means absent.

    `kind` is track, fact, mark, move, create, flip, recovery, pair, record, amend or clock. `key` is the track, status,
    relation, record type, field or clock field; `subject` the piece, hex, side, pair or record. The value of a move is
    (hex, place), that of a pair a tuple of its payload, that of a record its index in the list of its type.
    """

    kind: str
    key: str
    subject: Value
    old: Value
    new: Value
