"""Expressions with all names resolved. They are strict, total and without effects (docs/language.md, 6).

Numbers are exact. `Op` covers all operators of runtime/graph/operators; the other nodes are those that read the
position, query a term, or bind a name.
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.kinds import FoldKind, GetKind, HasKind, SearchKind, SpotKind, TestKind, TrackOwner
from runtime.graph.nodes.types import Type


@frozen_dataclass
class Num:
    """An exact amount; `measure` is "" for bare numbers."""

    value: Fraction
    measure: str


@frozen_dataclass
class Truth:
    """Yes or no."""

    value: bool


@frozen_dataclass
class Member:
    """A member of an enumeration ("side" and "kind" included)."""

    enum: str
    name: str


@frozen_dataclass
class Place:
    """A named place of a scale; its value is `at`."""

    scale: str
    name: str
    at: int | Fraction


@frozen_dataclass
class Spot:
    """A hex or a piece in an example or a scenario: what is "hex" or "piece"."""

    what: SpotKind
    name: str


@frozen_dataclass
class Var:
    """A parameter, a binder, a `with`, a `let` or the acting side `player`."""

    name: str


@frozen_dataclass
class Get:
    """A field of a value, of the sort `what`.

    `what` is printed for a factor on the counter, track for a track (its owner is `owner`), record for a field of a
    record or of a crossing, partner for the one piece on the other end of relation `name`, partners for the set of
    them, and given for a built-in field of every piece (hex, side, kind, place) or hex (name, board). The payload is
    read with the built-in function `payload`. For relations `owner` is the relation and `name` the wanted end ("left"
    or "right").
    """

    base: "Expr"
    what: GetKind
    owner: str
    name: str


@frozen_dataclass
class GameTrack:
    """`game.x` or `scenario.x`; also game.turn, game.player, game.phase."""

    owner: TrackOwner
    name: str


@frozen_dataclass
class Test:
    """A word after `is`. `what`: trait, feature, status, place, kind, cell, gone.

    `owner` is the kind, "hex", "hexside" or the table the word was declared for. A trait, feature or status that rules
    overrule is asked as the term `owner.name` (a flag term).
    """

    what: TestKind
    owner: str
    name: str


@frozen_dataclass
class Is:
    """`subject is a|b`: any of the tests holds; `negated` inverts the answer."""

    subject: "Expr"
    tests: tuple[Test, ...]
    negated: bool


@frozen_dataclass
class Has:
    """`subject has name`. `what`: track, partner, record (a field), path (hex or hexside)."""

    subject: "Expr"
    what: HasKind
    owner: str
    name: str
    negated: bool


@frozen_dataclass
class Ask:
    """A query of a term with arguments."""

    term: str
    arguments: tuple["Expr", ...]


@frozen_dataclass
class Cell:
    """A chart cell. `kind` is "" for the cell itself, else the kind whose content is taken (`.cost`)."""

    table: str
    keys: tuple["Expr", ...]
    kind: str


@frozen_dataclass
class Op:
    """A built-in operator or function; the table is runtime/graph/operators."""

    op: str
    arguments: tuple["Expr", ...]


@frozen_dataclass
class Pieces:
    """The pieces of these kinds (none means any) that are in play, or those at one hex."""

    kinds: tuple[str, ...]
    at: "Expr | None"


@frozen_dataclass
class All:
    """The values of a finite type: members, places, dice, sides, hexes, records in canonical order."""

    type: Type


@frozen_dataclass
class Fold:
    """A fold over a finite collection, binding `var`.

    op: count, some, none, every, sum, min, max, gather (a set), trailing, leading (lists), least, greatest (the member
    whose `body` is smallest or largest, first in canonical order). `where` filters (for trailing and leading it is the
    condition of the run; for every, the tested condition is `body`). `body` is what is added, compared or gathered; for
    min and max `otherwise` is the value for an empty collection.
    """

    op: FoldKind
    var: str
    source: "Expr"
    where: "Expr | None"
    body: "Expr | None"
    otherwise: "Expr | None"


@frozen_dataclass
class Search:
    """The shortest paths over the map from the hexes of `start`, step by step (Dijkstra 1959).

    op: reachable (the set of hexes that paths lead to, including those of `start`), `cheapest_cost` (the cost of the
    path to a hex of `goal`), `cheapest_way` (its hexes as a list, from start to goal; empty where there is none),
    linked (the hexes that paths within `goal` lead to from those of `start` in it). A step leads from a hex to a
    neighbor if `gate` holds, and costs `price`, or 1 where that is None; both are queries whose last two arguments
    represent the hexes of the step, `FROM` and `TO`. A path costs at most `most`. `otherwise` is the value of
    `cheapest_cost` where no path leads to the goal.
    """

    op: SearchKind
    start: "Expr"
    goal: "Expr | None"
    gate: Ask | None
    price: Ask | None
    most: "Expr | None"
    otherwise: "Expr | None"


@frozen_dataclass
class SetOf:
    """A set of listed elements."""

    elements: tuple["Expr", ...]


@frozen_dataclass
class New:
    """A new record."""

    record: str
    fields: tuple[tuple[str, "Expr"], ...]


# The hexes of the step for which the terms of a `Search` are queried.
FROM, TO = Spot("step", "from"), Spot("step", "to")

LiteralExpr = Num | Truth | Member | Place
Expr = (
    Num | Truth | Member | Place | Spot | Var | Get | GameTrack | Is | Has | Ask | Cell | Op | Pieces | All
    | Fold | Search | SetOf | New
)  # fmt: skip
