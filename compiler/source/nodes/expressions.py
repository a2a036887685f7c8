"""Expressions: conditions and values of rules, before name resolution."""

from fractions import Fraction

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Amount(Node):
    """`3 MP`, `1/2`: an exact number with an optional measure."""

    value: Fraction
    measure: Word | None


@frozen_dataclass
class Quoted(Node):
    """`'2-1'`: a name that is not an identifier."""

    text: str


@frozen_dataclass
class Truth(Node):
    """`yes` or `no`."""

    value: bool


@frozen_dataclass
class Name(Node):
    """A bare name: parameter, binder, enum member, side, `game`, `scenario`, `this`, `previous`."""

    id: str


@frozen_dataclass
class Field(Node):
    """`base.name`."""

    base: "Expression"
    name: Word


@frozen_dataclass
class Cell(Node):
    """`table[key, key]`."""

    table: Word
    keys: tuple["Expression", ...]


@frozen_dataclass
class Call(Node):
    """`term(a, b)` or a built-in function."""

    name: Word
    arguments: tuple["Expression", ...]


@frozen_dataclass
class Make(Node):
    """`record(field: value, ...)`."""

    type: Word
    fields: tuple[tuple[Word, "Expression"], ...]


@frozen_dataclass
class Pieces(Node):
    """`unit|stump at h`, or `all unit` when `at` is None."""

    kinds: tuple[Word, ...]
    at: "Expression | None"


@frozen_dataclass
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


@frozen_dataclass
class Aggregate(Node):
    """`count(b)`, `count(set)`, `sum(e for b otherwise d)`, `trailing(b)` and the like."""

    op: str
    binder: Binder | None
    body: "Expression | None"
    otherwise: "Expression | None"


@frozen_dataclass
class Extreme(Node):
    """`least(b by e otherwise d)` or `greatest(b by e)`: the member itself."""

    op: str
    binder: Binder
    by: "Expression"
    otherwise: "Expression | None"


@frozen_dataclass
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


@frozen_dataclass
class SetComprehension(Node):
    """`{x in S where P}` or, with a body, `{e for x in S where P}`."""

    binder: Binder
    body: "Expression | None"


@frozen_dataclass
class SetLiteral(Node):
    """`{a, b}`."""

    elements: tuple["Expression", ...]


@frozen_dataclass
class Choice(Node):
    """`if condition then a else b`."""

    condition: "Expression"
    then: "Expression"
    orelse: "Expression"


@frozen_dataclass
class Either(Node):
    """`a or b or c`."""

    parts: tuple["Expression", ...]


@frozen_dataclass
class Both(Node):
    """`a and b and c`."""

    parts: tuple["Expression", ...]


@frozen_dataclass
class Not(Node):
    """`not a`."""

    operand: "Expression"


@frozen_dataclass
class Compare(Node):
    """`a <= b`; op is one of = != < <= > >=."""

    op: str
    left: "Expression"
    right: "Expression"


@frozen_dataclass
class IsTest(Node):
    """`x is f|g`, `x is not f|g`."""

    subject: "Expression"
    words: tuple[Word, ...]
    negated: bool


@frozen_dataclass
class HasTest(Node):
    """`x has y`, `x has no y`."""

    subject: "Expression"
    name: Word
    negated: bool


@frozen_dataclass
class InTest(Node):
    """`x in S`, `x not in 1..3`."""

    element: "Expression"
    collection: "Expression | Range"
    negated: bool


@frozen_dataclass
class Range(Node):
    """`a..b`, both ends included."""

    low: "Expression"
    high: "Expression"


@frozen_dataclass
class Arithmetic(Node):
    """`a + b`; op is one of + - * /."""

    op: str
    left: "Expression"
    right: "Expression"


@frozen_dataclass
class Minus(Node):
    """`-a`."""

    operand: "Expression"


Expression = (
    Name | Field | Call | Amount | Quoted | Truth | Cell | Make | Pieces | Aggregate | Extreme | Search
    | SetComprehension | SetLiteral | Choice | Either | Both | Not | Compare | IsTest | HasTest | InTest
    | Arithmetic | Minus
)  # fmt: skip
