"""Why an action may not be taken so."""

from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.play.playthrough import Names, Playthrough
from runtime.state.record import Value


@dataclass(frozen=True, slots=True)
class RefusalReason:
    """Why an action may not be taken so: a condition that fails, or a choice (by name) that is not open, and why not.

    `names` are those bound when it was asked, so that the condition can be explained. `opener` is the action that would
    have to begin first, "" for the action itself. With `unspecified` nothing is refused: whoever takes the action has
    to say what the choice is, of those that are `open` for instance. `after` is a playthrough in which the condition
    fails, if it is not the one in which the action is refused.
    """

    condition: graph.Expr | None
    choice: str
    names: Names
    opener: str = ""
    unspecified: bool = False
    open: tuple[Value, ...] = ()
    after: Playthrough | None = None
