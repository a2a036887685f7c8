"""Run the examples under the original rules, and record their coverage and which altered expressions they distinguish.

The input is a graph and the expressions to observe, each with its alterations; the output is an `OriginalRun` for
each run. A run in which an altered expression always has the original value cannot detect the alteration: weak
mutation (Howden, Weak Mutation Testing and Completeness of Test Sets, 1982), used here to exclude runs that need not
be repeated.
"""

from collections.abc import Iterator, Mapping, Sequence

from runtime.answer.answer import Answer
from runtime.answer.interpreter import PinnedAnswerMap
from runtime.examples.run import ExampleRun, run_result
from runtime.examples.tracing_interpreter import TracingInterpreter, UntracedInterpreter
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.mutation.mutant import OriginalRun
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

ProbeExpressions = Mapping[int, Sequence[graph.Expr]]  # The altered expressions by the id of the original.


class ProbingInterpreter(TracingInterpreter):
    """Evaluates the probes beside each expression, and records those whose value differs: weak mutation."""

    def __init__(self, rules: graph.Graph, pinned_answers: PinnedAnswerMap, probes: ProbeExpressions) -> None:
        """Start with no difference observed."""
        super().__init__(rules, pinned_answers)
        self.probes_left = dict(probes)
        self.evaluated: set[int] = set()
        self.infected_ids: set[int] = set()
        self.count = 0
        self.untraced: UntracedInterpreter | None = None

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Count and answer a question."""
        self.count += 1
        return super().ask(state, name, arguments)

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression and its alterations."""
        expr_id = id(expr)
        self.evaluated.add(expr_id)
        left = self.probes_left.get(expr_id)
        if not left:
            return super().evaluate(state, expr, names)
        if self.reads.expression_creates_record(expr):
            self.infected_ids.update(id(other) for other in left)
            self.probes_left[expr_id] = ()
            return super().evaluate(state, expr, names)
        failed: Exception | None = None
        value: Value = None
        try:
            value = super().evaluate(state, expr, names)
        except Exception as error:  # noqa: BLE001 -- what examples run into is theirs; it is raised below
            failed = error
        self.probes_left[expr_id] = [other for other in left if not self.differs(state, other, names, value, failed)]
        if failed is not None:
            raise failed
        return value

    def differs(self, state: State, other: graph.Expr, names: Names, value: Value, failed: Exception | None) -> bool:
        """Return whether an altered expression has a different value; a difference is recorded."""
        if self.untraced is None:
            self.untraced = UntracedInterpreter(self)
        try:
            found = self.untraced.evaluate(state, other, names)
            same = failed is None and found == value
        except Exception as slip:  # noqa: BLE001 -- an altered expression may ask what cannot be answered
            same = failed is not None and str(slip) == str(failed)
        if not same:
            self.infected_ids.add(id(other))
        return not same


class RecordedRun(ExampleRun):
    """A recorded run of a row of an example."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int, probes: ProbeExpressions) -> None:
        """Start the row."""
        super().__init__(rules, example, row)
        self.probing = self.tracing = self.answers = ProbingInterpreter(rules, self.pinned_answers, probes)


def record_runs(rules: graph.Graph, probes: ProbeExpressions) -> Iterator[OriginalRun]:
    """Run each row of the examples and return its record."""
    procedures_by_id = {id(node): key for key, each in rules.procedures.items() for node in walk(each.body)}
    for example in rules.examples:
        for row in range(max(1, len(example.rows))):
            playing = RecordedRun(rules, example, row, probes)
            playing.run_case()
            run = run_result(playing)
            seen = playing.probing
            by_expression = {procedures_by_id[each] for each in seen.evaluated if each in procedures_by_id}
            procedures = run.entered | run.procedures | by_expression
            yield OriginalRun(run, procedures, frozenset(seen.evaluated), frozenset(seen.infected_ids), seen.count)
