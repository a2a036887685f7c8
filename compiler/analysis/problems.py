"""The findings of proofs: facts and the places of all parties; the words are in report/words/analysis.py.

`when` says in words which answers to which questions bring a finding about. `witness` is a position on which the
interpreter really fails; without one the finding is a suspicion and `bound` says how far was searched.
"""

from compiler.analysis.idle_code import IdleCode
from compiler.analysis.omissions import Duty
from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Witness:
    """A position that proves a finding: `question` is what to `ask` there, `answer` what comes back.

    `file` is the text of a position file that `ask -p` opens. `nearest` is the rule that comes nearest to answering
    where none does, "" if there is none.
    """

    position: graph.Position
    question: str
    answer: str
    file: str
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class RulesOverlap:
    """Two rules, neither defeating the other, give different answers. `others` clash with `left` in the same way.

    `upper` names the rules whose layers may speak of all the rest: in one of them the clash can be settled.
    `left_out` is how many pairs of rules of the term were not looked at any more. `apart` names those of the two that
    also speak where the other does not, `guards` says when each speaks. `beneath` lists what one of them silences, by
    its label, that would clash with the other one if that silenced it.
    """

    term: str
    left: Party
    right: Party
    when: tuple[str, ...]
    witness: Witness | None
    bound: str
    upper: tuple[str, ...]
    others: tuple[Party, ...] = ()
    left_out: int = 0
    apart: tuple[str, ...] = ()
    guards: tuple[tuple[str, str], ...] = ()
    beneath: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerMissing:
    """No rule answers a term that has no `otherwise`."""

    term: Party
    rules: tuple[Party, ...]
    when: tuple[str, ...]
    witness: Witness | None
    bound: str


@dataclass(frozen=True, slots=True)
class RuleOutside:
    """A rule answers with a number that its term does not declare; `domain` is what the term declares, "0..3 MP".

    `cells` are those of the chart it reads the answer from that hold such a number.
    """

    term: Party
    rule: Party
    domain: str
    when: tuple[str, ...]
    witness: Witness
    cells: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class Escape:
    """A procedure sets `target`, declared `domain`, to a number outside of it: `always`, or at times.

    `given`: it, or a rule (then `step` is None), gives the number to a question, a procedure or a new record.
    """

    procedure: Party
    step: StepPlace | None
    target: str
    domain: str
    value: str
    when: tuple[str, ...]
    witness: Witness | None
    always: bool
    given: bool = False


@dataclass(frozen=True, slots=True)
class GivesAway:
    """An action is open or not by secret records of other sides; `by` is the party that reads them."""

    action: Party
    record: str
    by: Party


@dataclass(frozen=True, slots=True)
class AsksTheGone:
    """A step asks where the piece `name` is, which one before it removes, or about its way to where that moved it."""

    procedure: Party
    step: StepPlace
    name: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class OverNothing:
    """A step of a procedure, `written` in short, goes through, or chooses from, a collection that is always empty."""

    procedure: Party
    step: StepPlace
    written: str
    source: str


@dataclass(frozen=True, slots=True)
class NeverEnds:
    """A procedure begins itself again, by way of `others`, whatever happens: in this step."""

    procedure: Party
    step: StepPlace
    others: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class DeadStep:
    """A step that no play passes: `clashing` are its conditions, and those on the way, that hold nowhere together."""

    procedure: Party
    step: StepPlace
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadRule:
    """The guard of this rule is never true: `clashing` are those of its conditions that hold nowhere together."""

    rule: Party
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleAlwaysDefeated:
    """Whenever the guard of this rule is true, so is one of these defeaters; `more` rules share a defeater with it."""

    rule: Party
    by: tuple[Party, ...]
    more: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateRule:
    """Two rules say the same under the same condition."""

    rule: Party
    first: Party


@dataclass(frozen=True, slots=True)
class BeginsAgain:
    """A rule on a later stage takes `factor` up again, as one on an earlier stage did, and not what came of that."""

    rule: Party
    first: Party
    factor: str


@dataclass(frozen=True, slots=True)
class MaskedRule:
    """Whenever this rule speaks, the other one says the same; so it does for `more`: then the other is too wide."""

    rule: Party
    by: Party
    more: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class IdleOverride:
    """This exception never changes an answer; `targets` are the rules it defeats."""

    rule: Party
    targets: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class GrantsNothing:
    """This rule grants what the term grants anyway, and lifts nothing by name."""

    rule: Party
    term: str


@dataclass(frozen=True, slots=True)
class GrantWithheld:
    """Whenever this rule grants something, one of these refuses it."""

    rule: Party
    by: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class RowsOverlap:
    """Two rows of a table answer one question; `differ` tells whether with different cells."""

    table: str
    row: Party
    first: Party
    when: tuple[str, ...]
    differ: bool


@dataclass(frozen=True, slots=True)
class MaskedRow:
    """Earlier rows answer everything that this row of a `first` table could answer."""

    table: str
    row: Party
    by: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class TableGap:
    """No row answers these keys; `count` of `of` key values are left out.

    `whole`: the key of which no row has these `values`, where that is all, from the list of names `type`. `added`: what
    a layer above added without all cells. `across`: the table stands at its columns. `near`: rows that end beside it.
    """

    table: Party
    when: tuple[str, ...]
    count: int
    of: int
    whole: str = ""
    values: tuple[str, ...] = ()
    type: str = ""
    added: Party | None = None
    across: bool = False
    near: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class IdleColumn:
    """A key of a table that decides nothing."""

    table: Party
    key: str


@dataclass(frozen=True, slots=True)
class NeverSet:
    """Something is asked but nothing in play sets it. `what`: status, track, relation, record."""

    what: str
    name: str
    declared: graph.Origin | None
    readers: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class NeverRead:
    """Something is set in play but nothing asks for it."""

    what: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class NeverUsed:
    """Something is declared but neither set nor asked for."""

    what: str
    name: str
    declared: graph.Origin | None


@dataclass(frozen=True, slots=True)
class NeverRuns:
    """Nothing starts this procedure, an action, resolution or hook; `able` have what its event tells of."""

    what: str
    procedure: Party
    able: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NeverCleared:
    """Play sets a status, and neither takes it off nor says how long it lasts."""

    what: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class OfferedElsewhere:
    """An action is offered, by a step of `by`, in `offered` phases ("" outside of all), which are not those it says."""

    action: Party
    phases: tuple[str, ...]
    offered: tuple[str, ...]
    by: Party
    step: StepPlace


@dataclass(frozen=True, slots=True)
class HooksClash:
    """Two hooks on one event, and one of them sets what the other reads or sets: their order would matter.

    `upper` is the layer of the one that stands higher in the stack, "" if they are of the same.
    """

    event: str
    hook: Party
    other: Party
    things: tuple[str, ...]
    upper: str


Problem = (
    RulesOverlap
    | AnswerMissing
    | RuleOutside
    | Escape
    | DeadStep
    | AsksTheGone
    | OverNothing
    | GivesAway
    | DeadRule
    | RuleAlwaysDefeated
    | DuplicateRule
    | BeginsAgain
    | MaskedRule
    | IdleOverride
    | GrantsNothing
    | GrantWithheld
    | RowsOverlap
    | MaskedRow
    | TableGap
    | IdleColumn
    | NeverSet
    | NeverRead
    | NeverUsed
    | NeverCleared
    | NeverEnds
    | NeverRuns
    | OfferedElsewhere
    | HooksClash
    | IdleCode
    | Duty
)
