"""Problems of names and types: facts and spans; their texts are in report/words."""

from compiler.source.span import LocatedProblem, Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownName(LocatedProblem):
    """A name that nothing in scope declares. `category` is the sort that was looked up: term, type, field, action ..

    `candidates` are all names that would be valid there; `applicable_names` those among them that accept the arguments
    written behind it. `names_otherwise` have this name in another way: fields of something in scope, counters with such
    a title. `owner` is the thing without such a field, "" if the name is no field.
    """

    category: str
    name: str
    candidates: tuple[str, ...]
    applicable_names: tuple[str, ...] = ()
    names_otherwise: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True)
class MissingFact(LocatedProblem):
    """A card, or a position (`category`), lacks a fact that its game requires, or has it `empty`.

    `purpose` is the purpose of the fact, `declared` the declaration of the requirement, `values` its possible values.
    """

    category: str
    name: str
    fact: str
    declared: Span
    purpose: str
    values: str
    empty: bool = False


@dataclass(frozen=True, slots=True)
class UnknownMember(LocatedProblem):
    """A word that is no member of the expected enumeration or scale; a layer may extend `is_open` ones."""

    type: str
    name: str
    members: tuple[str, ...]
    candidates: tuple[str, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class UnknownFlag(LocatedProblem):
    """A word after `is` or `has` that its subject cannot be, or have (`verb`).

    `candidates` are the valid words; `elsewhere` the owners that have this one; `written` the correct form of the test.
    """

    subject: str
    name: str
    candidates: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    verb: str = "be"
    written: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousName(LocatedProblem):
    """A member of several enumerations, where the context does not determine which."""

    name: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DuplicateName(LocatedProblem):
    """Two declarations of one name."""

    first: Span
    category: str
    name: str


@dataclass(frozen=True, slots=True)
class FactorTaken(LocatedProblem):
    """A factor of a kind, or a track of it, has the name of something else that is said of its pieces.

    That is a `category`.
    """

    first: Span
    name: str
    kind: str
    category: str
    held: str = "printed on"


@dataclass(frozen=True, slots=True)
class FactorsDiffer(LocatedProblem):
    """Two declarations of one factor of a kind, with the domains `now` and `before`."""

    first: Span
    name: str
    kind: str
    now: str
    before: str


@dataclass(frozen=True, slots=True)
class ListedTwice(LocatedProblem):
    """A list contains the same member, written `name`, a second time."""

    first: Span
    name: str


@dataclass(frozen=True, slots=True)
class SuspectedMisprint(LocatedProblem):
    """A place `name` on a board or card (`container`) that differs from all others of its kind.

    `first` is the place compared.
    """

    message: str
    name: str
    container: str = "board"
    first: Span | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SaidOfAnother(LocatedProblem):
    """The sentence of a question mentions `repeated_parameter` twice, and `missing_parameters` never."""

    repeated_parameter: str
    missing_parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadsAlike(LocatedProblem):
    """Two names that a reader cannot distinguish: `category` is trait, status, measure, counter, marker."""

    first: Span
    category: str
    names: tuple[str, str]
    reads: str


@dataclass(frozen=True, slots=True)
class TypeMismatch(LocatedProblem):
    """A value of one type where another is expected; `members` are the values of an expected enumeration."""

    expected: str
    found: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureMismatch(LocatedProblem):
    """Amounts of different measures combined, or an amount that lacks its measure."""

    expected: str
    found: str
    literal: str


@dataclass(frozen=True, slots=True)
class WrongArity(LocatedProblem):
    """A term, function, table or action with too many or too few arguments; `written` is the correct form."""

    name: str
    expected: int
    found: int
    written: str = ""


@dataclass(frozen=True, slots=True)
class OneAtMost(LocatedProblem):
    """An end of a relation with at most one member, as declared at `declared`, used where several are expected.

    `other` is the opposite end.
    """

    declared: Span
    relation: str
    end: str
    other: str


@dataclass(frozen=True, slots=True)
class MayBeAbsent(LocatedProblem):
    """A value that may be absent, used without the `test` to its left; an example has no `when`."""

    value_text: str
    test: str
    in_example: bool = False


@dataclass(frozen=True, slots=True)
class MayBeZero(LocatedProblem):
    """A divisor that may be zero."""

    divisor: str


@dataclass(frozen=True, slots=True)
class MayBeEmpty(LocatedProblem):
    """A least, greatest, min or max without `otherwise` of a collection that may be empty."""

    op: str


@dataclass(frozen=True, slots=True)
class KeyOutside(LocatedProblem):
    """A lookup in a table with a key that may lie outside its declared keys, whose first and last are `ends`."""

    table: str
    key: str
    domain: str
    ends: tuple[str, str] = ("lowest", "highest")


@dataclass(frozen=True, slots=True)
class NeverFits(LocatedProblem):
    """A number outside the range of its target in every position; `values` is its own range, "" if it is a literal."""

    target: str
    domain: str
    written: str
    values: str


@dataclass(frozen=True, slots=True)
class WrongVerb(LocatedProblem):
    """A conclusion that is invalid for the form of its term: `adds` on a verdict, `is` on a sum."""

    term: str
    form: str
    verb: str
    valid_verbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BadCell(LocatedProblem):
    """A cell, printed factor or fact that is not of its declared type."""

    value_name: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class MissingField(LocatedProblem):
    """A record, action or counter that lacks a required field; `in_chart`: other rows of its chart may lack it too."""

    construct: str
    missing: tuple[str, ...]
    in_chart: bool = False


@dataclass(frozen=True, slots=True)
class TermCycle:
    """Terms that query each other in a cycle."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvalidConstruct(LocatedProblem):
    """A construct that is meaningless at its place: a hex named or an action offered twice, a reversed range.

    `message` and `advice` are whole sentences; problems with one `root` are reported as one.
    """

    message: str
    advice: str
    root: str = ""


Problem = (
    UnknownName | UnknownMember | UnknownFlag | AmbiguousName | DuplicateName | FactorTaken | FactorsDiffer
    | ListedTwice | ReadsAlike | TypeMismatch | MeasureMismatch | WrongArity | OneAtMost | MayBeAbsent
    | MayBeZero | MayBeEmpty | KeyOutside | NeverFits | WrongVerb | BadCell | MissingField | MissingFact | TermCycle
    | InvalidConstruct | SuspectedMisprint | SaidOfAnother
)  # fmt: skip

# Warnings: the construct can be played as it is.
TypingWarning = SuspectedMisprint | SaidOfAnother
