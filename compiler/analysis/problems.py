"""The findings of proofs, as data: facts and the positions of all parties; their texts are in report/words/analysis.py.

`when` lists, as texts, the answers to questions under which a finding occurs. `witness` is a position on which the
interpreter fails; without one the finding is a suspect, and `bound` is the extent of the search.
"""

from compiler.analysis.idle_code import IdleCode
from compiler.analysis.omissions import OmissionProblem
from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.witness_position import WitnessPosition


@dataclass(frozen=True, slots=True)
class RulesOverlap:
    """Two rules, neither defeating the other, conclude different answers.

    `others` conflict with `left` in the same way. `upper` lists the rules whose layers may mention all the others: in
    one of them the conflict can be resolved. `unexamined_count` is the number of pairs of rules of the term that were
    not examined. `independent_labels` lists those of the two that are also live where the other is not; `guards` has
    their guards. `exposed_rules` lists, by the label of one of them, rules that it defeats and that would conflict with
    the other one if that defeated it.
    """

    term: str
    left: Party
    right: Party
    when: tuple[str, ...]
    witness: WitnessPosition | None
    bound: str
    upper: tuple[str, ...]
    others: tuple[Party, ...] = ()
    unexamined_count: int = 0
    independent_labels: tuple[str, ...] = ()
    guards: tuple[tuple[str, str], ...] = ()
    exposed_rules: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TermGap:
    """No rule is live for a term without an `otherwise`."""

    term: Party
    rules: tuple[Party, ...]
    when: tuple[str, ...]
    witness: WitnessPosition | None
    bound: str


@dataclass(frozen=True, slots=True)
class RuleOutside:
    """A rule concludes a number outside the declared range of its term; `domain` is that range, "0..3 MP".

    `cells` are those with such a number in the chart that the rule looks its answer up in.
    """

    term: Party
    rule: Party
    domain: str
    when: tuple[str, ...]
    witness: WitnessPosition
    cells: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class OutOfRangeWrite:
    """A procedure sets `target`, declared `domain`, to a number outside of its range: `always`, or possibly.

    `is_argument`: it, or a rule (then `step` is None), passes the number to a question, a procedure or a new record.
    """

    procedure: Party
    step: StepPlace | None
    target: str
    domain: str
    value: str
    when: tuple[str, ...]
    witness: WitnessPosition | None
    always: bool
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class GivesAway:
    """Whether an action is open depends on secret records of other sides; `reader` is the party that reads them.

    With `note`, a procedure copies a choice that it writes into a secret record to this note, which all sides see, or
    (`is_kept`) what a record has that it does not strike. With a `choice` alone, a die decides a field of the record.
    """

    action: Party
    record: str
    reader: Party
    note: str = ""
    choice: str = ""
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class AsksTheGone:
    """A step reads the place of a piece, `name`, that an earlier step removed, or its route to where that moved it."""

    procedure: Party
    step: StepPlace
    name: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class NeverEnds:
    """A procedure starts itself again, by way of `others`, on every path: in this step."""

    procedure: Party
    step: StepPlace
    others: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class DeadStep:
    """A step that no play passes: `clashing` are the conditions of it and its path that exclude one another."""

    procedure: Party
    step: StepPlace
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadRule:
    """The guard of this rule is unsatisfiable: `clashing` are those of its conditions that exclude one another."""

    rule: Party
    clashing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleAlwaysDefeated:
    """Whenever the guard of this rule is true, so is one of these defeaters; `more` rules share a defeater with it."""

    rule: Party
    defeaters: tuple[Party, ...]
    more: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateRule:
    """Two rules have equal guards and conclusions."""

    rule: Party
    first: Party


@dataclass(frozen=True, slots=True)
class BeginsAgain:
    """A rule on a later stage reads `factor`, as one on an earlier stage does, and not the value computed there."""

    rule: Party
    first: Party
    factor: str


@dataclass(frozen=True, slots=True)
class MaskedRule:
    """Whenever this rule is live, the other one concludes the same.

    If it does so for `more` as well, the other is too wide.
    """

    rule: Party
    masking_rule: Party
    more: tuple[Party, ...] = ()


@dataclass(frozen=True, slots=True)
class IdleOverride:
    """This exception never changes an answer; `targets` are the rules it defeats."""

    rule: Party
    targets: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class GrantsNothing:
    """This rule grants what the default grants, or denies what no rule grants (`denies`); it defeats no rule."""

    rule: Party
    term: str
    denies: bool = False


@dataclass(frozen=True, slots=True)
class GrantWithheld:
    """Whenever this rule grants something, one of these denies it."""

    rule: Party
    refusals: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class RowsOverlap:
    """Two rows of a table match the same keys; `has_different_cells`: their cells differ."""

    table: str
    row: Party
    first: Party
    when: tuple[str, ...]
    has_different_cells: bool


@dataclass(frozen=True, slots=True)
class MaskedRow:
    """Earlier rows match all keys that this row of a `first` table matches."""

    table: str
    row: Party
    masking_rows: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class TableGap:
    """No row matches these keys: `count` of the `total` combinations are missing.

    `gap_key`: the key for which no row has these `values`, if those are the whole gap, else "". `added`: what a layer
    above added without all cells.
    """

    table: Party
    when: tuple[str, ...]
    count: int
    total: int
    gap_key: str
    values: tuple[str, ...]
    added: Party | None


@dataclass(frozen=True, slots=True)
class NeverSet:
    """Something is read but never set in play. `kind`: status, track, relation, record."""

    kind: str
    name: str
    declared: graph.Origin | None
    readers: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class NeverRead:
    """Something is set in play but never read."""

    kind: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class NeverUsed:
    """Something is declared but neither set nor read."""

    kind: str
    name: str
    declared: graph.Origin | None


@dataclass(frozen=True, slots=True)
class NeverRuns:
    """No step starts this procedure, an action, resolution or hook; `announcers` have what its event announces."""

    kind: str
    procedure: Party
    announcers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NeverCleared:
    """Play sets a status that is neither removed nor has a declared end, or counts a track toward a prohibition."""

    kind: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class OfferedElsewhere:
    """A step of `offering_procedure` offers an action in the phases `offered` ("" outside all), which it does not name.

    In `remaining_phases`, which it says, it is offered as well.
    """

    action: Party
    phases: tuple[str, ...]
    offered: tuple[str, ...]
    remaining_phases: tuple[str, ...]
    offering_procedure: Party
    step: StepPlace


@dataclass(frozen=True, slots=True)
class HooksClash:
    """Two hooks on one event, one of which sets what the other reads or sets: their order would matter.

    `upper` is the layer of the one that is higher in the stack, "" if they are of the same.
    """

    event: str
    hook: Party
    other: Party
    slots: tuple[str, ...]
    upper: str


Problem = (
    RulesOverlap | TermGap | RuleOutside | OutOfRangeWrite | DeadStep | AsksTheGone | GivesAway | DeadRule
    | RuleAlwaysDefeated | DuplicateRule | BeginsAgain | MaskedRule | IdleOverride | GrantsNothing | GrantWithheld
    | RowsOverlap | MaskedRow | TableGap | NeverSet | NeverRead | NeverUsed | NeverCleared | NeverEnds
    | NeverRuns | OfferedElsewhere | HooksClash | IdleCode | OmissionProblem
)  # fmt: skip
