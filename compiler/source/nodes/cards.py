"""Cards: scenarios to be played, and positions to be asked about.

scenario: mill_race
title: The Mill Race
uses: toy+frost                       # the stack
cites: T.S1
map: [[near_shore, {board: far_shore, turned: yes}]]    # rows, west to east; behind `[apart]` another map
links: [1C9-Camp, Camp to 1C1]        # ways from board to board; `to` leads one way
turns: 8
set_up: [dwarves, elves]              # who sets up first; as in `order`, if left out
order: [elves, dwarves]               # who moves first in a turn
facts: {frost: yes, banks: {region: mill}}    # tracks of the scenario; sets of hexes as areas, too
regions: {mill: [1C9, 1C10], north: {rows: 1..9}}   # sets of hexes of its own, `scenario.mill` to its conditions
gaps: [What the relief may do is not known; it enters in turn 2.]
forces:
  - side: elves
    units: {imp: 3, coach: 1}
    sets_up: {board: near_shore, columns: 1..4}
    relations: {rides: [{mount: coach, riders: [imp, imp]}]}   # as the game begins, by counters or names
  - {side: dwarves, group: Relief, units: {coach: 2}, enters: {edge: east, turn: 2}}
  - {side: dwarves, placed: [{unit: imp, name: guard, at: 1C9, in: trench}]}
hexes: {mill: {misty: yes}}           # how hexes, or those of a region, start
sides: {elves: {apples: 3}}
victory: {elves: {narrow: "count(u in all unit where u.side = dwarves) = 0"}}
special: |
  rule mill-hop [T.S1] "The mill race can be jumped." hex is narrow when hex is brook

patch: mill_race                      # a layer changes a card
turns: {expect: 8, now: 10}           # `order` and `set_up` likewise
facts: [{fact: frost, expect: yes, now: no}, {fact: ice, now: yes}]    # one that is new expects nothing
regions: [{region: mill, expect: [1C9, 1C10], now: [1C9], cites: V.2}]
forces:
  - {side: elves, unit: imp, expect: 3, now: 2, cites: V.3}
  - {side: dwarves, group: Relief, enters: {expect: {edge: east, turn: 2}, now: {edge: east, turn: 4}}}
victory: [{side: elves, level: narrow, expect: "..", now: "count(u in all imp) > 1"}]

position: at-the-mill
stack: toy+frost
game: {turn: 3, player: elves, phase: movement}
board: {rows: [[A, B wood]]}          # or placements of printed boards, as in `map` above
pieces: [{name: L, type: imp, side: elves, at: A, in: trench, sleepy: yes}]
relations: {rides: [{mount: W, riders: L}]}
records: {patrol: [{unit: L, due: 4}]}
hexes: {B: {misty: yes}}
sides: {elves: {apples: 3}}
"""

from typing import Any

from compiler.source.nodes.boards import BoardPlacement, InlineBoard
from compiler.source.nodes.examples import Connection
from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.files import Statement
from compiler.source.nodes.tables import MatchRange
from compiler.source.nodes.words import Scalar, Value, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class WithinDistance(Node):
    """`within: 2, of: mill`, `beyond: 2, of: [mill, 1C9]`: at most, or more than, a distance from hexes or regions."""

    most: int | None
    more_than: int | None
    of: tuple[Word, ...]


@frozen_dataclass
class ConnectedArea(Node):
    """`around: 1A1, up_to: brook`: the hexes reachable from a hex without entering hexes with such features."""

    around: Word
    up_to: tuple[Word, ...]


@frozen_dataclass
class Area(Node):
    """Hexes of a map that satisfy all conditions. `edge` is that of the boards listed, or of the map."""

    boards: tuple[Word, ...]
    regions: tuple[Word, ...]
    hexes: tuple[Word, ...]
    edge: Word | None
    columns: MatchRange | None
    rows: MatchRange | None
    near: WithinDistance | None
    bounded: ConnectedArea | None


@frozen_dataclass
class CardRegion(Node):
    """A named set of hexes of a card: enumerated, or defined by location."""

    name: Word
    areas: tuple[Area, ...]


@frozen_dataclass
class Entry(Node):
    """The place and turn at which a force enters: an edge of the map or of one board, or listed hexes."""

    edge: Word | None
    board: Word | None
    hexes: tuple[Word, ...]
    turn: int


