"""Operators as records, all of whose fields have to be given.

An operator is one `Operator` in the file of its family, `numbers.py`, `logic.py`, `sets.py`, `maps.py`, `position.py`.
No field has a default: a forgotten field is an error of the type checker. All consumers read the record: the
interpreter `compute`, the generator `python`, types `result`, proofs `bounds` and `algebra`, wording `phrase`,
findings `notation`, mutation testing `alterations`, the reference `documentation`.

Forms: a lower-case letter stands for any measure or scale, `T` for any type; the same letter means the same thing
throughout. `number` without a letter is a bare number, `number m` has measure m, `number of s` the measure of scale s.
`...` repeats the last argument. Only the number of arguments is compared with a graph; their types are checked in
compiler/typed, whose rules for measures and domains no signature could express.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.interval import ANY, Interval, IntervalLimit

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

# What an operator reads besides its arguments.
NeededInput = Literal["", "board", "state"]
# The part of the position it reads, identified by its first arguments: pairs of a relation, or pieces off the map by
# kind.
Reads = Literal["", "pairs", "reserve"]
# How a number depends on numbers: "linear", as a sum does; "computed", in any other way; "": it does not.
AlgebraKind = Literal["", "linear", "computed"]
# Whether its numbers are integers.
IntegerKind = Literal["never sure", "always", "of whole numbers"]
# The cost of an evaluation: a lookup; a traversal of some hexes; a traversal of all of them.
Cost = Literal["look", "hexes", "map"]


@frozen_dataclass
class Operands:
    """The input of a result type: the arguments, the type of each, and the vocabulary."""

    arguments: tuple[graph.Expr, ...]
    type: Callable[[graph.Expr], graph.Type]
    vocabulary: graph.Vocabulary


@frozen_dataclass
class Phrase:
    """A reading as a noun phrase, `{0}` for the first argument.

    `precedence`: its binding strength; operands that bind less tightly than their context are bracketed. None: it needs
    no brackets. `member`: the phrase for one member of the collection, "" for other operators and for the default
    phrase.
    """

    text: str
    precedence: int | None
    member: str


@frozen_dataclass
class Clause:
    """A reading as a clause, and as its negation."""

    holds: str
    fails: str


@frozen_dataclass
class Comparison:
    """A comparison of two operands: "x is at most 3".

    `none` is the reading of a count compared with 0, whether there is any, None where that does not apply. `mirrored`
    is the sign with the operands exchanged.
    """

    holds: str
    fails: str
    none: bool | None
    mirrored: str


@frozen_dataclass
class PhraseFunction:
    """A reading that no template can express: functions for the phrase and, for yes and no, for the clause."""

    value: "Callable[[Wording, graph.Op], str]"
    clause: "Callable[[Wording, graph.Op, bool], str] | None"
    precedence: int | None


@frozen_dataclass
class Infix:
    """Notation between the arguments; the tighter operator binds first."""

    sign: str
    precedence: int


@frozen_dataclass
class Prefix:
    """Notation before the argument."""

    sign: str
    precedence: int


@frozen_dataclass
class Call:
    """Notation as a function, `name(a, b)`."""


@frozen_dataclass
class OwnForm:
    """A special notation, `if a then b else c`, with a case in runtime/graph/notation.py."""

    precedence: int


Reading = Phrase | Clause | Comparison | PhraseFunction
Notation = Infix | Prefix | Call | OwnForm
# Computes bounds of a result from its arguments, and from the largest distance of two hexes.
BoundsFunction = Callable[[Sequence[Interval], IntervalLimit], Interval]


@frozen_dataclass
class Operator:
    """One built-in operator or function."""

    name: str
    forms: tuple[str, ...]
    documentation: str
    # The types of the arguments, where types alone decide; None where compiler/typed has specific rules for it.
    takes: tuple[graph.Type, ...] | None
    result: graph.Type | Callable[[Operands], graph.Type]
    # For the interpreter: arguments, after the board or the state if it `needs` one.
    compute: Callable[..., Any]
    needs: NeededInput
    reads: Reads
    # For the generator: `{0}` for the first argument, `{*}` for all of them, `{b}` for the board, `s` for the state.
    python: str
    bounds: BoundsFunction
    algebra: AlgebraKind
    whole: IntegerKind
    commutes: bool
    notation: Notation
    phrase: Reading
    # Its replacements in mutation testing, and whether its first argument alone is one.
    alterations: tuple[str, ...]
    first_alone: bool
    cost: Cost
    # For collections: whether there may be more members than a hex has neighbors.
    large: bool
    # Whether it exists only on maps of hexes, and whether it reads beyond a row of hexes.
    of_hexes: bool
    beyond_rows: bool

    def type(self, operands: Operands) -> graph.Type:
        """Compute the type of a result; an amount in a measure that the stack does not declare is a bare one."""
        match self.result:
            case graph.Number(low, high, measure):
                return graph.Number(low, high, measure if measure in operands.vocabulary.measures else "")
            case result:
                return result(operands) if callable(result) else result


def unbounded(_parts: Sequence[Interval], _far: IntervalLimit) -> Interval:
    """Return the bounds of a value that is not a number, or may be any."""
    return ANY


def whether_phrase(wording: "Wording", expr: graph.Expr) -> str:
    """Return the noun phrase of a condition."""
    return f"whether {wording.clause(expr)}"
