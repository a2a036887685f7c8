"""Compute which places cases of examples, and their lines, reach, and how suspicious that makes a place.

The input is a graph and the runs of its examples; the output is coverages, and the measure of Ochiai for a place: the
number of failing ones that reach it, over the root of the product of all failing ones and all that reach it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from runtime.examples.row_result import Run
from runtime.examples.run import ExampleRun
from runtime.graph import nodes as graph
from runtime.mutation.declaration_mutants import uses_counter
from runtime.mutation.repairs import Place
from runtime.play.game import SEQUENCE
from runtime.play.playthrough import Names
from runtime.state.position import State


@dataclass(frozen=True, slots=True)
class CaseCoverage:
    """The coverage of a case, or of one line: `asks` is then the line whose answer was derived in isolation."""

    example: graph.Example
    asks: graph.ExampleLine | None
    failed: bool
    rules: frozenset[str]
    rows: frozenset[graph.TableRow]
    terms: frozenset[str]
    entered: frozenset[str] = frozenset()

    def covers(self, place: Place) -> bool:
        """Return whether it covers a place: a rule that was live, a row that was read, a procedure that ran."""
        kind, name = place
        match kind:
            case "rule":
                return name in self.rules
            case "term":
                return name in self.terms
            case "row":
                return name in self.rows
            case _:
                return name in self.entered


def case_coverage(run: Run, *, failed: bool = False) -> CaseCoverage:
    """Return the coverage of a whole case."""
    entered = run.entered | run.procedures | (frozenset({SEQUENCE}) if run.follows_sequence else frozenset())
    return CaseCoverage(run.example, None, failed, run.rules, run.rows, run.terms, entered - _begun_later(run))


def _begun_later(run: Run) -> frozenset[str]:
    """Return the actions and resolutions that lines begin only after the last failing one, and so do not cause it."""
    lines = run.example.lines
    failing_origins = {failure.origin for failure in run.failures}
    last = max(
        (index for index, line in enumerate(lines) if getattr(line, "origin", None) in failing_origins),
        default=len(lines),
    )
    return _begun(lines[last + 1 :]) - _begun(lines[: last + 1])


def _begun(lines: Iterable[graph.ExampleLine]) -> frozenset[str]:
    """Return the actions and resolutions that lines begin."""
    return frozenset(
        f"action:{line.action}" if isinstance(line, graph.Perform) else f"resolution:{line.resolution}"
        for line in lines
        if isinstance(line, graph.Perform | graph.Do)
    )


@dataclass(slots=True)
class Spectrum:
    """The coverage of failing and of passing cases, from which the suspicion of a place is computed."""

    rules: graph.Graph
    failing: Sequence[CaseCoverage]
    passing: Sequence[CaseCoverage]
    known: dict[Place, float] = field(default_factory=dict)

    def suspicion(self, place: Place) -> float:
        """Return the measure of Ochiai: 1 if all failing ones, and no others, reach a place."""
        found = self.known.get(place)
        if found is None:
            failing, passing = (sum(self.covers(place, each) for each in all_) for all_ in (self.failing, self.passing))
            found = failing / sqrt(len(self.failing) * (failing + passing)) if failing else 0.0
            self.known[place] = found
        return found

    def covers(self, place: Place, each: CaseCoverage) -> bool:
        """Return whether a case or line reaches a place."""
        return uses_counter(self.rules, each.example, str(place[1])) if place[0] == "counter" else each.covers(place)


class LineCoverageRecorder(ExampleRun):
    """A run of a row that derives the answer of each question in isolation."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int) -> None:
        """Start the row."""
        super().__init__(rules, example, row)
        self.lines: list[CaseCoverage] = []

    def check(self, state: State, line: graph.Check, names: Names) -> None:
        """Evaluate a line, and record what the answer depends on."""
        tracing, before = self.tracing, len(self.failures)
        saved_sets = tracing.rules, tracing.read, tracing.terms
        tracing.rules, tracing.read, tracing.terms = set(), {}, set()
        state.forget_answers()
        ended = False
        try:
            super().check(state, line, names)
            ended = True
        finally:
            failed = not ended or len(self.failures) > before
            rules, rows, terms = frozenset(tracing.rules), frozenset(tracing.read.values()), frozenset(tracing.terms)
            self.lines.append(CaseCoverage(self.example, line, failed, rules, rows, terms))
            tracing.rules |= saved_sets[0]
            tracing.read |= saved_sets[1]
            tracing.terms |= saved_sets[2]

    def explain_answers(self, *_: object) -> str:
        """Return no explanation, which would query more."""
        return ""


def line_coverage(rules: graph.Graph, run: Run) -> list[CaseCoverage]:
    """Run a case, and return the coverage of each of its questions."""
    playing = LineCoverageRecorder(rules, run.example, run.row)
    playing.run_case()
    return playing.lines
