"""Findings about what a law lacks (see problems.py): a source, a true sentence, a unique number, an example.

Also about what a procedure lacks: a test before it acts; an action: its preference; a counter: values like those of its
kind, or a note of where the value is printed so.

In: what a check found. Out: facts, without text.
"""

from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UncitedRule:
    """A rule cites no source, not even `house`."""

    rule: Party


@dataclass(frozen=True, slots=True)
class RuleWithoutProse:
    """A rule has no sentence."""

    rule: Party


@dataclass(frozen=True, slots=True)
class ProseDiffers:
    """The sentence of a rule has `stated`, its law (or `counterpart`) `written`: another number, or the opposite."""

    rule: Party
    stated: str
    written: str
    counterpart: str = "law"


@dataclass(frozen=True, slots=True)
class NumberTaken:
    """Two cases are printed under one number."""

    number: str
    case: Party
    first: Party


@dataclass(frozen=True, slots=True)
class UnshownClarification:
    """A clarification has no example, without which nothing tests it."""

    ruling: Party


@dataclass(frozen=True, slots=True)
class UnguardedStep:
    """A step is governed by a precondition, and no step on its access path tests its question, `term`.

    `required_question` is the question that the step requires answered yes; `other_guards` has the guards about the
    same term on the path, all with other arguments. `others` are procedures whose steps it governs as well, and that do
    test it.
    """

    procedure: Party
    step: StepPlace
    precondition: Party
    term: str
    required_question: str
    other_guards: tuple[str, ...]
    others: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class UnaskedVerdict:
    """A verdict has `rules` rules, and no step, precondition or other term of the play queries it."""

    verdict: Party
    rules: int


@dataclass(frozen=True, slots=True)
class UnaskedCase:
    """Play queries `term` only with arguments that a rule is not for.

    `cases` has parameters with their members, "pace: run".
    """

    rule: Party
    term: str
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoPreference:
    """An optional action has no preference and does not say so; `never`: it has one that is zero at most."""

    action: Party
    never: str = ""


@dataclass(frozen=True, slots=True)
class BetweenRows:
    """A chart is looked up with a `key` that may be a fraction, and may so be between two rows or columns of it."""

    reader: Party
    table: str
    called: str
    key: str


@dataclass(frozen=True, slots=True)
class NoFigures:
    """A procedure creates a piece of a kind with printed values, and does not state its counter."""

    procedure: Party
    step: StepPlace
    kind: str
    figures: tuple[str, ...]
    counters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CounterAlone:
    """A counter has `value`, where all `count` similar ones of its chart have `common_value`."""

    counter: Party
    value: str
    common_value: str
    count: int


@dataclass(frozen=True, slots=True)
class ColumnsExchanged:
    """An exchange of `first` and `second`, two values of `key`, would make all lines of a chart monotonic.

    `cells` are the positions of the first cells of the two; of two cells of one `line`, those of the cells.
    """

    table: Party
    key: str
    first: str
    second: str
    cells: tuple[graph.Origin, ...]
    line: str = ""


@dataclass(frozen=True, slots=True)
class ArgumentsExchanged:
    """`caller` exchanges two arguments that are called as each other's parameters, `names`.

    `written` is the question or the call of a resolution, `corrected` the same with these arguments in order.
    """

    caller: Party
    written: str
    corrected: str
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class RepeatedArgument:
    """`caller` gives one `argument` for two parameters, `names`, in the call `written`; all others give two."""

    caller: Party
    written: str
    argument: str
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class VictoryAim:
    """A victory line: `level` of `side` is reached by more of a `quantity`, or less of it.

    If it `is_yes_no`, by a yes or a no.
    """

    rule: Party
    side: str
    level: str
    quantity: str
    is_yes_no: bool
    is_more: bool


@dataclass(frozen=True, slots=True)
class ContraryAim:
    """A victory line, `rule`, is reached by what works against its own side, as the line `other` shows."""

    rule: Party
    aim: VictoryAim
    other: VictoryAim


@dataclass(frozen=True, slots=True)
class NobodyWins:
    """A situation is played on a stack that has a sequence and no outcome: every game of it is a draw."""

    card: Party
    sequence: Party


@dataclass(frozen=True, slots=True)
class NeverComesOn:
    """`count` pieces of a unit of a card are not set up, have no area to enter by, and no rule reads their reserve."""

    card: Party
    side: str
    unit: str
    count: int


@dataclass(frozen=True, slots=True)
class HardToRead:
    """A printed sentence depends on its context, or is too long: `fault` states which, with an excerpt."""

    party: Party
    fault: str


@dataclass(frozen=True, slots=True)
class AskedOfTheLeft:
    """A `rule` asks whether any piece has done `deed`, and counts only those that are still on the map."""

    rule: Party
    deed: str


@dataclass(frozen=True, slots=True)
class DoneTooEarly:
    """A hook, `procedure`, changes the position when `event` announces a move that `mover` may not make afterwards."""

    procedure: Party
    event: str
    mover: Party


@dataclass(frozen=True, slots=True)
class TurnNeverComes:
    """A `fact` of a `card` lists turns that are not among its `turns`."""

    card: Party
    fact: str
    absent: tuple[str, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class KeptInOneOrder:
    """A prohibition on `act` for pieces with a status that `others` set: they are not forbidden after `act`."""

    rule: Party
    status: str
    act: Party
    others: tuple[Party, ...]


OmissionProblem = (
    UncitedRule | RuleWithoutProse | ProseDiffers | NumberTaken | UnshownClarification
    | UnguardedStep | NoPreference | UnaskedVerdict | UnaskedCase | CounterAlone | ColumnsExchanged
    | BetweenRows | NoFigures
    | NobodyWins | ContraryAim | NeverComesOn | HardToRead
    | ArgumentsExchanged | RepeatedArgument | AskedOfTheLeft | DoneTooEarly
    | TurnNeverComes | KeptInOneOrder
)  # fmt: skip
