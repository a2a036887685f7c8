"""Boards: printed once and used by many situations.

Hexes are pointy-topped and in rows. `columns: [10, 11]` means that rows have alternately ten and eleven hexes
(one number: all rows are equal); `shift` is the direction in which every second row is shifted by half a hex.

    board: near_shore
    title: Near Shore
    numbering: {style: letter_number, columns: [10, 11], rows: 33, shift: left, prefix: "1"}
    terrain:                     # feature of hexes: where it is; B2..B5 is a run in one row or column
      wood: [A5, B2..B5]
      marsh: C4 C5 C6            # a plain text of names will do
    sides: {hedge: [A5/B5, A5/A6]}
    paths: {track: [A3-B4-C4, A9]}
    regions: {Old Mill: [C8, C9]}

A board's own document may omit the prefix: C8 for 1C8.

    outline: far_shore           # a board that is provided elsewhere: cards may name it and its hexes
    numbering: {style: letter_number, columns: [10, 11], rows: 33}

`letter_number` has names A1..Z9, AA1 (letters count rows), `ccrr` 0304 (column, row), `rrcc` the
reverse. A short board may be
drawn instead: `picture: {legend: {w: wood}, rows: [".ww.", "w..."]}`, one sign per hex, `.` for none.

What continues beyond the edge of a board is written with a direction (e, ne, nw, w, sw, se): `I9-I10-e` is a trail
that leaves it to the east, `I10/e` the hexside there. On a map it is connected with that of the adjacent board.

A board may have areas or points instead of hexes, with connections between them:

    board: marches
    kind: areas                  # or points; without `kind` hexes
    spaces:
      Fell: {is: [hill], outline: [[0, 0], [40, 0], [40, 30], [0, 30]]}    # a point has `at: [20, 15]`
      Depot: {is: camp, at: [60, 10], alone: yes}     # nothing leads there, and that is meant
    connections: [Fell-Gap-Moor, Gap to Carr]         # `to` leads one way; areas that share an edge need none
    closed: [Fell/Carr]          # areas that share an edge, and no way leads across it
    links: [Fell-Carr]           # ways between spaces, or hexes, that do not touch

Small boards of positions are written out in place, row below row, every second row half a hex to the right:

    board: {rows: [[A, B wood, C marsh], [D, E]], sides: {A/B: hedge}, paths: {track: [A-B-C]}}
"""

from compiler.source.nodes.examples import Connection, PathSetting, SideSetting
from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Numbering(Node):
    """The names and the number of hexes; `columns` for even and odd rows, counted from zero.

    `first` are the numbers of the first column and of the first row.
    """

    style: str  # letter_number | ccrr | rrcc
    columns: tuple[int, int]
    rows: int
    shift: str  # left | right
    prefix: str
    first: tuple[int, int] = (1, 1)


@frozen_dataclass
class Ground(Node):
    """A feature of hexes and where it is printed."""

    feature: Word
    hexes: tuple[Word, ...]


@frozen_dataclass
class Hexside(Node):
    """The side between two hexes, `A5/B5`."""

    a: Word
    b: Word


@frozen_dataclass
class HexsideFeature(Node):
    """A feature of hexsides and where it is printed."""

    feature: Word
    sides: tuple[Hexside, ...]


@frozen_dataclass
class Region(Node):
    """A named group of hexes."""

    name: Word
    hexes: tuple[Word, ...]


@frozen_dataclass
class Space(Node):
    """A space that is not a hex: a point has one corner, an area the corners of its outline, an undrawn space none.

    `alone`: the space is declared to have no connection.
    """

    name: Word
    features: tuple[Word, ...]
    corners: tuple[tuple[int, int], ...]
    alone: bool = False


@frozen_dataclass
class Board(Node):
    """A printed board: `kind` is hexes, areas or points. Each `PathSetting` is one unbroken trail.

    `closed` are common sides of areas that no path crosses; `links` connect what does not touch; oddities listed in
    `printed_so` are confirmed and not reported. A board of areas or points has a numbering without rows.
    """

    name: Word
    title: str
    cites: tuple[Word, ...]
    numbering: Numbering
    terrain: tuple[Ground, ...]
    sides: tuple[HexsideFeature, ...]
    paths: tuple[PathSetting, ...]
    regions: tuple[Region, ...]
    printed_so: tuple[Word, ...] = ()
    kind: str = "hexes"
    spaces: tuple[Space, ...] = ()
    connections: tuple[Connection, ...] | None = None  # None: as the outlines touch
    closed: tuple[Hexside, ...] = ()
    links: tuple[Connection, ...] = ()


@frozen_dataclass
class Outline(Node):
    """A board of which only the numbering is known; a `board` of the same name replaces it."""

    name: Word
    title: str
    cites: tuple[Word, ...]
    numbering: Numbering


@frozen_dataclass
class InlineBoard(Node):
    """A small board written in place: rows of (hex, its features), and spaces that are not hexes."""

    rows: tuple[tuple[tuple[Word, tuple[Word, ...]], ...], ...]
    sides: tuple[SideSetting, ...]
    paths: tuple[PathSetting, ...]
    spaces: tuple[Space, ...] = ()
    connections: tuple[Connection, ...] = ()


@frozen_dataclass
class BoardPlacement(Node):
    """One board of a map: its place, and whether it is rotated by 180 degrees.

    Boards of one `sheet` are adjacent; a row `[apart]` starts the next sheet.
    """

    board: Word
    row: int
    column: int
    turned: bool
    sheet: int = 0
