"""Who is asked, and what he may answer: options, and the candidates for one.

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
UNKNOWN = object()


class Option(NamedTuple):
    """take: begin action `name` with these arguments; end: this offer; pick: one value; stop: adding to a set."""

    what: str
    name: str
    value: Value


END_OFFER = Option(END, "", None)
STOP_ADDING = Option(STOP, "", None)


class Candidates(NamedTuple):
    """What might be chosen, in canonical order, whether it may be, and as what option.

    `known_legal` is one that is known to be legal, if any is: what was chosen before it was legal because of it.
    """

    members: Sequence[Value]
    legal: Callable[[Value], bool]
    option: Callable[[Value], Option]
    known_legal: Value = UNKNOWN

    def iterate(self) -> Iterator[Option]:
        """Yield the options, each as it is found."""
        return map(self.option, filter(self.legal, self.members))

    def list_options(self) -> tuple[Option, ...]:
        """List the options."""
        return tuple(self.iterate())

    def first_options(self, most: int) -> tuple[Option, ...]:
        """List the first options, at most so many."""
        return tuple(islice(self.iterate(), most))


DecidingSide = Callable[[State, Names], str]


def deciding_side(by: graph.Expr | None, evaluator: OptionEvaluator) -> DecidingSide:
    """Make the function that says who is asked; where nothing is said of that, the player."""
    if by is None:
        return lambda state, names: names.get("player", state.player)
    return evaluator.evaluator.value_function(by)
