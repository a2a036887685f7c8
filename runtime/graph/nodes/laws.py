"""Terms and the rules that answer them; tables; rulings, disputes and cases.

Stages are resolved: a staged term `t` queries `t.last`, and each stage `t.s` is a term whose `otherwise` queries the
stage before it. A flag with rules is a term of form "flag".
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.expressions import Expr, LiteralExpr
from runtime.graph.nodes.kinds import Form, Hit, Verb
from runtime.graph.nodes.types import Type
from runtime.graph.nodes.vocabulary import Origin, Parameter


@frozen_dataclass
class Beside:
    """Another question beside which a term stands: what that one denies of these arguments, this one denies, too.

    `excepted` are the labels of its prohibitions that do not hold here.
    """

    term: str
    arguments: tuple[Expr, ...]
    excepted: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Term:
    """A named question.

    form: value, sum, min, max, set, verdict, condition, flag. `rules` are the labels of rules that conclude on it or
    defeat one that does, every defeater before what it defeats. Those that a verdict or condition adopts from terms
    beside which it stands (`beside`) are among them: `adopted_rules.py` has them with this term's parameters.
    `default` is the answer of a verdict or condition if no rule is live (True: allowed, yes). `otherwise` likewise for
    value, min, max. For a flag the base answer is what is printed or marked.
    """

    name: str
    form: Form
    parameters: tuple[Parameter, ...]
    type: Type
    rules: tuple[str, ...]
    default: bool | None
    otherwise: Expr | None
    capped: tuple[int, int] | None
    reads: str
    denied: str
    cites: tuple[str, ...]
    origin: Origin
    beside: tuple[Beside, ...] = ()


@frozen_dataclass
class Rule:
    """One labeled clause.

    verb: is, adds, offers, includes, excludes, allows, forbids, holds, fails, or "" for a rule that only defeats.
    `value` is its conclusion (verdicts have none; for flags it is a Truth). `names` are its `with`s in order, `defeats`
    the labels of rules of the same term that are silent while it is live. `relations` are the relations as written:
    (verb, label) pairs, e.g. ("exception", "open-ground"), ("clarifies", ..), ("replaces", ..), ("suppresses", ..); in
    rulings also ("concerns", "action:x") and ("carried", "hook:x"). For an amendment of a procedure, the verb is the
    whole line: ("withdraws step do pay of action march", "action:march"). A rule without conclusion may apply to
    several `terms`.
    """

    label: str
    terms: tuple[str, ...]
    verb: Verb
    value: Expr | None
    names: tuple[tuple[str, Expr], ...]
    guard: Expr | None
    defeats: tuple[str, ...]
    relations: tuple[tuple[str, str], ...]
    case: str  # label of the innermost case, "" if none
    ruling: str  # label of the ruling it belongs to, "" if none
    reading: str  # label of the reading it belongs to, "" if none
    cites: tuple[str, ...]
    prose: str
    origin: Origin


@frozen_dataclass
class TableRow:
    """One row of a table, which is one cell of a grid: accepted values per key (None: any), its content, its origin.

    keys: for each key the values that it accepts, as ranges (`low` = `high` for one value); None: any. kind: the cell's
    kind ("" in tables of one kind). value: None for kinds that are mere words.
    """

    keys: tuple["tuple[Match, ...] | None", ...]
    kind: str
    value: LiteralExpr | None
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Match:
    """One accepted key value, or a range of them. Values as in types.py; enum members by name."""

    low: int | Fraction | str | bool
    high: int | Fraction | str | bool


@frozen_dataclass
class Table:
    """A chart. `hit` is unique, any, collect or first; `operator` joins collected cells.

    title: "" for one that is named by its wording. edition: the edition that alone prints it, "" for all.
    """

    name: str
    keys: tuple[Parameter, ...]
    cells: tuple[tuple[str, Type | None], ...]
    hit: Hit
    operator: str
    rows: tuple[TableRow, ...]
    title: str
    edition: str
    reads: str
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Ruling:
    """An official answer with the labels of its own rules.

    `concerns` are procedures that it clarifies or that implement it: `action:x`, `resolution:x`, `phase:x`, `hook:x`
    (of an event x).
    """

    label: str
    kind: str
    impact: str
    asks: str
    answers: str
    rules: tuple[str, ...]
    clarifies: tuple[str, ...]
    cites: tuple[str, ...]
    origin: Origin
    concerns: tuple[str, ...] = ()


@frozen_dataclass
class Reading:
    """One reading of a dispute; `chosen` in this stack or not.

    Rules of unchosen readings are not loaded. `laws` are those of these rules that decide answers, with relations but
    without edges, so that answers are compared with them. `charts` are the charts that the reading changes.
    """

    label: str
    cites: tuple[str, ...]
    reason: str
    chosen: bool
    rules: tuple[str, ...]
    laws: tuple[Rule, ...] = ()
    charts: tuple[str, ...] = ()


@frozen_dataclass
class Dispute:
    """A contradiction between sources."""

    label: str
    question: str
    readings: tuple[Reading, ...]
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Case:
    """A heading of the book. `parent` is the label of the case around it, "" at the top."""

    label: str
    title: str
    number: str
    parent: str
    origin: Origin
