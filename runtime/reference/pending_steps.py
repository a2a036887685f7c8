"""What is still to be done in a game: steps as they are written, and what is under way."""

from dataclasses import dataclass
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.playthrough import Names
from runtime.state.record import Value


@dataclass(slots=True)
class Frame:
    """A running procedure: the names it has bound, their types, the piece an action is about ("" for none)."""

    key: str
    procedure: graph.Procedure
    names: Names
    types: dict[str, graph.Type]
    subject: str


class Iterate(NamedTuple):
    """A loop under way: the members to come, and those of them that stood in the book when it began."""

    loop: graph.Loop
    members: tuple[Value, ...]
    written: tuple[Value, ...]


class Round(NamedTuple):
    """A loop of the clock under way: the rounds to come."""

    loop: graph.Each
    members: tuple[Value, ...]


class Head(NamedTuple):
    """What is left of the head of an action, which is all before its first effect."""

    steps: tuple[graph.Step, ...]


class OpenOffer(NamedTuple):
    """An offer under way."""

    offer: graph.Offer


class PendingChoice(NamedTuple):
    """A choice under way: what is chosen of several so far; `rest` is what is left of a head, None behind it."""

    choice: graph.Choose
    rest: tuple[graph.Step, ...] | None
    chosen: tuple[Value, ...] = ()


class EndOfMoment(NamedTuple):
    """A moment ends: hooks on it have run, and what lasts until then falls back."""

    moment: str


class ReturnIfGone(NamedTuple):
    """An action ends here if the piece it is about is gone."""


class EndOfProcedure(NamedTuple):
    """A procedure ends."""


Item = graph.Step | Iterate | Round | Head | OpenOffer | PendingChoice | EndOfMoment | ReturnIfGone | EndOfProcedure
