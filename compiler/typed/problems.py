"""Problems of names and types: facts and spans; the words are in report/words."""

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that nothing in scope declares. `what` says what was looked for: term, type, field, action ..

    `candidates` are all names that would fit there; `alike` those among them that take what was written behind it;
    `held` is what is called so of something that has a name there. `owner` is what has no such field, "" if the name
    is that of no field.
    """

    span: Span
    what: str
    name: str
    candidates: tuple[str, ...]
    alike: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A card, or a position (`what`), does not give a fact that its game requires, or gives it `empty`.

    `why` is what the fact is for, `declared` where that is said, `values` what it may be.
    """

    span: Span
    what: str
    name: str
    fact: str
    declared: Span
    why: str
    values: str
    empty: bool = False


@dataclass(frozen=True, slots=True)
class UnknownMember:
    """A word that is no member of the enumeration or scale expected there."""

    span: Span
    type: str
    name: str
    members: tuple[str, ...]
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownFlag:
    """A word after `is` or `has` that its subject can't be, or have (`verb`).

    `candidates` are all that it can; `elsewhere` what else can be called so; `written` how it is asked instead.
    """

    span: Span
    subject: str
    name: str
    candidates: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    verb: str = "be"
    written: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A member of several enumerations, where the context does not tell which."""

    span: Span
    name: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DuplicateName:
    """Two declarations of one name."""

    span: Span
    first: Span
    what: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedTwice:
    """A list names the same thing, written `name`, a second time."""

    span: Span
    first: Span
    name: str


@dataclass(frozen=True, slots=True)
class VictoryAlike:
    """Two sides of a card reach levels of victory, `first` and `second`, under the same condition."""

    span: Span
    other: Span
    second: str
    first: str


@dataclass(frozen=True, slots=True)
class SuspectedMisprint:
    """A place `name` on a board or card (`of`) that differs from all others of its kind; `first` is compared."""

    span: Span
    message: str
    name: str
    of: str = "board"
    first: Span | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SuspectedOwner:
    """A counter is `owner`'s, where all counters around it or with a word of its name are `usual`'s."""

    span: Span
    name: str
    owner: str
    usual: str


@dataclass(frozen=True, slots=True)
class SaidOfAnother:
    """The phrase of a question names one parameter `twice` and never says the `unsaid` ones."""

    span: Span
    twice: str
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadsAlike:
    """Two that a reader cannot tell apart: `what` is trait, status, measure, counter, marker."""

    span: Span
    first: Span
    what: str
    names: tuple[str, str]
    reads: str


@dataclass(frozen=True, slots=True)
class TypeMismatch:
    """A value of one type where another is needed; `members` are all there are of it, if it is a list of names."""

    span: Span
    expected: str
    found: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureMismatch:
    """Amounts of different measures put together, or an amount that lacks its measure."""

    span: Span
    expected: str
    found: str
    literal: str


@dataclass(frozen=True, slots=True)
class WrongArity:
    """A term, function, table or action given too many or too few arguments; `written` shows the right form."""

    span: Span
    name: str
    expected: int
    found: int
    written: str = ""


@dataclass(frozen=True, slots=True)
class OneAtMost:
    """An end of a relation that the declaration (`declared`) gives one member, used where several may stand.

    `other` is the end across from it.
    """

    span: Span
    declared: Span
    relation: str
    end: str
    other: str


@dataclass(frozen=True, slots=True)
class MayBeAbsent:
    """Something that may be absent, used without the `test` to its left; an example has no `when`."""

    span: Span
    what: str
    test: str
    in_example: bool = False


@dataclass(frozen=True, slots=True)
class MayBeZero:
    """A divisor that may be zero."""

    span: Span
    divisor: str


@dataclass(frozen=True, slots=True)
class MayBeEmpty:
    """The least, greatest, min or max of a collection that may be empty, without `otherwise`."""

    span: Span
    op: str


@dataclass(frozen=True, slots=True)
class KeyOutside:
    """A table asked with a key that may lie outside its declared keys, whose first and last are `ends`."""

    span: Span
    table: str
    key: str
    domain: str
    ends: tuple[str, str] = ("lowest", "highest")


@dataclass(frozen=True, slots=True)
class NeverFits:
    """A number put where no position makes it fit; `values` is its own range, "" if it is written out."""

    span: Span
    what: str
    domain: str
    written: str
    values: str


@dataclass(frozen=True, slots=True)
class WrongVerb:
    """A conclusion that does not fit the kind of term: `adds` on a verdict, `is` on a sum."""

    span: Span
    term: str
    form: str
    verb: str
    fitting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell, printed factor or fact that does not fit its declared type."""

    span: Span
    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class MissingField:
    """A record, action or counter that lacks a field it needs; `in_chart`: as other rows of its chart may."""

    span: Span
    what: str
    missing: tuple[str, ...]
    in_chart: bool = False


@dataclass(frozen=True, slots=True)
class TermCycle:
    """Terms that ask each other in a circle."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A construct that makes no sense where it stands: a hex named or an action offered twice, a range run backwards.

    `message` and `advice` are whole sentences; mistakes of one `root` are one.
    """

    span: Span
    message: str
    advice: str
    root: str = ""


@dataclass(frozen=True, slots=True)
class KeysTurned:
    """The types of two keys of `table` stand in each other's place; `head` is how its keys are to be written."""

    span: Span
    other: Span
    table: str
    keys: tuple[str, str]
    head: str


Problem = (
    UnknownName
    | UnknownMember
    | UnknownFlag
    | AmbiguousName
    | DuplicateName
    | ListedTwice
    | ReadsAlike
    | VictoryAlike
    | TypeMismatch
    | MeasureMismatch
    | WrongArity
    | OneAtMost
    | MayBeAbsent
    | MayBeZero
    | MayBeEmpty
    | KeyOutside
    | NeverFits
    | WrongVerb
    | BadCell
    | MissingField
    | MissingFact
    | TermCycle
    | Misplaced
    | KeysTurned
    | SuspectedMisprint
    | SuspectedOwner
    | SaidOfAnother
)

# Warnings: what stands there can be played as it is.
Suspicion = SuspectedMisprint | SuspectedOwner | SaidOfAnother
