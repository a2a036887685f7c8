"""The reason why an action is refused."""

from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.play.playthrough import Names, Playthrough
from runtime.state.record import Value


@dataclass(frozen=True, slots=True)
class RefusalReason:
    """A failing condition of an action, or a choice (by name) that is not open with the condition on its members.

    `names` is the environment of the condition, for its explanation. `opener` is the enclosing action that would have
    to begin first, "" for the action itself. With `unspecified` nothing is refused: the caller has to state the choice,
    for instance one of the `open_values` values. `after` is a playthrough in which the condition fails, if it is
    another than the one of the action.
    """

    condition: graph.Expr | None
    choice: str
    names: Names
    opener: str = ""
    unspecified: bool = False
    open_values: tuple[Value, ...] = ()
    after: Playthrough | None = None
