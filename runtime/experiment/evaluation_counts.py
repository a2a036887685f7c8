"""Record which rules are live in answers, and which cells are read.

The input is a graph; the output is an evaluator of generated code that records, for each question that is counted,
including those that questions query, the decision ids of its answers, and the keys that charts are read with.

Nothing is memoized: what is recorded of a game must not depend on what was played before.
"""

from collections.abc import Callable, Collection
from typing import Any

from runtime.answer.code import CompiledCode
from runtime.answer.emit_names import python_name
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.state_reads import StateDependence, StateRead
from runtime.answer.support import MemoizedChart
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value

# A question with a decision id, or a chart with keys.
Evaluation = tuple[str, Any]


class _UnmemoizedDependence(StateDependence):
    """A dependence analysis without memos, as reads of a memo would not be recorded."""

    def memo_reads(self, name: str) -> list[StateRead] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Return None, so that no answer is memoized by the map."""
        return None

    def is_memoized(self, name: str) -> bool:  # noqa: ARG002
        """Return no, so that no answer is memoized between changes."""
        return False


class _TracedChart(MemoizedChart):
    """A chart that records the keys it is read with."""

    def __init__(self, table: graph.Table, recorded: set[Evaluation]) -> None:
        """Start with the record."""
        super().__init__(table)
        self.recorded = recorded

    def __getitem__(self, keys: tuple[Value, ...]) -> Value:
        self.recorded.add((self.table.name, keys))
        return super().__getitem__(keys)


class CountingEvaluator(GeneratedEvaluator):
    """An evaluator that records evaluations of some `terms` (None: all) and `charts`."""

    def __init__(
        self,
        rules: graph.Graph,
        code: CompiledCode | None,
        terms: Collection[str] | None = None,
        charts: Collection[str] = (),
    ) -> None:
        """Start without records."""
        self.counted_terms = terms
        self.charts = charts
        self.recorded: set[Evaluation] = set()
        super().__init__(rules, code, is_traced=True)
        self.dependence = _UnmemoizedDependence(rules, self.emitter)

    def make_function(self, name: str, suffix: str) -> None:
        """Build the function of a term; its answers are recorded by the variant that also returns the decision."""
        if suffix or (self.counted_terms is not None and name not in self.counted_terms):
            super().make_function(name, suffix)
        else:
            self.namespace[python_name(name)] = self.recording_function(name, self.terms[name])

    def make_chart(self, table: graph.Table) -> MemoizedChart:
        """Build the object from which a chart is read; a wanted one records."""
        return _TracedChart(table, self.recorded) if table.name in self.charts else super().make_chart(table)

    def recording_function(self, name: str, decide: Callable[..., tuple[Value, int]]) -> Callable[..., Value]:
        """Build a function that answers and records the decision."""
        recorded = self.recorded

        def ask(state: State, *arguments: Value) -> Value:
            value, decision_id = decide(state, *arguments)
            recorded.add((name, decision_id))
            return value

        return ask

    def take_evaluations(self) -> frozenset[Evaluation]:
        """Return what was recorded since the last call."""
        evaluations = frozenset(self.recorded)
        self.recorded.clear()
        return evaluations
