"""The items of a reference game's stack: steps as they are written, and items in progress."""

from dataclasses import dataclass
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.playthrough import Names
from runtime.state.record import Value


@dataclass(slots=True)
class Frame:
    """A running procedure: its bindings, their types, and the name of the subject of an action ("" for none)."""

    key: str
    procedure: graph.Procedure
    names: Names
    types: dict[str, graph.Type]
    subject: str


class Iterate(NamedTuple):
    """A loop in progress: the remaining members, and those of them that were written records when it began."""

    loop: graph.Loop
    members: tuple[Value, ...]
    written: tuple[Value, ...]


class Round(NamedTuple):
    """A loop of the clock in progress: the remaining rounds."""

    loop: graph.Each
    members: tuple[Value, ...]


class Head(NamedTuple):
    """The rest of the head of an action: its steps before the first effect."""

    steps: tuple[graph.Step, ...]


class OpenOffer(NamedTuple):
    """An offer in progress."""

    offer: graph.Offer


class PendingChoice(NamedTuple):
    """A choice in progress: the members chosen so far; `rest` is the rest of the head, None after the head."""

    choice: graph.Choose
    rest: tuple[graph.Step, ...] | None
    chosen: tuple[Value, ...] = ()


class EndOfMoment(NamedTuple):
    """The end of a moment: its hooks have run, and values that last until then are reset."""

    moment: str


class ReturnIfGone(NamedTuple):
    """The end of an action whose subject is gone."""


class EndOfProcedure(NamedTuple):
    """The end of a procedure."""


Item = graph.Step | Iterate | Round | Head | OpenOffer | PendingChoice | EndOfMoment | ReturnIfGone | EndOfProcedure
