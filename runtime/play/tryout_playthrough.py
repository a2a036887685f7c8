"""A playthrough for trying out what may follow: what chance gives is said before, or stops the trial.

In: a playthrough. Out: a copy of it that shares the position until something happens in one of the two.
"""

from typing import Self

from runtime.play.playthrough import Call, Playthrough
from runtime.state.position import State
from runtime.state.record import Value

# Steps between two decisions of a trial.
STEPS = 20_000
# In a way, where a die is thrown.
DIE = -1

Step = tuple[str, int, Value]  # Of a way: key and instruction of the procedure, and what was chosen or came up there.


class UnthrownDie(Exception):  # noqa: N818 -- not an error, but an answer.
    """A die is thrown or something drawn in a trial; every result is to be tried."""

    def __init__(self, low: int, high: int) -> None:
        """Note what it may show."""
        super().__init__(low, high)
        self.low = low
        self.high = high


class TryoutPlaythrough(Playthrough):
    """A playthrough in which nothing is left to chance: what it gives is said before, or stops the trial."""

    __slots__ = ("chances", "given", "way")

    def __init__(self, state: State) -> None:
        """Begin with nothing said."""
        super().__init__(state, None)
        self.chances: tuple[int, ...] = ()
        self.given = 0
        self.way: list[Step] = []

    @classmethod
    def copy_of(cls, playthrough: Playthrough) -> Self:
        """Copy a playthrough, without what happened in it, for trying out."""
        trial = cls(playthrough.state.branch())
        trial.endings_checked_to = 0 if playthrough.endings_checked_to == len(playthrough.journal) else -1
        trial.calls = [Call(call.key, call.at, dict(call.names)) for call in playthrough.calls]
        trial.dice = playthrough.dice.copy()
        if isinstance(playthrough, TryoutPlaythrough):
            trial.way = playthrough.way.copy()
        return trial

    def _chance(self, stream: str, low: int, high: int) -> int | None:  # noqa: ARG002 -- as playthroughs have it.
        """Return the next number that was said."""
        if self.given >= len(self.chances):
            raise UnthrownDie(low, high)
        self.given += 1
        value = self.chances[self.given - 1]
        self.way.append((self.calls[-1].key if self.calls else "", DIE, value))
        return value
