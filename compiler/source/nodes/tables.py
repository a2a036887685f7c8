"""Tables: charts with keyed cells, and patches to them.

A designer writes a grid, the first key down and the second across,

    table: price
    cites: T.3 .4                       # every cell inherits these unless it has its own
    reads: "the price of {row} for {column}"
    keys: {row: ground, column: gait}   # key name: its type
    cell: {cost: MP, barred: word}      # kinds of cells: a measure, or `word` for a bare word
    columns: [paw, hoof]
    grid:
      meadow: [1, 2]
      marsh: [{is: 3, cites: T.5}, barred]

or a list of rows, where a key left out accepts anything and a list or a range accepts several:

    table: recoil
    keys: {wand: wand, reach: 0..9 hexes}
    cell: pips
    hit: collect sum                    # unique (default), any, first, or collect with sum, min, max
    rows:
      - {wand: [long, short], reach: 0..4, is: 1}
      - {reach: 5..9, is: 1/2, cites: T.7}

Both become rows of accepted keys and one cell. A higher layer patches by key and states the expected content:

    patch: price
    cites: V.1
    set: [{row: marsh, column: paw, expect: 3, now: 2}]
    add columns: {sleigh: {cites: V.2, meadow: 1, marsh: 1}}    # for a table with two keys
    add rows: {fen: {cites: V.3, paw: 3, hoof: barred}}         # likewise; `{fen: 3}` for one key or all columns
    add rows: [{wand: staff, is: 2}]                          # for a row list
"""

from compiler.source.nodes.types import Parameter, Type
from compiler.source.nodes.words import Scalar, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class MatchRange(Node):
    """`5..9` as an accepted key: both ends included."""

    low: int
    high: int


Match = Word | MatchRange


@frozen_dataclass
class Row(Node):
    """One cell (of a grid, or of a line of a list of rows) and its keys; an omitted key accepts any value."""

    keys: tuple[tuple[Word, tuple[Match, ...]], ...]
    value: Scalar
    cites: tuple[Word, ...]


@frozen_dataclass
class Table(Node):
    """A chart. `cells` are the kinds of cells: (cost, MP as a `NameType`), (barred, None for a bare word).

    A plain `cell: pips` is one kind with the empty name.
    """

    name: Word
    cites: tuple[Word, ...]
    keys: tuple[Parameter, ...]
    cells: tuple[tuple[Word, Type | None], ...]
    hit: str  # unique | any | collect | first
    operator: str | None  # sum | min | max, with collect
    reason: str | None  # why `first`, which needs one
    title: str | None  # what the book heads it with
    edition: str | None  # the edition that alone prints it
    reads: str | None
    rows: tuple[Row, ...]


@frozen_dataclass
class CellChange(Node):
    """A changed value of one cell. `expects` must match, or the patch is rejected."""

    keys: tuple[tuple[Word, tuple[Match, ...]], ...]
    expects: Scalar
    now: Scalar
    cites: tuple[Word, ...]


@frozen_dataclass
class AddedLine(Node):
    """A new value of one key of a table, with its cells by the other key.

    It is a value of the first key, a row, or of the second, a column (`is_column`). A row may have one cell without
    another key: the only one of a table with one key, otherwise one for all values of the other keys.
    """

    name: Word
    is_column: bool
    cells: tuple[tuple[Word | None, Scalar, tuple[Word, ...]], ...]


@frozen_dataclass
class TitleChange(Node):
    """A changed title of a chart. `expects` must match, or the patch is rejected."""

    expects: str
    now: str


@frozen_dataclass
class TablePatch(Node):
    """Changes of one layer to a chart below it, `title` that of what the book heads it with.

    `kinds` are new kinds of cells, `add` single cells with all their keys. `lines` do not name the keys of the table,
    which are known where the table is resolved, so they are converted to cells later.
    """

    table: Word
    cites: tuple[Word, ...]
    kinds: tuple[tuple[Word, Type | None], ...]
    add: tuple[Row, ...]
    lines: tuple[AddedLine, ...]
    set: tuple[CellChange, ...]
    title: TitleChange | None = None
