"""Coverage of rules, questions, chart lines, procedures and steps by examples.

In: a graph, some of its layers, and graphs with the runs of their examples, which may belong to other stacks with the
same layers. Out: for each kind of element the total, and the elements that no run executed. A covered element need not
affect the outcome of the run: that is what mutation testing measures.

A step is covered when its instruction was executed. The choices and conditions at the head of an action are covered
with the action; a loop that only sets values counts as one step.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.rows import row_label
from runtime.graph.walk import walk
from runtime.play.effects import EFFECTS
from runtime.play.flatten import flatten_all
from runtime.play.instructions import BeginLoop, NextMember, Program

# The kinds, as reports name them.
RULE_COVERAGE, QUESTIONS, LINES, STEP_COVERAGE = "rules", "questions", "lines of charts", "steps"
PROCEDURES = {"action": "actions", "resolution": "resolutions", "hook": "hooks"}
COVERAGE_KINDS = (RULE_COVERAGE, QUESTIONS, LINES, *PROCEDURES.values(), STEP_COVERAGE)

StackRuns = tuple[graph.Graph, Sequence[Run]]
# The identity of a procedure across stacks: each stack numbers its hooks itself.
ElementKey = tuple[str, str, str, graph.Origin]
Instructions = frozenset[tuple[ElementKey, int]]


@dataclass(frozen=True, slots=True)
class UncoveredElement:
    """An element that no example covers: its kind, name and origin. `step` is set for steps only."""

    kind: str
    name: str
    origin: graph.Origin
    procedure: str = ""
    step: graph.Step | None = None


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """The number of elements of each kind, and those that none of the `cases` covers."""

    cases: int
    counts: Mapping[str, int]
    places: tuple[UncoveredElement, ...]

    def count_uncovered(self, kind: str) -> int:
        """Count the uncovered elements of a kind."""
        return sum(place.kind == kind for place in self.places)


def coverage_report(rules: graph.Graph, layers: Collection[str], ran: Iterable[StackRuns]) -> CoverageReport:
    """Compute the coverage of what these layers of a graph declare."""
    groups = tuple(ran)
    runs = [run for _, every in groups for run in every]
    found = [
        *_rules(rules, {label for run in runs for label in run.rules}),
        *_questions(rules, {name for run in runs for name in run.terms}),
        *_lines(rules, {row for run in runs for row in run.rows}),
        *_conduct(rules, frozenset().union(*(_instructions(rules, *group) for group in groups))),
    ]
    own_places = [(place, is_covered) for place, is_covered in found if place.origin.layer in layers]
    counts = {kind: sum(place.kind == kind for place, _ in own_places) for kind in COVERAGE_KINDS}
    return CoverageReport(len(runs), counts, tuple(place for place, is_covered in own_places if not is_covered))


# Each of these yields the elements of a kind, and whether an example covers them.
JudgedElements = Iterator[tuple[UncoveredElement, bool]]


def _rules(rules: graph.Graph, live: Collection[str]) -> JudgedElements:
    """Yield each rule with a conclusion and whether it was live; rules that only override or amend show in others."""
    for label, rule in rules.rules.items():
        if rule.terms and rule.verb:
            yield UncoveredElement(RULE_COVERAGE, label, rule.origin), label in live


def _questions(rules: graph.Graph, covered_terms: Collection[str]) -> JudgedElements:
    for name, term in rules.terms.items():
        yield UncoveredElement(QUESTIONS, name, term.origin), name in covered_terms


def _lines(rules: graph.Graph, read: Collection[graph.TableRow]) -> JudgedElements:
    for table in rules.tables.values():
        for row in table.rows:
            yield UncoveredElement(LINES, row_label(table, row, rules.vocabulary), row.origin), row in read


def _conduct(rules: graph.Graph, carried_out: Instructions) -> JudgedElements:
    """Yield procedures and steps and whether they were executed; steps of a procedure that never began are left out."""
    begun_procedures = {identity for identity, _ in carried_out}
    for key, program in flatten_all(rules).entries.items():
        procedure, name = program.procedure, key.partition(":")[2].partition("#")[0]
        identity = _identity(procedure)
        if procedure.what in PROCEDURES:
            yield UncoveredElement(PROCEDURES[procedure.what], name, procedure.origin), identity in begun_procedures
        for number, step in _steps(program):
            place = UncoveredElement(STEP_COVERAGE, name or key, _cited(step, procedure.origin), key, step)
            yield place, identity not in begun_procedures or (identity, number) in carried_out


def _identity(procedure: graph.Procedure) -> ElementKey:
    return procedure.what, procedure.name, procedure.event, procedure.origin


def _cited(step: graph.Step, default: graph.Origin) -> graph.Origin:
    cited = getattr(step, "cited", None)
    return default if cited is None else cited.origin


def _steps(program: Program) -> Iterator[tuple[int, graph.Step]]:
    """Yield the steps of a program whose coverage is counted separately, each with the index of its instruction."""
    written = {id(node): node for node in walk(program.procedure.body) if isinstance(node, graph.Step)}
    loops = {id(node.source): node for node in written.values() if isinstance(node, graph.Loop)}
    index = program.head_length
    while index < len(program.code):
        instruction = program.code[index]
        number, index = index, index + 1
        if isinstance(instruction, BeginLoop):
            loop = program.code[number + 1]
            body = program.code[number + 2 : loop.target - 1] if isinstance(loop, NextMember) else ()
            if body and all(type(inner) in EFFECTS for inner in body):
                yield number, loops[id(instruction.source)]
                index = number + 2 + len(body)
        elif id(instruction) in written:
            yield number, written[id(instruction)]


def _instructions(rules: graph.Graph, other: graph.Graph, runs: Sequence[Run]) -> Instructions:
    """Return the instructions that runs under another graph executed, in procedures with an equal body in `rules`."""
    procedures = {_identity(procedure): procedure for procedure in rules.procedures.values()}
    known: dict[str, ElementKey | None] = {}
    for key in {key for run in runs for key, _ in run.executed} & other.procedures.keys():
        procedure = other.procedures[key]
        counterpart = procedures.get(_identity(procedure))
        known[key] = None if counterpart is None or counterpart.body != procedure.body else _identity(procedure)
    pairs = ((known.get(key), number) for run in runs for key, number in run.executed)
    return frozenset((identity, number) for identity, number in pairs if identity is not None)
