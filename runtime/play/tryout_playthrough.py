"""Playthroughs for trials: random results are given in advance, or stop the trial.

In: a playthrough. Out: a copy that shares memo tables until the next event in one of the two.
"""

from typing import Self

from runtime.play.playthrough import Playthrough
from runtime.state.position import State
from runtime.state.record import Value

# The marker of a die in a path.
DIE = -1

Step = tuple[str, int, Value]  # Of a way: key and step of the procedure, and what was chosen or came up there.


class UnthrownDie(Exception):  # noqa: N818 -- not an error, but an answer.
    """Raised at a die or draw of a trial without a given result."""

    def __init__(self, low: int, high: int) -> None:
        """Store the range of results."""
        super().__init__(low, high)
        self.low = low
        self.high = high


class TryoutPlaythrough(Playthrough):
    """A playthrough whose random results are given in `chances`; it stops where they are used up."""

    __slots__ = ("chance_index", "chances", "route")

    def __init__(self, state: State) -> None:
        """Start without given results."""
        super().__init__(state, None)
        self.chances: tuple[int, ...] = ()
        self.chance_index = 0
        self.route: list[Step] = []

    @classmethod
    def copy_of(cls, playthrough: Playthrough) -> Self:
        """Copy a playthrough without its journal."""
        trial = cls(playthrough.state.branch())
        trial.endings_checked_to = 0 if playthrough.endings_checked_to == len(playthrough.journal) else -1
        trial.calls = [call.copy() for call in playthrough.calls]
        trial.dice = playthrough.dice.copy()
        if isinstance(playthrough, TryoutPlaythrough):
            trial.route = playthrough.route.copy()
        return trial

    def _chance(self, stream: int, low: int, high: int) -> int | None:  # noqa: ARG002 -- as playthroughs have it.
        """Return the next given result; raises `UnthrownDie` without one."""
        if self.chance_index >= len(self.chances):
            raise UnthrownDie(low, high)
        self.chance_index += 1
        value = self.chances[self.chance_index - 1]
        self.route.append((self.calls[-1].key if self.calls else "", DIE, value))
        return value
