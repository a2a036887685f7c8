"""Hear which rules are live in the answers that a game carries out.

In: a graph. Out: an evaluator like any other, generated code, that counts for every question put to
it, those that questions put to each other included, the decision id it was answered with.

Only what is carried out is listened to: the taken action's conditions, its effects, resolutions and
the outcome. What a player merely considered would drown it, and counting it would cost three times
the game.
"""

from collections import Counter
from collections.abc import Callable, Collection

from runtime.answer.code import Code
from runtime.answer.emit_names import python_name
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.state_reads import Dependence, StateRead
from runtime.answer.support import Chart
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value


class UnmemoizedEvaluator(Dependence):
    """Nothing is remembered: what a game hears may not depend on the games that were played before it."""

    def key(self, name: str) -> list[StateRead] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Remember no answer by the map."""
        return None

    def recurs(self, name: str) -> bool:  # noqa: ARG002
        """Remember no answer until something happens."""
        return False


class TracedChart(Chart):
    """A chart that counts with which keys it is read."""

    def __init__(self, table: graph.Table, rank: dict[str, int], heard: Counter[tuple[str, Value]]) -> None:
        """Begin empty; what is read is counted into `heard`."""
        super().__init__(table, rank)
        self.heard = heard

    def __getitem__(self, keys: tuple[Value, ...]) -> Value:
        self.heard[self.table.name, keys] += 1
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
        self.read: Counter[tuple[str, Value]] = Counter()
        super().__init__(rules, code)
        self.dependence = UnmemoizedEvaluator(rules, self.emitter)
        self.heard: Counter[tuple[str, int]] = Counter()
        self.emitter.overheard = True

    def make(self, name: str, suffix: str) -> None:
        """Make a function of a term; for its answer, listen at the one that also says who spoke."""
        if suffix or (self.wanted is not None and name not in self.wanted):
            super().make(name, suffix)
        else:
            self.namespace[python_name(name)] = self.listener(name, self.terms[name])

    def chart(self, table: graph.Table) -> Chart:
        """Make what a chart is read from; one that is wanted counts."""
        if table.name not in self.charts:
            return super().chart(table)
        return TracedChart(table, self.emitter.rank, self.read)

    def listener(self, name: str, why: Callable[..., tuple[Value, int]]) -> Callable[..., Value]:
        """Answer, and note who spoke."""
        heard = self.heard

        def ask(state: State, *arguments: Value) -> Value:
            value, mask = why(state, *arguments)
            heard[name, mask] += 1
            return value

        return ask

    def fired(self) -> dict[str, int]:
        """Say in how many answers each rule was live since the last time, and forget them."""
        counted: Counter[str] = Counter()
        for (name, mask), times in self.heard.items():
            for bit, label in enumerate(self.graph.terms[name].rules):
                if mask >> bit & 1:
                    counted[label] += times
        self.forget()
        return dict(counted)

    def forget(self) -> None:
        """Begin anew, having heard nothing."""
        self.heard.clear()
        self.read.clear()
