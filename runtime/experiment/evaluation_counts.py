"""Record which rules are live in answers, and which cells are read.

The input is a graph; the output is an evaluator of generated code that records, for each question that is counted,
including those that questions query, the decision ids of its answers, and the keys that charts are read with.

An answer that play would memoize is memoized here with all that was recorded for it, and reusing it records that again.
So what is recorded of a game does not depend on what was played before.
"""

from collections.abc import Callable, Collection
from typing import Any

from runtime.answer.code import CompiledCode
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_names import python_name
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.state_reads import MemoKey, StateDependence, StateRead
from runtime.answer.support import MemoizedChart
from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value

# A question with a decision id, or a chart with keys.
Evaluation = tuple[str, Any]


class UnmemoizedDependence(StateDependence):
    """A dependence analysis without memos, as reads of a memo would not be recorded."""

    def memo_reads(self, name: str) -> list[StateRead] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Return None, so that no answer is memoized by the map."""
        return None

    def is_memoized(self, name: str) -> bool:  # noqa: ARG002
        """Return no, so that no answer is memoized between changes."""
        return False


class TracedChart(MemoizedChart):
    """A chart that records the keys it is read with, in the last of a list of records."""

    def __init__(self, table: graph.Table, recorded: list[set[Evaluation]]) -> None:
        """Start with the records."""
        super().__init__(table)
        self.recorded = recorded

    def __getitem__(self, keys: tuple[Value, ...]) -> Value:
        self.recorded[-1].add((self.table.name, keys))
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
        # The records so far; behind them, those of each answer under evaluation that will be memoized.
        self.recorded: list[set[Evaluation]] = [set()]
        self.patterns: dict[frozenset[Evaluation], frozenset[Evaluation]] = {}
        super().__init__(rules, code, is_traced=True)
        self.dependence = UnmemoizedDependence(rules, self.emitter)
        self.memoizing = StateDependence(rules, Emitter(rules))

    def make_function(self, name: str, suffix: str) -> None:
        """Build the function of a term; its answers are recorded by the variant that also returns the decision."""
        if suffix or (self.counted_terms is not None and name not in self.counted_terms):
            super().make_function(name, suffix)
        else:
            self.namespace[python_name(name)] = self.recording_function(name, self.terms[name])
        if not suffix and (memo_key := self.memoizing.memo_key(name)) is not None:
            self.namespace[python_name(name)] = self.memoized(name, memo_key, self.namespace[python_name(name)])

    def make_chart(self, table: graph.Table) -> MemoizedChart:
        """Build the object from which a chart is read; a wanted one records."""
        return TracedChart(table, self.recorded) if table.name in self.charts else super().make_chart(table)

    def recording_function(self, name: str, decide: Callable[..., tuple[Value, int]]) -> Callable[..., Value]:
        """Build a function that answers and records the decision."""
        recorded = self.recorded

        def ask(state: State, *arguments: Value) -> Value:
            value, decision_id = decide(state, *arguments)
            recorded[-1].add((name, decision_id))
            return value

        return ask

    def memoized(self, name: str, memo_key: MemoKey, work_out: Callable[..., Value]) -> Callable[..., Value]:
        """Build a memoized function that also records the evaluations by which the answer was computed."""
        recorded, table, patterns = self.recorded, MemoTable(), self.patterns
        parameters = [python_name(part.name) for part in self.graph.terms[name].parameters]
        key_text = ", ".join(memo_key.key_expressions(parameters))
        key_of: Callable[..., Any] = eval(f"lambda {', '.join(['s', *parameters])}: ({key_text},)", self.namespace)

        def ask(state: State, *arguments: Value) -> Value:
            key = key_of(state, *arguments)
            memo = state.board.memo.setdefault(table, {}) if memo_key.with_board else state.answers[table]
            entry = memo.get(key)
            if entry is None:
                recorded.append(set())
                try:
                    value = work_out(state, *arguments)
                finally:
                    evaluations = frozenset(recorded.pop())
                    recorded[-1] |= evaluations
                # One object for all equal sets, as thousands of answers have equal ones.
                entry = value, patterns.setdefault(evaluations, evaluations)
                if memo_key.with_board:
                    state.board.keep(entry, table, key)
                else:
                    memo[key] = entry
            else:
                recorded[-1] |= entry[1]
            return entry[0]

        return ask

    def take_evaluations(self) -> frozenset[Evaluation]:
        """Return what was recorded since the last call."""
        evaluations = frozenset(self.recorded[0])
        self.recorded[0].clear()
        return evaluations
