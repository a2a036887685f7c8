"""Record which rules are live in the answers on which a game depends.

The input is a graph; the output is an evaluator of generated code that counts, for each question, including those that
questions query, the decision id of its answer.

Only executed steps are recorded: the conditions of the taken action, its effects, resolutions and the outcome. What a
player merely considered would outnumber it, and counting it would cost three times the game.

An answer that play would memoize is memoized here with all decisions it depends on, and reusing it counts these again.
So the counts are those of a game in which every question is evaluated, whatever was played before.

A rule that only defeats others may be live where none of these would be: it is idle there, and has no part in the
answer. For wanted rules this is recorded beside the decision id.
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from runtime.answer.answer import live_labels
from runtime.answer.code import CompiledCode
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_names import python_name
from runtime.answer.expressions import MemoizedBinding
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import DelegatingInterpreter, bindings_of
from runtime.answer.state_reads import MemoKey, StateDependence, StateRead
from runtime.answer.support import MemoizedChart
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.budget import suspended_budget
from runtime.graph.verbs import only_defeats
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value

PATTERNS = 100_000  # The number of different counts that are interned.


class EvaluationCounts(NamedTuple):
    """Recorded decisions: decision ids by term, and the keys that charts were read with; each with its frequency.

    Above the bits of live rules a decision id has one for each rule of the term that was idle (`idle_bits`).
    """

    answers: Counter[tuple[str, int]]
    cells: Counter[tuple[str, Value]]


class UnmemoizedDependence(StateDependence):
    """A dependence analysis without memos, as reads of a memo would not be recorded."""

    def memo_reads(self, name: str) -> list[StateRead] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Return None, so that no answer is memoized by the map."""
        return None

    def is_memoized(self, name: str) -> bool:  # noqa: ARG002
        """Return no, so that no answer is memoized between changes."""
        return False


class TracedChart(MemoizedChart):
    """A chart that counts the keys it is read with, in the last of a list of counts."""

    def __init__(self, table: graph.Table, counts: list[EvaluationCounts]) -> None:
        """Start with the counts."""
        super().__init__(table)
        self.counts = counts

    def __getitem__(self, keys: tuple[Value, ...]) -> Value:
        self.counts[-1].cells[self.table.name, keys] += 1
        return super().__getitem__(keys)


