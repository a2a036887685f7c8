"""Coverage of rules, questions, chart lines and procedures by examples.

In: a graph, some of its layers, and graphs with the runs of their examples, which may belong to other stacks with the
same layers. Out: for each kind of element the total, and the elements that no run executed. A covered element need not
affect the outcome of the run: that is what mutation testing measures.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.rows import row_label

# The kinds, as reports name them.
RULE_COVERAGE, QUESTIONS, LINES = "rules", "questions", "lines of charts"
PROCEDURES = {"action": "actions", "resolution": "resolutions", "hook": "hooks"}
COVERAGE_KINDS = (RULE_COVERAGE, QUESTIONS, LINES, *PROCEDURES.values())

StackRuns = tuple[graph.Graph, Sequence[Run]]


@frozen_dataclass
class _UncoveredElement:
    """An element that no example covers: its kind, name and origin."""

    kind: str
    name: str
    origin: graph.Origin


@frozen_dataclass
class CoverageReport:
    """The number of elements of each kind, and those that none of the `cases` covers."""

    cases: int
    counts: Mapping[str, int]
    places: tuple[_UncoveredElement, ...]


def coverage_report(rules: graph.Graph, layers: Collection[str], ran: Iterable[StackRuns]) -> CoverageReport:
    """Compute the coverage of what these layers of a graph declare."""
    groups = tuple(ran)
    found = [each for each in _judged_elements(rules, groups) if each[0].origin.layer in layers]
    counts = {kind: sum(place.kind == kind for place, _ in found) for kind in COVERAGE_KINDS}
    case_count = sum(len(runs) for _, runs in groups)
    return CoverageReport(case_count, counts, tuple(place for place, is_covered in found if not is_covered))


def _judged_elements(rules: graph.Graph, groups: Sequence[StackRuns]) -> Iterator[tuple[_UncoveredElement, bool]]:
    """Yield each element, and whether an example covers it; rules that only override or amend show in others."""
    live_labels: set[str] = set()
    asked_terms: set[str] = set()
    read_rows: set[graph.TableRow] = set()
    # Each stack numbers its hooks itself, so that procedures are known by their origins.
    entered: set[graph.Origin] = set()
    for stack, runs in groups:
        for run in runs:
            live_labels |= run.rules
            asked_terms |= run.terms
            read_rows |= run.rows
            entered.update(stack.procedures[key].origin for key in run.entered & stack.procedures.keys())
    for label, rule in rules.rules.items():
        if rule.terms and rule.verb:
            yield _UncoveredElement(RULE_COVERAGE, label, rule.origin), label in live_labels
    for name, term in rules.terms.items():
        yield _UncoveredElement(QUESTIONS, name, term.origin), name in asked_terms
    for table in rules.tables.values():
        for row in table.rows:
            yield _UncoveredElement(LINES, row_label(table, row, rules.vocabulary), row.origin), row in read_rows
    yield from _judged_procedures(rules, entered)


def _judged_procedures(rules: graph.Graph, entered: Set[graph.Origin]) -> Iterator[tuple[_UncoveredElement, bool]]:
    """Yield each procedure of a kind that is reported, and whether an example entered it."""
    for key, procedure in rules.procedures.items():
        if procedure.what in PROCEDURES:
            name = key.partition(":")[2].partition("#")[0]
            yield _UncoveredElement(PROCEDURES[procedure.what], name, procedure.origin), procedure.origin in entered
