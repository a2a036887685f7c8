"""Steps that change the position: notes, marks, pieces, pairs and records."""

from compiler.source.nodes.expressions import Expression, Make
from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Assign(Node):
    """`set x.track to e`."""

    target: Expression
    value: Expression


@frozen_dataclass
class Mark(Node):
    """`mark x as status`; with `on` False, `unmark`."""

    subject: Expression
    status: Word
    on: bool


@frozen_dataclass
class Move(Node):
    """`move x to h in place`."""

    subject: Expression
    to: Expression
    place: Word | None


@frozen_dataclass
class Flip(Node):
    """`flip u` flips a counter to its back; with `to` "front", `restore u` flips it to its front."""

    subject: Expression
    to: str


@frozen_dataclass
class Remove(Node):
    """`remove x`: the piece leaves the game; `move x off`: it is off the map, perhaps `as lost`, and may return."""

    subject: Expression
    for_good: bool = True
    as_lost: bool = False


@frozen_dataclass
class Create(Node):
    """`create stump named w at h of side`."""

    kind: Word
    name: Word | None
    at: Expression
    owner: Expression | None


@frozen_dataclass
class Pair(Node):
    """`relate rides(a, b, payload)`; with `on` False, `unrelate`."""

    relation: Word
    left: Expression
    right: Expression
    payload: Expression | None
    on: bool


@frozen_dataclass
class Write(Node):
    """`write r = run(unit: u, ...)`."""

    name: Word | None
    record: Make


@frozen_dataclass
class Strike(Node):
    """`strike r`: deletes the record."""

    record: Expression


@frozen_dataclass
class Add(Node):
    """`add e to x.track`, the track being a list or a set."""

    element: Expression
    target: Expression


Change = Assign | Mark | Move | Flip | Remove | Create | Pair | Write | Strike | Add
