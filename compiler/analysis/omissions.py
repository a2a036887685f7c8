"""Findings about what a law still lacks (see problems.py): a source, a true sentence, a number of its own, an example.

Also about what a procedure lacks: a check before it acts; an action: what it is worth; a counter: figures like those
of its kind, or a note of where it is printed so.
"""

from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UncitedRule:
    """A rule names no source, not even `house`."""

    rule: Party


@dataclass(frozen=True, slots=True)
class RuleWithoutProse:
    """A rule does not say in a sentence what it means."""

    rule: Party


@dataclass(frozen=True, slots=True)
class ProseDiffers:
    """The sentence of a rule says `stated`, its law (or what is `where`) `written`: another number, or the opposite."""

    rule: Party
    stated: str
    written: str
    where: str = "law"


@dataclass(frozen=True, slots=True)
class AnswerDiffers:
    """A ruling has the `answer` "yes" or "no" to what may be done; its rule, or what is `where`, says the contrary."""

    ruling: Party
    answer: str
    rule: Party
    where: str = "law"


@dataclass(frozen=True, slots=True)
class UnshownNumber:
    """A ruling answers with `stated`, "two points", and its examples have `shown`, other numbers of that."""

    ruling: Party
    stated: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberTaken:
    """Two cases are printed under one number."""

    number: str
    case: Party
    first: Party


@dataclass(frozen=True, slots=True)
class UnshownClarification:
    """A clarification has no example; nothing else can show that it is true."""

    ruling: Party


@dataclass(frozen=True, slots=True)
class UnguardedStep:
    """A step is governed by a precondition, and no step on the way asks its question, `term`.

    `needed` is the question as the step needs it answered; `instead` has the questions about the same term that are
    asked on the way, all with other arguments. `others` are procedures whose steps it governs as well, and that do ask.
    """

    procedure: Party
    step: StepPlace
    precondition: Party
    term: str
    needed: str
    instead: tuple[str, ...]
    others: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class UnaskedVerdict:
    """A verdict has so many `rules`, and no step, precondition or other term of the play asks it."""

    verdict: Party
    rules: int


@dataclass(frozen=True, slots=True)
class UnaskedCase:
    """Play asks `term` in other cases than a rule is for; `cases` has parameters with their members, "pace: run"."""

    rule: Party
    term: str
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoPreference:
    """An action that may be left alone states neither what is preferable about it nor that it is never preferred."""

    action: Party


@dataclass(frozen=True, slots=True)
class DiceWithoutAccount:
    """A procedure throws dice and has no account, where others have one."""

    procedure: Party


@dataclass(frozen=True, slots=True)
class BetweenRows:
    """A chart is read with a `key` that may be a fraction, and may so lie between two rows or columns of it."""

    reader: Party
    table: str
    called: str
    key: str


@dataclass(frozen=True, slots=True)
class NoFigures:
    """A procedure creates a piece of a kind with printed figures, and which counter it shows is not said."""

    procedure: Party
    step: StepPlace
    kind: str
    figures: tuple[str, ...]
    counters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CounterAlone:
    """A counter has `value`, where all `count` others of its chart that are like it have `usual`."""

    counter: Party
    value: str
    usual: str
    count: int


@dataclass(frozen=True, slots=True)
class ColumnsExchanged:
    """All lines of a chart would run in order if `one` and `other`, two values of `key`, changed places.

    `cells` is where the first cell of each of the two is written; of two cells of one `line`, where these are.
    """

    table: Party
    key: str
    one: str
    other: str
    cells: tuple[graph.Origin, ...] = ()
    line: str = ""


@dataclass(frozen=True, slots=True)
class CitesElsewhere:
    """A law cites an item of `section`, and its words are rather those of what cites `nearest`."""

    law: Party
    cite: str
    section: str
    nearest: str


@dataclass(frozen=True, slots=True)
class TextsContrary:
    """A law says `stated` in one of its texts (`what`, "its answer"), and `other` the contrary in one of its own.

    `rule` is the rule or ruling; `other` may be the same one, if both texts are its own.
    """

    rule: Party
    what: str
    stated: str
    other: Party
    where: str
    written: str


@dataclass(frozen=True, slots=True)
class ItemOfTwo:
    """Two rulings cite one item of a document whose items are answered one by one; `uncited` are left by all."""

    ruling: Party
    other: Party
    cite: str
    uncited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemElsewhere:
    """A law cites an item that `others` cite for something else; it is like those that cite another one, `nearest`."""

    law: Party
    cite: str
    others: tuple[str, ...]
    nearest: str
    similar: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NobodyWins:
    """A situation is played on a stack that has a sequence and names no outcome: every game of it is a draw."""

    card: Party
    sequence: Party


@dataclass(frozen=True, slots=True)
class NeverComesOn:
    """So many of a unit of a card stand nowhere and have no area to come on in, and nothing reads their reserve."""

    card: Party
    side: str
    unit: str
    count: int


@dataclass(frozen=True, slots=True)
class AnswerOfAnother:
    """A ruling has the answer of `other`; or its `question` asks "which", and its `answer` is yes or no."""

    ruling: Party
    question: str
    other: Party | None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class OpeningDiffers:
    """The opening of a section says a number that nothing of the section has: `stated`, in the words around it."""

    case: Party
    stated: str


@dataclass(frozen=True, slots=True)
class SectionUnopened:
    """A section has no opening, and most of them have: `opened` others."""

    case: Party
    opened: int


@dataclass(frozen=True, slots=True)
class HardToRead:
    """A sentence that readers get does not stand alone, or is too long: `how` says which, with its own words."""

    where: Party
    how: str


Duty = (
    UncitedRule
    | RuleWithoutProse
    | ProseDiffers
    | AnswerDiffers
    | UnshownNumber
    | NumberTaken
    | UnshownClarification
    | UnguardedStep
    | NoPreference
    | UnaskedVerdict
    | UnaskedCase
    | CounterAlone
    | ColumnsExchanged
    | CitesElsewhere
    | BetweenRows
    | DiceWithoutAccount
    | NoFigures
    | TextsContrary
    | ItemOfTwo
    | ItemElsewhere
    | AnswerOfAnother
    | NobodyWins
    | NeverComesOn
    | OpeningDiffers
    | SectionUnopened
    | HardToRead
)
