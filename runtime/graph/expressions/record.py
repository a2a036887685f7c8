"""Expressions as records, all of whose fields have to be given.

A class of expressions is one `ExpressionRecord` in the file of its family: `literals.py`, `names.py`, `conditions.py`,
`questions.py`, `operations.py`, `collections.py`. No field has a default: a forgotten field is an error of the type
checker. The parts of an expression follow from the fields of its class (runtime/graph/walk.py), and what it reads of a
position from what it names (runtime/graph/slots.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.operators.logic import YES_NO

if TYPE_CHECKING:
    from runtime.graph.notation import NotationWriter
    from runtime.graph.wording import Wording

E = TypeVar("E", bound=graph.Expr)
Names = Mapping[str, graph.Type]


class TypeScope(NamedTuple):
    """The input of a result type: the types of the names in scope, the rules, and the type of any expression."""

    names: Names
    rules: graph.Graph
    type_of: Callable[[graph.Expr, Names, graph.Graph], graph.Type]

    def of(self, expr: graph.Expr) -> graph.Type:
        """Return the type of an expression in this scope."""
        return self.type_of(expr, self.names, self.rules)


class Symbol(NamedTuple):
    """What a name in an expression stands for.

    `namespace` is that of the semantic index (track, printed, status, member, term, chart, relation, record, ..);
    besides, an "end" is one end of the relation `owner`; "pieces", "occupants" and "reserve" are kinds whose pieces are
    collected, on the map, in a hex and off the map ("" for all kinds); "records" are all records of a type. `owner` is
    "" where names of the namespace have no owner.
    """

    namespace: str
    owner: str
    name: str

    @property
    def key(self) -> str:
        """Return the symbol as one text: "track unit.spent", "term speed"."""
        return f"{self.namespace} {self.owner}.{self.name}" if self.owner else f"{self.namespace} {self.name}"


@frozen_dataclass
class ExpressionRecord(Generic[E]):
    """One class of expressions."""

    node: type[E]
    result: Callable[[E, TypeScope], graph.Type]
    # What it names itself, without its parts.
    symbols: Callable[[E], Iterable[Symbol]]
    # Its reading as a noun phrase; and as a clause that holds or fails, None where that is "it holds that ..".
    phrase: Callable[["Wording", E], str]
    clause: Callable[["Wording", E, bool], str] | None
    # Its notation in rule files.
    text: Callable[["NotationWriter", E], str]


def no_symbols(_expr: graph.Expr) -> tuple[Symbol, ...]:
    """Return the symbols of an expression without names."""
    return ()


def symbols_of_pieces(kinds: Sequence[str], namespace: str = "pieces") -> tuple[Symbol, ...]:
    """Return the symbols of a collection of the pieces of these kinds; no kind means all."""
    return tuple(Symbol(namespace, "", kind) for kind in kinds or ("",))


def yes_no(_expr: graph.Expr, _scope: TypeScope) -> graph.Type:
    """Return the type of a condition."""
    return YES_NO
