"""Expressions: conditions and values of rules, before name resolution."""

from fractions import Fraction

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """`3 MP`, `1/2`: an exact number with an optional measure."""

    value: Fraction
    measure: Word | None


@dataclass(frozen=True, slots=True)
class Quoted(Node):
    """`'2-1'`: a name that is not an identifier."""

    text: str


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A bare name: parameter, binder, enum member, side, `game`, `scenario`, `this`, `previous`."""

    id: str


@dataclass(frozen=True, slots=True)
class Field(Node):
    """`base.name`."""

    base: "Expression"
    name: Word


@dataclass(frozen=True, slots=True)
class Cell(Node):
    """`table[key, key]`."""

    table: Word
    keys: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`term(a, b)` or a built-in function."""

    name: Word
    arguments: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Make(Node):
    """`record(field: value, ...)`."""

    type: Word
    fields: tuple[tuple[Word, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Pieces(Node):
    """`unit|stump at h`, or `all unit` when `at` is None."""

    kinds: tuple[Word, ...]
    at: "Expression | None"


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`name in source where condition`; behind a further `for`, `inner` is evaluated for each member."""

    name: Word
    source: "Expression | Range"
    where: "Expression | None"
    inner: "Binder | None" = None

    def innermost(self) -> "Binder":
        """Return the innermost binder."""
        return self.inner.innermost() if self.inner else self

    def names(self) -> frozenset[str]:
        """Return the names that it binds."""
        return frozenset({self.name.text}) | (self.inner.names() if self.inner else frozenset())


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count(b)`, `count(set)`, `sum(e for b otherwise d)`, `trailing(b)` and the like."""

    op: str
    binder: Binder | None
    body: "Expression | None"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """`least(b by e otherwise d)` or `greatest(b by e)`: the member itself."""

    op: str
    binder: Binder
    by: "Expression"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Search(Node):
    """`reachable(S by g costing p within m)`, `cheapest_cost(S to T .. otherwise d)`, `cheapest_way(S to T ..)`.

    In `linked(S, T by g)` the goal is the set that paths must stay in. `gate` and `price` are calls about a step,
    written without the two hexes that it leads from and to.
    """

    op: str
    start: "Expression"
    goal: "Expression | None"
    gate: Call | None
    price: Call | None
    most: "Expression | None"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class SetComprehension(Node):
    """`{x in S where P}` or, with a body, `{e for x in S where P}`."""

    binder: Binder
    body: "Expression | None"


@dataclass(frozen=True, slots=True)
class SetLiteral(Node):
    """`{a, b}`."""

    elements: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`if condition then a else b`."""

    condition: "Expression"
    then: "Expression"
    orelse: "Expression"


@dataclass(frozen=True, slots=True)
class Either(Node):
    """`a or b or c`."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Both(Node):
    """`a and b and c`."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not a`."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`a <= b`; op is one of = != < <= > >=."""

    op: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class IsTest(Node):
    """`x is f|g`, `x is not f|g`."""

    subject: "Expression"
    words: tuple[Word, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class HasTest(Node):
    """`x has y`, `x has no y`."""

    subject: "Expression"
    name: Word
    negated: bool


@dataclass(frozen=True, slots=True)
class InTest(Node):
    """`x in S`, `x not in 1..3`."""

    element: "Expression"
    collection: "Expression | Range"
    negated: bool


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`a..b`, both ends included."""

    low: "Expression"
    high: "Expression"


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`a + b`; op is one of + - * /."""

    op: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Minus(Node):
    """`-a`."""

    operand: "Expression"


Expression = (
    Name | Field | Call | Amount | Quoted | Truth | Cell | Make | Pieces | Aggregate | Extreme | Search
    | SetComprehension | SetLiteral | Choice | Either | Both | Not | Compare | IsTest | HasTest | InTest
    | Arithmetic | Minus
)  # fmt: skip