class CountingEvaluator(GeneratedEvaluator):
    """An evaluator that counts decision ids by term and, for wanted charts, the keys they are read with.

    `terms` are those that are counted, all if None. For `exceptions`, labels of rules, it is recorded where they are
    idle.
    """

    def __init__(
        self,
        rules: graph.Graph,
        code: CompiledCode | None,
        terms: Collection[str] | None = None,
        charts: Collection[str] = (),
    ) -> None:
        """Start without counts."""
        self.counted_terms = None if terms is None else frozenset(terms)
        self.charts = frozenset(charts)
        self.exceptions: Collection[str] = ()
        # Its functions are not traced, so they are no part of `code`.
        self.uncounted = DelegatingInterpreter(GeneratedEvaluator(rules), rules)
        # The counts so far; behind them, those of each answer under evaluation that will be memoized.
        self.counts = [EvaluationCounts(Counter(), Counter())]
        self.patterns: dict[tuple[frozenset[Any], frozenset[Any]], EvaluationCounts] = {}
        super().__init__(rules, code)
        self.dependence = UnmemoizedDependence(rules, self.emitter)
        self.memoizing = StateDependence(rules, Emitter(rules))
        self.emitter.is_traced = True

    @property
    def decision_counts(self) -> Counter[tuple[str, int]]:
        """Return how often each decision id of each term was recorded."""
        return self.counts[0].answers

    @property
    def cell_counts(self) -> Counter[tuple[str, Value]]:
        """Return with which keys each chart was read, and how often."""
        return self.counts[0].cells

    def make_function(self, name: str, suffix: str) -> None:
        """Build the function of a term; its answers are counted through the variant that also returns the decision."""
        if suffix or (self.counted_terms is not None and name not in self.counted_terms):
            super().make_function(name, suffix)
        else:
            self.namespace[python_name(name)] = self.counting_function(name, self.terms[name])
        if not suffix and (memo_key := self.memoizing.memo_key(name)) is not None:
            self.namespace[python_name(name)] = self.memoized(name, memo_key, self.namespace[python_name(name)])

    def make_chart(self, table: graph.Table) -> MemoizedChart:
        """Build the object from which a chart is read; a wanted one counts."""
        if table.name not in self.charts:
            return super().make_chart(table)
        return TracedChart(table, self.counts)

    def counting_function(self, name: str, decision_function: Callable[..., tuple[Value, int]]) -> Callable[..., Value]:
        """Build a function that answers and counts the decision."""
        counts, term = self.counts, self.graph.terms[name]
        exceptions = {
            1 << bit: rule
            for bit, rule in enumerate(map(self.graph.rules.__getitem__, term.rules))
            if rule.label in self.exceptions and only_defeats(term, rule)
        }

        def ask(state: State, *arguments: Value) -> Value:
            value, mask = decision_function(state, *arguments)
            for bit, rule in exceptions.items():
                if mask & bit and not self.defeats_something(state, term, rule, arguments):
                    mask |= idle_bits(term, bit)
            counts[-1].answers[name, mask] += 1
            return value

        return ask

    def defeats_something(self, state: State, term: graph.Term, rule: graph.Rule, arguments: tuple[Value, ...]) -> bool:
        """Return whether the guard of any rule holds that this one defeats; what it asks is not counted."""
        targets = (rule_of_term(self.graph, term, label) for label in rule.defeats if label in term.rules)
        with suspended_budget():
            return any(
                self.uncounted.guard_holds(state, target, bindings_of(term, target, arguments, MemoizedBinding))
                for target in targets
            )

    def memoized(self, name: str, memo_key: MemoKey, work_out: Callable[..., Value]) -> Callable[..., Value]:
        """Build a memoized function that also counts the decisions recorded when the answer was computed."""
        counts, table = self.counts, MemoTable()
        parameters = [python_name(part.name) for part in self.graph.terms[name].parameters]
        key_text = ", ".join(memo_key.key_expressions(parameters))
        key_of: Callable[..., Any] = eval(f"lambda {', '.join(['s', *parameters])}: ({key_text},)", self.namespace)

        def ask(state: State, *arguments: Value) -> Value:
            key = key_of(state, *arguments)
            memo = state.board.memo.setdefault(table, {}) if memo_key.with_board else state.answers[table]
            found = memo.get(key)
            if found is None:
                counts.append(EvaluationCounts(Counter(), Counter()))
                try:
                    value = work_out(state, *arguments)
                finally:
                    recorded_counts = counts.pop()
                    add_counts(recorded_counts, counts[-1])
                found = value, self.intern_counts(recorded_counts)
                if memo_key.with_board:
                    state.board.keep(found, table, key)
                else:
                    memo[key] = found
            else:
                add_counts(found[1], counts[-1])
            return found[0]

        return ask

    def intern_counts(self, counts: EvaluationCounts) -> EvaluationCounts:
        """Return one object for all equal counts, as thousands of answers have equal ones."""
        return self.patterns.setdefault((frozenset(counts.answers.items()), frozenset(counts.cells.items())), counts)

    def take_counts(self) -> dict[str, int]:
        """Return in how many answers each rule was live since the last call, and reset the counts."""
        counted: Counter[str] = Counter()
        for (name, mask), times in self.decision_counts.items():
            for label in live_labels(self.graph.terms[name], mask):
                counted[label] += times
        self.forget()
        return dict(counted)

    def forget(self) -> None:
        """Reset the counts."""
        self.decision_counts.clear()
        self.cell_counts.clear()
        if len(self.patterns) > PATTERNS:
            self.patterns.clear()


def idle_bits(term: graph.Term, live_bits: int) -> int:
    """Return the bits of a recorded decision id that state of these live rules that they were idle."""
    return live_bits << len(term.rules)


def add_counts(counts: EvaluationCounts, into: EvaluationCounts) -> None:
    """Add counts to others."""
    for each, times in counts.answers.items():
        into.answers[each] += times
    for read, times in counts.cells.items():
        into.cells[read] += times
