"""Laws: rules, and what contains them in the book (cases, rulings, disputes)."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from compiler.source.nodes.amendments import Amend, AmendmentTarget
from compiler.source.nodes.examples import Example
from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.procedure_names import ProcedureName
from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass

Nested = TypeVar("Nested")


@frozen_dataclass
class Conclusion(Node):
    """The conclusion of a rule: `head[.stage] verb [expression]`.

    verb is one of is, adds, offers, includes, excludes, allowed, forbidden, holds, fails.
    """

    head: Word
    stage: Word | None
    verb: str
    value: Expression | None


@frozen_dataclass
class CellPatch(Node):
    """`replaces cell fare[fen, coach] = 4 MP by 6 MP`."""

    table: Word
    keys: tuple[Expression, ...]
    expects: Expression
    value: Expression


@frozen_dataclass
class Relate(Node):
    """One relation to labels: verb is exception, replaces, withdraws, suppresses, clarifies, joins.

    Rulings also refer to procedures: verb is concerns or carried, and `procedures` are the procedures. Any rule may
    withdraw procedures; `wholes` are then the same with the expected layer and hash.
    """

    verb: str
    labels: tuple[Word, ...]
    expecting: Expression | None
    procedures: tuple[ProcedureName, ...] = ()
    wholes: tuple[AmendmentTarget, ...] = ()


@frozen_dataclass
class With(Node):
    """`with d = e`: a name for the conclusion and the guard."""

    name: Word
    value: Expression


@frozen_dataclass
class Rule(Node):
    """A labeled rule. `guard` is None if it is always live; several `when` are conjoined."""

    label: Word
    cites: tuple[Word, ...]
    prose: str | None
    conclusion: Conclusion | None
    relations: tuple[Relate, ...]
    patches: tuple[CellPatch, ...]
    names: tuple[With, ...]
    guard: Expression | None
    amends: tuple[Amend, ...] = ()


@frozen_dataclass
class Ruling(Node):
    """An official answer. A one-rule ruling contains one Rule with the label and citations of the ruling."""

    label: Word
    cites: tuple[Word, ...]
    kind: str  # addition | correction | clarification
    impact: str | None  # none | minor | major
    asks: str
    answers: str
    laws: tuple["Rule | Example", ...]


@frozen_dataclass
class Reading(Node):
    """One reading of a dispute: whether it is the default, and the reason for it; the default has a reason."""

    label: Word
    cites: tuple[Word, ...]
    default: bool
    reason: str | None
    laws: tuple["Rule | Example", ...]


@frozen_dataclass
class Dispute(Node):
    """A contradiction between sources, with its readings."""

    label: Word
    cites: tuple[Word, ...]
    question: str
    readings: tuple[Reading, ...]


@frozen_dataclass
class Case(Node):
    """A heading of the book and the label of all laws under it; a higher layer may reopen it.

    If it has a `guard`, the rules between its braces are live only where that holds.
    """

    label: Word
    title: str | None
    number: str | None
    guard: Expression | None
    laws: tuple["Law", ...]


Law = Case | Rule | Ruling | Dispute | Example


def nested_laws(laws: Iterable[Nested]) -> "Iterator[Nested | Law | Reading]":
    """Yield laws, or other statements, and the laws inside each of them, outer ones first."""
    for law in laws:
        yield law
        yield from nested_laws(laws_inside(law))


def laws_inside(law: object) -> tuple[Law | Reading, ...]:
    """Return the laws that a law contains."""
    match law:
        case Case(laws=laws):
            return laws
        case Ruling(laws=inner) | Reading(laws=inner):
            return inner
        case Dispute(readings=readings):
            return readings
        case _:
            return ()
