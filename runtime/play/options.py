"""Decisions, their options, and candidates for these.

Candidates of an offer are options already; those of a choice are its members, and `STOP_ADDING`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

TAKE, END, PICK, STOP = "take", "end", "pick", "stop"


class Option(NamedTuple):
    """An option: take the action `name` with these arguments, end the offer, pick a value, or stop adding to a set."""

    kind: str
    name: str
    value: Value


class Decision(NamedTuple):
    """A decision of a side. `member` is the type of each value, None for offers."""

    side: str
    question: str
    options: tuple[Option, ...]
    member: graph.Type | None


END_OFFER = Option(END, "", None)
STOP_ADDING = Option(STOP, "", None)


class Candidates(NamedTuple):
    """The candidates of a decision in canonical order, with their legality test and conversion to options."""

    members: Sequence[Value]
    legal: Callable[[Value], bool]
    option: Callable[[Value], Option]

    def iterate(self) -> Iterator[Option]:
        """Yield the open options lazily."""
        return map(self.option, filter(self.legal, self.members))

    def first_options(self, most: int) -> tuple[Option, ...]:
        """Return the first open options, at most `most`."""
        return tuple(islice(self.iterate(), most))


SideFunction = Callable[[State, Names], str]


def deciding_side(side: graph.Expr | None, evaluator: OptionEvaluator) -> SideFunction:
    """Return the function that determines the deciding side; the player on move without `side`."""
    if side is None:
        return lambda state, names: names.get("player", state.player)
    return evaluator.evaluator.value_function(side)
