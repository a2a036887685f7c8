"""Which rules, questions, lines of charts, procedures and steps no example comes by.

In: a graph, some of its layers, and graphs with the runs of their examples, which may be those of other stacks with the
same layers. Out: for each kind of thing how many there are, and those that no run came by. A thing that a run came by
need not have made a difference to it: that only mutation tells.

A step is covered when its instruction was carried out. The choices and conditions at the head of an action are covered
with the action; a loop in which values are set and nobody is asked or called is one step.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.rows import row_label
from runtime.graph.walk import walk
from runtime.play.effects import EFFECTS
from runtime.play.flatten import flatten_all
from runtime.play.instructions import Gather, Next, Program

# The kinds, as they are told.
RULES, QUESTIONS, LINES, STEPS = "rules", "questions", "lines of charts", "steps"
PROCEDURES = {"action": "actions", "resolution": "resolutions", "hook": "hooks"}
KINDS = (RULES, QUESTIONS, LINES, *PROCEDURES.values(), STEPS)

Ran = tuple[graph.Graph, Sequence[Run]]
# What a procedure is known by in every stack: hooks are numbered anew in each.
Identity = tuple[str, str, str, graph.Origin]
Instructions = frozenset[tuple[Identity, int]]


@dataclass(frozen=True, slots=True)
class Place:
    """A thing that no example comes by: its kind, its name and where it stands. `step` is set for steps alone."""

    kind: str
    name: str
    origin: graph.Origin
    procedure: str = ""
    step: graph.Step | None = None


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """How many things of each kind there are, and those that none of so many `cases` comes by."""

    cases: int
    counts: Mapping[str, int]
    places: tuple[Place, ...]

    def count_uncovered(self, kind: str) -> int:
        """Count the things of a kind that no example comes by."""
        return sum(place.kind == kind for place in self.places)


def coverage_report(rules: graph.Graph, layers: Collection[str], ran: Iterable[Ran]) -> CoverageReport:
    """Find what no example comes by of what some layers of a graph say."""
    groups = tuple(ran)
    runs = [run for _, every in groups for run in every]
    found = [
        *_rules(rules, {label for run in runs for label in run.rules}),
        *_questions(rules, {name for run in runs for name in run.terms}),
        *_lines(rules, {row for run in runs for row in run.rows}),
        *_conduct(rules, frozenset().union(*(_instructions(rules, *group) for group in groups))),
    ]
    own = [(place, is_covered) for place, is_covered in found if place.origin.layer in layers]
    counts = {kind: sum(place.kind == kind for place, _ in own) for kind in KINDS}
    return CoverageReport(len(runs), counts, tuple(place for place, is_covered in own if not is_covered))


# Each of these lists what there is, and whether an example comes by it.
Judged = Iterator[tuple[Place, bool]]


def _rules(rules: graph.Graph, live: Collection[str]) -> Judged:
    """Judge the rules that conclude something; what a rule only overrules or amends shows elsewhere."""
    for label, rule in rules.rules.items():
        if rule.terms and rule.verb:
            yield Place(RULES, label, rule.origin), label in live


def _questions(rules: graph.Graph, asked: Collection[str]) -> Judged:
    for name, term in rules.terms.items():
        yield Place(QUESTIONS, name, term.origin), name in asked


def _lines(rules: graph.Graph, read: Collection[graph.TableRow]) -> Judged:
    for table in rules.tables.values():
        for row in table.rows:
            yield Place(LINES, row_label(table, row, rules.vocabulary), row.origin), row in read


def _conduct(rules: graph.Graph, carried_out: Instructions) -> Judged:
    """Judge procedures and their steps; of a procedure that is never begun the steps are not listed one by one."""
    begun = {identity for identity, _ in carried_out}
    for key, program in flatten_all(rules).of.items():
        procedure, name = program.procedure, key.partition(":")[2].partition("#")[0]
        identity = _identity(procedure)
        if procedure.what in PROCEDURES:
            yield Place(PROCEDURES[procedure.what], name, procedure.origin), identity in begun
        for number, step in _steps(program):
            place = Place(STEPS, name or key, _cited(step, procedure.origin), key, step)
            yield place, identity not in begun or (identity, number) in carried_out


def _identity(procedure: graph.Procedure) -> Identity:
    return procedure.what, procedure.name, procedure.event, procedure.origin


def _cited(step: graph.Step, otherwise: graph.Origin) -> graph.Origin:
    cited = getattr(step, "cited", None)
    return otherwise if cited is None else cited.origin


def _steps(program: Program) -> Iterator[tuple[int, graph.Step]]:
    """List the steps of a program that are covered or not by themselves, each with the number of its instruction."""
    written = {id(node): node for node in walk(program.procedure.body) if isinstance(node, graph.Step)}
    loops = {id(node.source): node for node in written.values() if isinstance(node, graph.Loop)}
    at = program.prefix
    while at < len(program.code):
        instruction = program.code[at]
        number, at = at, at + 1
        if isinstance(instruction, Gather):
            loop = program.code[number + 1]
            body = program.code[number + 2 : loop.target - 1] if isinstance(loop, Next) else ()
            if body and all(type(inside) in EFFECTS for inside in body):
                yield number, loops[id(instruction.source)]
                at = number + 2 + len(body)
        elif id(instruction) in written:
            yield number, written[id(instruction)]


def _instructions(rules: graph.Graph, other: graph.Graph, runs: Sequence[Run]) -> Instructions:
    """Give what runs under some graph carried out, by where its procedures stand, as far as the rules have the same."""
    mine = {_identity(procedure): procedure for procedure in rules.procedures.values()}
    known: dict[str, Identity | None] = {}
    for key in {key for run in runs for key, _ in run.executed} & other.procedures.keys():
        procedure = other.procedures[key]
        here = mine.get(_identity(procedure))
        known[key] = None if here is None or here.body != procedure.body else _identity(procedure)
    pairs = ((known.get(key), number) for run in runs for key, number in run.executed)
    return frozenset((identity, number) for identity, number in pairs if identity is not None)
