"""Expressions: conditions and values of rules, before name resolution."""

from fractions import Fraction

from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Amount:
    """`3 MP`, `1/2`: an exact number with an optional measure."""

    span: Span
    value: Fraction
    measure: Word | None


@dataclass(frozen=True, slots=True)
class Quoted:
    """`'2-1'`: a name that is not an identifier."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Truth:
    """`yes` or `no`."""

    span: Span
    value: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: parameter, binder, enum member, side, `game`, `scenario`, `this`, `previous`."""

    span: Span
    id: str


@dataclass(frozen=True, slots=True)
class Field:
    """`base.name`."""

    span: Span
    base: "Expression"
    name: Word


@dataclass(frozen=True, slots=True)
class Cell:
    """`table[key, key]`."""

    span: Span
    table: Word
    keys: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`term(a, b)` or a built-in function."""

    span: Span
    name: Word
    arguments: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Make:
    """`record(field: value, ...)`."""

    span: Span
    type: Word
    fields: tuple[tuple[Word, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """`unit|stump at h`, or `all unit` when `at` is None."""

    span: Span
    kinds: tuple[Word, ...]
    at: "Expression | None"


@dataclass(frozen=True, slots=True)
class Binder:
    """`name in source where condition`; behind a further `for`, `inner` is evaluated for each member."""

    span: Span
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
class Aggregate:
    """`count(b)`, `count(set)`, `sum(e for b otherwise d)`, `trailing(b)` and the like."""

    span: Span
    op: str
    binder: Binder | None
    body: "Expression | None"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Extreme:
    """`least(b by e otherwise d)` or `greatest(b by e)`: the member itself."""

    span: Span
    op: str
    binder: Binder
    by: "Expression"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Search:
    """`reachable(S by g costing p within m)`, `cheapest_cost(S to T .. otherwise d)`, `cheapest_way(S to T ..)`.

    In `linked(S, T by g)` the goal is the set that paths must stay in. `gate` and `price` are calls about a step,
    written without the two hexes that it leads from and to.
    """

    span: Span
    op: str
    start: "Expression"
    goal: "Expression | None"
    gate: Call | None
    price: Call | None
    most: "Expression | None"
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Gathered:
    """`{x in S where P}` or, with a body, `{e for x in S where P}`."""

    span: Span
    binder: Binder
    body: "Expression | None"


@dataclass(frozen=True, slots=True)
class SetLiteral:
    """`{a, b}`."""

    span: Span
    elements: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`if condition then a else b`."""

    span: Span
    condition: "Expression"
    then: "Expression"
    orelse: "Expression"


@dataclass(frozen=True, slots=True)
class Either:
    """`a or b or c`."""

    span: Span
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Both:
    """`a and b and c`."""

    span: Span
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`not a`."""

    span: Span
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Compare:
    """`a <= b`; op is one of = != < <= > >=."""

    span: Span
    op: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class IsTest:
    """`x is f|g`, `x is not f|g`."""

    span: Span
    subject: "Expression"
    words: tuple[Word, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class HasTest:
    """`x has y`, `x has no y`."""

    span: Span
    subject: "Expression"
    name: Word
    negated: bool


@dataclass(frozen=True, slots=True)
class InTest:
    """`x in S`, `x not in 1..3`."""

    span: Span
    element: "Expression"
    collection: "Expression | Range"
    negated: bool


@dataclass(frozen=True, slots=True)
class Range:
    """`a..b`, both ends included."""

    span: Span
    low: "Expression"
    high: "Expression"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`a + b`; op is one of + - * /."""

    span: Span
    op: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Minus:
    """`-a`."""

    span: Span
    operand: "Expression"


Expression = (
    Name | Field | Call | Amount | Quoted | Truth | Cell | Make | Pieces | Aggregate | Extreme | Search | Gathered
    | SetLiteral | Choice | Either | Both | Not | Compare | IsTest | HasTest | InTest | Arithmetic | Minus
)  # fmt: skip