@frozen_dataclass
class StartingPiece(Node):
    """One piece that starts in a given hex; `notes` are statuses and tracks with their first values."""

    unit: Word
    name: Word | None
    at: Word
    place: Word | None
    notes: tuple[tuple[Word, Value], ...] = ()


@frozen_dataclass
class Force(Node):
    """The pieces of a side that arrive in the same way. `sets_up` is a choice of areas.

    `relations` hold at the start.
    """

    side: Word
    group: str | None
    units: tuple[tuple[Word, int], ...]
    placed: tuple[StartingPiece, ...]
    sets_up: tuple[Area, ...]
    enters: Entry | None
    relations: tuple["NamedEntry", ...]


@frozen_dataclass
class VictoryLine(Node):
    """The condition under which a side reaches one level."""

    side: Word
    level: Word
    condition: Expression


@frozen_dataclass
class Scenario(Node):
    """A situation card; oddities of the hexes in `printed_so` are confirmed and not reported.

    `hexes` and `sides` are the statuses and tracks with which hexes, or those of a region, and sides start.
    """

    name: Word
    title: str
    uses: Word
    cites: tuple[Word, ...]
    map: tuple[BoardPlacement, ...]
    turns: int
    set_up: tuple[Word, ...]
    order: tuple[Word, ...]
    facts: tuple[tuple[Word, "Value | tuple[Area, ...]"], ...]
    regions: tuple[CardRegion, ...]
    gaps: tuple[str, ...]
    forces: tuple[Force, ...]
    victory: tuple[VictoryLine, ...]
    special: tuple[Statement, ...]
    printed_so: tuple[Word, ...] = ()
    links: tuple[Connection, ...] = ()
    hexes: tuple["HexEntry", ...] = ()
    sides: tuple["SideEntry", ...] = ()


@frozen_dataclass
class ForceChange(Node):
    """A change of the number of one counter in the forces of a side, or in one group of them; `expects` must match."""

    side: Word
    group: Word | None
    unit: Word
    expects: Scalar
    now: Scalar
    cites: tuple[Word, ...]


@frozen_dataclass
class PartChange(Node):
    """A change of another part of a card; `kind` is its key: `turns`, `order`, `facts`, `regions`, `victory` ..

    `name` is the fact, the region or the level, `side` and `group` identify the force, or `side` the line of victory.
    `expects` must match the part, which becomes `now`; both are as written on the card, None for an absent part.
    """

    kind: str
    name: Word
    side: Word | None
    group: Word | None
    expects: Any
    now: Any
    cites: tuple[Word, ...]


@frozen_dataclass
class CardPatch(Node):
    """Changes of one layer to a card: to the numbers of its forces, and to other parts."""

    card: Word
    cites: tuple[Word, ...]
    forces: tuple[ForceChange, ...]
    parts: tuple[PartChange, ...]


@frozen_dataclass
class PieceEntry(Node):
    """One piece of a position; `properties` are statuses, tracks and printed factors that differ."""

    name: Word
    type: Word
    side: Word | None
    at: Word | None
    place: Word | None
    properties: tuple[tuple[Word, Value], ...]


@frozen_dataclass
class NamedEntry(Node):
    """One related pair or one record, by its fields."""

    name: Word
    fields: tuple[tuple[Word, Value], ...]


@frozen_dataclass
class SideEntry(Node):
    """Tracks of one side."""

    side: Word
    properties: tuple[tuple[Word, Value], ...]


@frozen_dataclass
class HexEntry(Node):
    """Statuses and tracks of one hex."""

    hex: Word
    properties: tuple[tuple[Word, Value], ...]


@frozen_dataclass
class Position(Node):
    """A concrete board state. `board` is written out in place, or placements of printed boards."""

    name: Word
    stack: Word
    game: tuple[tuple[Word, Value], ...]
    board: InlineBoard | tuple[BoardPlacement, ...]
    pieces: tuple[PieceEntry, ...]
    relations: tuple[NamedEntry, ...]
    records: tuple[NamedEntry, ...]
    hexes: tuple[HexEntry, ...]
    links: tuple[Connection, ...] = ()
    sides: tuple["SideEntry", ...] = ()
