"""Hear which rules are live in the answers that a game carries out.

In: a graph. Out: an evaluator like any other, generated code, that counts for every question put to
it, those that questions put to each other included, the decision id it was answered with.

Only what is carried out is listened to: the taken action's conditions, its effects, resolutions and
the outcome. What a player merely considered would drown it, and counting it would cost three times
the game.

An answer that play would memoize is memoized here with all that was heard on the way to it, and hearing it again
counts that again. So counts are those of a game in which every question is worked out, whatever was played before.
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from runtime.answer.code import Code
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_memory import MemoKey
from runtime.answer.emit_names import python_name
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.state_reads import Dependence, StateRead
from runtime.answer.support import Chart
from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value

PATTERNS = 100_000  # Different counts that are kept, for one object to stand for all that are equal.


class EvaluationCounts(NamedTuple):
    """What was heard: decision ids by term, and the keys that charts were read with; each with how often."""

    answers: Counter[tuple[str, int]]
    cells: Counter[tuple[str, Value]]


class UnmemoizedDependence(Dependence):
    """Generated functions look into no memo: what they hear would not be heard again."""

    def memo_reads(self, name: str) -> list[StateRead] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Remember no answer by the map."""
        return None

    def is_memoized(self, name: str) -> bool:  # noqa: ARG002
        """Remember no answer until something happens."""
        return False


class TracedChart(Chart):
    """A chart that counts with which keys it is read, into the last of some counts."""

    def __init__(self, table: graph.Table, rank: dict[str, int], counts: list[EvaluationCounts]) -> None:
        """Begin empty."""
        super().__init__(table, rank)
        self.counts = counts

    def __getitem__(self, keys: tuple[Value, ...]) -> Value:
        self.counts[-1].cells[self.table.name, keys] += 1
        return super().__getitem__(keys)


class CountingEvaluator(GeneratedEvaluator):
    """Generated code that counts decision ids by term; of charts that are wanted, the keys they are read with.

    `terms` are those that are listened to, all of them if None.
    """

    def __init__(
        self,
        rules: graph.Graph,
        code: Code | None = None,
        terms: Collection[str] | None = None,
        charts: Collection[str] = (),
    ) -> None:
        """Begin having heard nothing."""
        self.wanted = None if terms is None else frozenset(terms)
        self.charts = frozenset(charts)
        # What was heard so far; behind it, what is heard in working out each answer under way that will be memoized.
        self.counts = [EvaluationCounts(Counter(), Counter())]
        self.patterns: dict[tuple[frozenset[Any], frozenset[Any]], EvaluationCounts] = {}
        super().__init__(rules, code)
        self.dependence = UnmemoizedDependence(rules, self.emitter)
        self.memoizing = Dependence(rules, Emitter(rules))
        self.emitter.is_traced = True

    @property
    def decision_counts(self) -> Counter[tuple[str, int]]:
        """Return how often each decision id of each term was heard."""
        return self.counts[0].answers

    @property
    def cell_counts(self) -> Counter[tuple[str, Value]]:
        """Return with which keys each chart was read, and how often."""
        return self.counts[0].cells

    def make_function(self, name: str, suffix: str) -> None:
        """Make a function of a term; for its answer, listen at the one that also says who spoke."""
        if suffix or (self.wanted is not None and name not in self.wanted):
            super().make_function(name, suffix)
        else:
            self.namespace[python_name(name)] = self.counting_function(name, self.terms[name])
        if not suffix and (kept := self.memoizing.memo_key(name)) is not None:
            self.namespace[python_name(name)] = self.memoized(name, kept, self.namespace[python_name(name)])

    def make_chart(self, table: graph.Table) -> Chart:
        """Make what a chart is read from; one that is wanted counts."""
        if table.name not in self.charts:
            return super().make_chart(table)
        return TracedChart(table, self.emitter.rank, self.counts)

    def counting_function(self, name: str, why: Callable[..., tuple[Value, int]]) -> Callable[..., Value]:
        """Answer, and note who spoke."""
        counts = self.counts

        def ask(state: State, *arguments: Value) -> Value:
            value, mask = why(state, *arguments)
            counts[-1].answers[name, mask] += 1
            return value

        return ask

    def memoized(self, name: str, kept: MemoKey, work_out: Callable[..., Value]) -> Callable[..., Value]:
        """Answer from a memo, and count what was heard when the answer was worked out."""
        counts, table = self.counts, MemoTable()
        parameters = [python_name(part.name) for part in self.graph.terms[name].parameters]
        written = ", ".join(kept.key_expressions(parameters))
        key_of: Callable[..., Any] = eval(f"lambda {', '.join(['s', *parameters])}: ({written},)", self.namespace)

        def ask(state: State, *arguments: Value) -> Value:
            key = key_of(state, *arguments)
            memo = state.board.memo.setdefault(table, {}) if kept.with_board else state.answers[table]
            found = memo.get(key)
            if found is None:
                counts.append(EvaluationCounts(Counter(), Counter()))
                try:
                    value = work_out(state, *arguments)
                finally:
                    heard = counts.pop()
                    add_counts(heard, counts[-1])
                found = value, self.intern_counts(heard)
                if kept.with_board:
                    state.board.keep(found, table, key)
                else:
                    memo[key] = found
            else:
                add_counts(found[1], counts[-1])
            return found[0]

        return ask

    def intern_counts(self, counts: EvaluationCounts) -> EvaluationCounts:
        """Return one object for all equal counts: thousands of answers were found alike."""
        return self.patterns.setdefault((frozenset(counts.answers.items()), frozenset(counts.cells.items())), counts)

    def take_counts(self) -> dict[str, int]:
        """Say in how many answers each rule was live since the last time, and forget them."""
        counted: Counter[str] = Counter()
        for (name, mask), times in self.decision_counts.items():
            for bit, label in enumerate(self.graph.terms[name].rules):
                if mask >> bit & 1:
                    counted[label] += times
        self.forget()
        return dict(counted)

    def forget(self) -> None:
        """Begin anew, having heard nothing."""
        self.decision_counts.clear()
        self.cell_counts.clear()
        if len(self.patterns) > PATTERNS:
            self.patterns.clear()


def add_counts(counts: EvaluationCounts, into: EvaluationCounts) -> None:
    """Add counts to others."""
    for each, times in counts.answers.items():
        into.answers[each] += times
    for read, times in counts.cells.items():
        into.cells[read] += times
