"""What an operator is: one record, all of whose parts have to be given.

An operator is one `Operator` in the file of its family, `numbers.py`, `logic.py`, `sets.py`, `maps.py`, `position.py`.
No part has a default: a part that is forgotten is an error of the type checker. Whoever needs to know something of an
operator asks its record: the interpreter `compute`, the generator `python`, types `result`, proofs `interval` and
`algebra`, wording `phrase`, findings `notation`, mutation testing `alterations`, the reference `documentation`.

Forms: a lower-case letter stands for any measure or scale, `T` for any type; the same letter means
the same thing throughout. `number` without a letter is a bare number, `number m` carries measure m,
`number of s` the measure of scale s. `...` repeats the last argument. Of forms only the number of arguments is held
against a graph; what fits is checked in compiler/typed, whose rules for measures and domains no signature could say.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.interval import ANY, End, Interval

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

# What an operator needs beside its arguments.
Looks = Literal["", "board", "state"]
# What of the position it reads, named by its first arguments: pairs of a relation, or pieces off the map by kind.
Reads = Literal["", "pairs", "reserve"]
# How a number follows from numbers: "linear", as a sum does; "computed", in any other way; "": it does not.
Algebra = Literal["", "linear", "computed"]
# Whether its numbers have no fractions.
Whole = Literal["never sure", "always", "of whole numbers"]
# What it costs to ask: a look; a walk over some hexes; a walk over all of them.
Cost = Literal["look", "hexes", "map"]


@dataclass(frozen=True, slots=True)
class Operands:
    """What the type of a result is told from: the arguments, the type of each, and what is declared."""

    arguments: tuple[graph.Expr, ...]
    type: Callable[[graph.Expr], graph.Type]
    vocabulary: graph.Vocabulary


@dataclass(frozen=True, slots=True)
class Phrase:
    """Reads as a noun phrase, `{0}` for the first argument.

    `precedence`: how tightly it holds together; what holds less tightly than what is around it takes brackets. None: it
    needs none. `member`: how one member of the collection reads, "" for what is no collection or reads as others do.
    """

    text: str
    precedence: int | None
    member: str


@dataclass(frozen=True, slots=True)
class Clause:
    """Reads as a clause, or as its opposite."""

    holds: str
    fails: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Holds one thing against another: "x is at most 3".

    `none` says of a count compared with 0 whether there is any, None if that says nothing. `mirrored` is the sign with
    the sides exchanged.
    """

    holds: str
    fails: str
    none: bool | None
    mirrored: str


@dataclass(frozen=True, slots=True)
class PhraseFunction:
    """Reads as no template could say: a function each for the phrase and, of yes and no, for the clause that holds."""

    value: "Callable[[Wording, graph.Op], str]"
    clause: "Callable[[Wording, graph.Op, bool], str] | None"
    precedence: int | None


@dataclass(frozen=True, slots=True)
class Infix:
    """Written between its arguments; what is tighter binds first."""

    sign: str
    precedence: int


@dataclass(frozen=True, slots=True)
class Prefix:
    """Written before its argument."""

    sign: str
    precedence: int


@dataclass(frozen=True, slots=True)
class Call:
    """Written as a function, `name(a, b)`."""


@dataclass(frozen=True, slots=True)
class OwnForm:
    """Written in a form of its own, `if a then b else c`, with a case in compiler/analysis/expression_text.py."""

    precedence: int


Reading = Phrase | Clause | Comparison | PhraseFunction
Notation = Infix | Prefix | Call | OwnForm
# Bounds a result by its arguments, and by how far apart two hexes are at most.
Bounding = Callable[[Sequence[Interval], End], Interval]


@dataclass(frozen=True, slots=True)
class Operator:
    """One built-in operator or function."""

    name: str
    forms: tuple[str, ...]
    documentation: str
    # What a call takes, where types alone say it; None where compiler/typed has rules of its own for it.
    takes: tuple[graph.Type, ...] | None
    result: graph.Type | Callable[[Operands], graph.Type]
    # The interpreter's: arguments, after the board or the state where it `looks` there.
    compute: Callable[..., Any]
    looks: Looks
    reads: Reads
    # The generator's: `{0}` for the first argument, `{*}` for all of them, `{b}` for the board, `s` for the state.
    python: str
    interval: Bounding
    algebra: Algebra
    whole: Whole
    commutes: bool
    notation: Notation
    phrase: Reading
    # What mutation testing puts in its place, and whether its first argument alone may stand there.
    alterations: tuple[str, ...]
    first_alone: bool
    cost: Cost
    # Of collections: whether there may be more members than a hex has neighbors.
    wide: bool
    # Whether only maps of hexes have it, and whether it looks beyond a row of hexes.
    of_hexes: bool
    beyond_rows: bool

    def arity(self, count: int) -> bool:
        """Return whether some form takes so many arguments."""
        given = [form.partition(" -> ")[0].split(", ") for form in self.forms]
        return any(count >= len(each) - 1 if each[-1] == "..." else count == len(each) for each in given)

    def type(self, operands: Operands) -> graph.Type:
        """Say the type of a result; an amount in a measure that the stack does not declare is a bare one."""
        match self.result:
            case graph.Number(low, high, measure):
                return graph.Number(low, high, measure if measure in operands.vocabulary.measures else "")
            case result:
                return result(operands) if callable(result) else result


def unbounded(_parts: Sequence[Interval], _far: End) -> Interval:
    """Bound what is no number, or may be any."""
    return ANY
