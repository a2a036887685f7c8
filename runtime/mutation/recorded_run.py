"""Run the examples under the original rules, and record their coverage and which altered expressions they distinguish.

The input is a graph and the expressions to observe, each with its alterations; the output is an `OriginalRun` for
each run. A run in which an altered expression always has the original value cannot detect the alteration: weak
mutation (Howden, Weak Mutation Testing and Completeness of Test Sets, 1982), used here to exclude runs that need not
be repeated.
"""

from collections.abc import Iterator, Mapping, Sequence

from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.examples.run import ExampleRun, run_result
from runtime.graph import nodes as graph
from runtime.graph.read_sets import reads_of
from runtime.graph.walk import walk
from runtime.mutation.mutant import OriginalRun
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

ProbeExpressions = Mapping[int, Sequence[graph.Expr]]  # The altered expressions by the id of the original.


class WeakMutation(EvaluatorHook):
    """Evaluates the probes beside each expression, and records those whose value differs.

    `untraced` evaluates the probes: what these ask is no part of the run.
    """

    untraced: Interpreter

    def __init__(self, rules: graph.Graph, probes: ProbeExpressions) -> None:
        """Start with no difference observed."""
        self.reads = reads_of(rules)
        self.probes_left = dict(probes)
        self.evaluated: set[int] = set()
        self.infected_ids: set[int] = set()
        self.question_count = 0

    def on_question(self, *_: object, **__: object) -> None:
        """Count a question."""
        self.question_count += 1

    def on_expression(
        self, state: State, expr: graph.Expr, names: Names, value: Value, error: Exception | None
    ) -> None:
        """Evaluate the alterations of an expression; those that differ are not evaluated again."""
        expr_id = id(expr)
        self.evaluated.add(expr_id)
        probes = self.probes_left.get(expr_id, ())
        if not probes:
            return
        if self.reads.expression_creates_record(expr):
            infected = list(probes)
        else:
            infected = [probe for probe in probes if self.differs(state, probe, names, value, error)]
        self.infected_ids.update(map(id, infected))
        self.probes_left[expr_id] = [probe for probe in probes if id(probe) not in self.infected_ids]

    def differs(self, state: State, probe: graph.Expr, names: Names, value: Value, error: Exception | None) -> bool:
        """Return whether an altered expression has another value than the original, or fails in another way."""
        try:
            probe_value = self.untraced.evaluate(state, probe, names)
        except Exception as probe_error:  # noqa: BLE001 -- an altered expression may ask what cannot be answered
            return error is None or str(probe_error) != str(error)
        return error is not None or probe_value != value


def record_runs(rules: graph.Graph, probes: ProbeExpressions) -> Iterator[OriginalRun]:
    """Run each row of the examples and return its record."""
    procedures_by_id = {id(node): key for key, each in rules.procedures.items() for node in walk(each.body)}
    for example in rules.examples:
        for row in range(max(1, len(example.rows))):
            seen = WeakMutation(rules, probes)
            playing = ExampleRun(rules, example, row, hooks=(seen,))
            seen.untraced = playing.answers.without_hooks()
            playing.run_case()
            run = run_result(playing)
            by_expression = {procedures_by_id[each] for each in seen.evaluated if each in procedures_by_id}
            procedures = run.entered | run.procedures | by_expression
            yield OriginalRun(
                run, procedures, frozenset(seen.evaluated), frozenset(seen.infected_ids), seen.question_count
            )
