"""Piece charts: one row for each type of counter, and patches to them.

pieces: unit
cites: T.9
columns: [id, side, attack, movement, moves_as, traits]
rows:
  - [imp, elves, 4, 8, paw, [winged]]
  - {id: coach, side: elves, movement: 6, moves_as: hoof, cites: T.10}    # a row may name its columns
titles: {imp: Imp, coach: Coach and four}                             # what they are called
nicknames: {coach: [four-in-hand]}                                    # and what players call them, too

patch: unit
set: [{id: imp, column: attack, expect: 4, now: 5, cites: V.3}]
add counters: [{id: sledge, side: elves, movement: 9, moves_as: sleigh}]
add factors: {mood: {imp: 7, coach: 3}}                               # values of what a layer added to the kind
"""

from compiler.source.nodes.words import Scalar, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Counter(Node):
    """One type of counter: its printed values, its traits, and the nicknames that players use beside its title."""

    id: Word
    values: tuple[tuple[Word, Scalar], ...]
    traits: tuple[Word, ...]
    cites: tuple[Word, ...]
    nicknames: tuple[str, ...] = ()


@frozen_dataclass
class PieceChart(Node):
    """The counters of one kind that are declared in one file."""

    kind: Word
    cites: tuple[Word, ...]
    columns: tuple[Word, ...]
    rows: tuple[Counter, ...]


@frozen_dataclass
class PrintedChange(Node):
    """A changed value of one printed factor; `expects` must match."""

    id: Word
    column: Word
    expects: Scalar
    now: Scalar
    cites: tuple[Word, ...]


@frozen_dataclass
class AddedValue(Node):
    """What one counter shows of a factor that a layer added to its kind."""

    id: Word
    column: Word
    now: Scalar
    cites: tuple[Word, ...]


@frozen_dataclass
class PiecePatch(Node):
    """Changes of one layer to the counters of a layer below it."""

    kind: Word
    cites: tuple[Word, ...]
    add: tuple[Counter, ...]
    set: tuple[PrintedChange, ...]
    values: tuple[AddedValue, ...]
