"""Which questions the examples of a stack ask, so that a comparison plays only those that ask a changed one.

The input is a graph that is compared with several others; the output is for each row of an example the questions that a
run of it asks, and the number of its lines that act. Where two stacks differ in the answers of questions alone, a run
that asks none of these is the same in both.
"""

from contextlib import suppress
from dataclasses import dataclass, fields

from runtime.graph import nodes as graph
from runtime.play.rule_faults import BrokenRules
from runtime.witness.set_up import NO_ANSWER, FastInterpreter
from runtime.witness.structural_difference import BOOK, ELSEWHERE
from runtime.witness.traced_run import TracedMachine, TracedRun

# Lines whose result may differ; the others only prepare these.
ACTING = (graph.Perform, graph.Do, graph.Tell, graph.End)
# Lines that query: questions, and the order of stations in the sequence of play.
ASKING = (graph.Check, graph.Order)
REFUSED_ANSWER = "refused"
# Errors where one stack cannot express what the other's example does.
PARTED = (BrokenRules, AttributeError, *NO_ANSWER)
# Parts of a graph that no answer outside of questions depends on.
OF_QUESTIONS = {"rules", "terms", *BOOK, *ELSEWHERE[graph.Graph]}


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A run of one row of an example: whether it can be set up, how many lines acted, the questions it asked."""

    example: graph.Example
    is_possible: bool
    line_count: int
    terms: frozenset[str]


class AskedQuestions:
    """The runs of the examples of one stack, each made when it is first needed."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules
        self._rows: dict[tuple[int, int], PlayedRow] = {}

    def changed_terms(self, a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
        """Return the questions in whose rules two stacks differ; None if more differs, or the first is not this one."""
        if _changed_terms(self.rules, a) != frozenset():
            return None
        return _changed_terms(a, b)

    def row(self, example: graph.Example, row: int) -> PlayedRow:
        """Return the run of a row."""
        key = id(example), row
        if key not in self._rows:
            self._rows[key] = self._played(example, row)
        return self._rows[key]

    def _played(self, example: graph.Example, row: int) -> PlayedRow:
        """Play a row as a comparison does where both stacks agree (paired_replay.py)."""
        try:
            run = _AskingRun(self.rules, example, row)
        except PARTED:
            return PlayedRow(example, is_possible=False, line_count=0, terms=frozenset())
        line_count = 0
        with suppress(*PARTED):
            for line in example.lines:
                if isinstance(line, graph.Check):
                    with suppress(BrokenRules, *NO_ANSWER):
                        run.step(line)
                elif isinstance(line, graph.Order) and not line.stops:
                    pass  # It is the same in both where the sequence of play is.
                elif isinstance(line, (*ACTING, graph.Order)):
                    line_count += 1
                    if run.step(line) not in {"", REFUSED_ANSWER}:
                        break
                elif run.step(line):
                    break
        return PlayedRow(example, is_possible=True, line_count=line_count, terms=frozenset(run.tracing.terms))


class _AskingRun(TracedRun):
    """A run that records the questions it asks."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int) -> None:
        quick = FastInterpreter(rules)
        super().__init__(rules, example, row, TracedMachine(rules, quick), quick)
        self.answers = self.tracing
        self.machine = self.traced_machine = TracedMachine(rules, self.tracing)


def _changed_terms(a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
    """Return the questions in whose rules two stacks differ; None if more differs than questions."""
    names = (each.name for each in fields(graph.Graph) if each.name not in OF_QUESTIONS)
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return None
    return frozenset(
        name
        for name in a.terms.keys() | b.terms.keys()
        if a.terms.get(name) != b.terms.get(name)
        or any(a.rules.get(label) != b.rules.get(label) for label in a.terms[name].rules)
    )
