"""Steps that change the position: notes, marks, pieces, pairs and records."""

from compiler.source.nodes.expressions import Expression, Make
from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Assign:
    """`set x.track to e`."""

    span: Span
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Mark:
    """`mark x as status`; with `on` False, `unmark`."""

    span: Span
    subject: Expression
    status: Word
    on: bool


@dataclass(frozen=True, slots=True)
class Move:
    """`move x to h in place`."""

    span: Span
    subject: Expression
    to: Expression
    place: Word | None


@dataclass(frozen=True, slots=True)
class Flip:
    """`flip u` flips a counter to its back; with `to` "front", `restore u` flips it to its front."""

    span: Span
    subject: Expression
    to: str


@dataclass(frozen=True, slots=True)
class Remove:
    """`remove x`: the piece leaves the game; `move x off`: it leaves the map and may return."""

    span: Span
    subject: Expression
    for_good: bool = True


@dataclass(frozen=True, slots=True)
class Create:
    """`create stump named w at h of side`."""

    span: Span
    kind: Word
    name: Word | None
    at: Expression
    owner: Expression | None


@dataclass(frozen=True, slots=True)
class Pair:
    """`relate rides(a, b, payload)`; with `on` False, `unrelate`."""

    span: Span
    relation: Word
    left: Expression
    right: Expression
    payload: Expression | None
    on: bool


@dataclass(frozen=True, slots=True)
class Write:
    """`write r = run(unit: u, ...)`."""

    span: Span
    name: Word | None
    record: Make


@dataclass(frozen=True, slots=True)
class Strike:
    """`strike r`: deletes the record."""

    span: Span
    record: Expression


@dataclass(frozen=True, slots=True)
class Add:
    """`add e to x.track`, the track being a list or a set."""

    span: Span
    element: Expression
    target: Expression
