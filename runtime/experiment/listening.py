"""Hear which rules are live in the answers that a game carries out.

In: a graph. Out: an evaluator like any other, generated code, that counts for every question put to
it, those that questions put to each other included, the decision id it was answered with.

Only what is carried out is listened to: the taken action's conditions, its effects, resolutions and
the outcome. What a player merely considered would drown it, and counting it would cost three times
the game.
"""

from collections import Counter
from collections.abc import Callable

from runtime.answer.code import Code
from runtime.answer.depends import Dependence, Look
from runtime.answer.emit_names import python_name
from runtime.answer.generate import Compiled
from runtime.answer.special import AsWritten
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value


class Unremembered(Dependence):
    """Nothing is remembered: what a game hears may not depend on the games that were played before it."""

    def key(self, name: str) -> list[Look] | None:  # noqa: ARG002 - nothing is, whatever its name.
        """Remember no answer by the map."""
        return None

    def recurs(self, name: str) -> bool:  # noqa: ARG002
        """Remember no answer until something happens."""
        return False


class Listening(Compiled):
    """Generated code that counts decision ids by term."""

    def __init__(self, rules: graph.Graph, code: Code | None = None) -> None:
        """Begin having heard nothing."""
        super().__init__(rules, AsWritten(rules), code)
        self.dependence = Unremembered(rules, self.emitter)
        self.heard: Counter[tuple[str, int]] = Counter()
        self.emitter.overheard = True

    def make(self, name: str, suffix: str) -> None:
        """Make a function of a term; for its answer, listen at the one that also says who spoke."""
        if suffix:
            super().make(name, suffix)
        else:
            self.namespace[python_name(name)] = self.listener(name, self.terms[name])

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
        self.heard.clear()
        return dict(counted)
