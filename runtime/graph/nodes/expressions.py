"""Expressions with every name resolved. They are strict, total and without effects (docs/language.md, 6).

Numbers are exact. `Op` holds everything that runtime/graph/operators lists; the other nodes are those
that look at the position, ask a term, or bind a name.
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.nodes.kinds import FoldKind, GetKind, HasKind, SearchKind, SpotKind, TestKind, TrackOwner
from runtime.graph.nodes.types import Type


@dataclass(frozen=True, slots=True)
class Num:
    """An exact amount; `measure` is "" for bare numbers."""

    value: Fraction
    measure: str


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no."""

    value: bool


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration ("side" and "kind" included)."""

    enum: str
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A named place of a scale; its value is `at`."""

    scale: str
    name: str
    at: int | Fraction


@dataclass(frozen=True, slots=True)
class Spot:
    """A hex or a piece named in an example or a scenario: what is "hex" or "piece"."""

    what: SpotKind
    name: str


@dataclass(frozen=True, slots=True)
class Var:
    """A parameter, a binder, a `with`, a `let` or the acting side `player`."""

    name: str


@dataclass(frozen=True, slots=True)
class Get:
    """A field of something. `what` says where to look:

    printed: a factor on the counter; track: a note play keeps (owner is in `owner`);
    record: a field of a record or of a crossing; partner: the one piece on the other end of
    relation `name`; partners: the set of them; given: what every piece has (hex, side, kind, place)
    or every hex has (name, board); payload is asked with the builtin `payload`.
    For relations `owner` is the relation and `name` the end that is wanted ("left" or "right").
    """

    base: "Expr"
    what: GetKind
    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class GameTrack:
    """`game.x` or `scenario.x`; also game.turn, game.player, game.phase."""

    owner: TrackOwner
    name: str


@dataclass(frozen=True, slots=True)
class Test:
    """One word after `is`. `what`: trait, feature, status, place, kind, cell, gone.

    `owner` is the kind, "hex", "hexside" or the table the word was declared for. A trait, feature
    or status that rules overrule is asked as the term `owner.name` (a flag term).
    """

    what: TestKind
    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class Is:
    """`subject is a|b`: any of the tests holds; `negated` turns the answer round."""

    subject: "Expr"
    tests: tuple[Test, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Has:
    """`subject has name`. `what`: track, partner, record (a field), path (hex or hexside)."""

    subject: "Expr"
    what: HasKind
    owner: str
    name: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """A term asked of arguments."""

    term: str
    arguments: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A chart cell. `kind` is "" for the cell itself, else the kind whose content is taken (`.cost`)."""

    table: str
    keys: tuple["Expr", ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Op:
    """A built-in operator or function; the table is runtime/graph/operators."""

    op: str
    arguments: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces of these kinds (none means any) that are in play, or those at one hex."""

    kinds: tuple[str, ...]
    at: "Expr | None"


@dataclass(frozen=True, slots=True)
class All:
    """Every value of a finite type: members, places, dice, sides, hexes, records in canonical order."""

    type: Type


@dataclass(frozen=True, slots=True)
class Fold:
    """One pass over a finite collection, binding `var`.

    op: count, some, none, every, sum, min, max, gather (a set), trailing, leading (lists),
    least, greatest (the member whose `body` is smallest or largest, first in canonical order).
    `where` filters (for trailing and leading it is the condition of the run; for every, what must
    hold is in `body`). `body` is what is added, compared or gathered; for min and max
    `otherwise` answers for an empty collection.
    """

    op: FoldKind
    var: str
    source: "Expr"
    where: "Expr | None"
    body: "Expr | None"
    otherwise: "Expr | None"


@dataclass(frozen=True, slots=True)
class Search:
    """The cheapest ways over the map from the hexes of `start`, step by step (Dijkstra 1959).

    op: reachable (the set of hexes that ways lead to, those of `start` among them), `cheapest_cost` (what the way to a
    hex of `goal` costs), `cheapest_way` (its hexes as a list, from start to goal; empty where there is none),
    linked (the hexes that ways within `goal` lead to from those of `start` that lie in it).
    A step leads from a hex to a neighbor if `gate` holds, and costs `price`, or 1 where that is None; both are
    questions whose last two arguments stand for the hexes of the step, `FROM` and `TO`. A way costs at most `most`.
    `otherwise` answers `cheapest_cost` where no way leads to the goal.
    """

    op: SearchKind
    start: "Expr"
    goal: "Expr | None"
    gate: Ask | None
    price: Ask | None
    most: "Expr | None"
    otherwise: "Expr | None"


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set written out."""

    elements: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class New:
    """A new record."""

    record: str
    fields: tuple[tuple[str, "Expr"], ...]


# The hexes of the step that the questions of a `Search` are asked about.
FROM, TO = Spot("step", "from"), Spot("step", "to")

Expr = (
    Num | Truth | Member | Place | Spot | Var | Get | GameTrack | Is | Has | Ask | Cell | Op | Pieces | All
    | Fold | Search | SetOf | New
)  # fmt: skip
