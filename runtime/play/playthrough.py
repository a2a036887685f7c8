"""A game under way: the position, where its procedures stand, the dice so far, and the journal.

Everything here is plain data. `calls` is the stack of running procedures; a procedure stands at
an instruction and holds the names it has bound, half-played loops among them. So a playthrough copies
in microseconds, hashes, and can be taken up in another process.

Every change of the position is an event in the journal. `checkpoints` remembers where the journal and
the procedures stood before each choice, which is all that undoing a choice needs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from runtime.play.dice import throw
from runtime.state import change
from runtime.state.digest import digest
from runtime.state.position import State
from runtime.state.record import Event, Value

Names = dict[str, Value]
ACCOUNT = "#account"  # Under which name a running procedure keeps what it has to tell (accounts.py).
OFFER_TAKEN = "#taken"  # How many actions of the offer under way were taken; absent where none is under way.
FrozenCall = tuple[str, int, tuple[tuple[str, Value], ...]]


class Call:
    """A running procedure: its key in the graph, the instruction it stands at, the names it has bound.

    Names that begin with `#` are the machine's own: what is left of a loop, a choice half made.
    """

    __slots__ = ("at", "key", "names")

    def __init__(self, key: str, at: int, names: Names) -> None:
        """Stand at an instruction."""
        self.key = key
        self.at = at
        self.names = names

    def freeze(self) -> FrozenCall:
        """Write the call as a tuple, names in order; whether somebody wants to be told of it is no part of a game."""
        return self.key, self.at, tuple(sorted(each for each in self.names.items() if each[0] != ACCOUNT))


class Die(NamedTuple):
    """A die thrown: its domain, what it showed, and the stream it came from.

    What else is drawn than a number has the domain "" and shows its place among the members it was drawn from.
    """

    domain: str
    value: int
    stream: str


class Checkpoint(NamedTuple):
    """Where everything stood before a choice, and which choice of its phase it was."""

    events: int
    dice: int
    last_serial: int
    calls: tuple[tuple[str, int, Names], ...]
    phase_key: str
    number: int


class Playthrough:
    """A game under way. `seed` None: only the forced dice may be thrown, and only `forced_draws` drawn."""

    __slots__ = (
        "_counted",
        "_thrown",
        "calls",
        "checkpoints",
        "choices",
        "dice",
        "endings_checked_to",
        "forced",
        "forced_draws",
        "journal",
        "seed",
        "state",
        "unsettled",
    )  # fmt: skip

    def __init__(self, state: State, seed: str | None, forced: tuple[int, ...] = ()) -> None:
        """Begin with nothing running."""
        self.state = state
        self.seed = seed
        self.forced = forced
        self.forced_draws: tuple[Value, ...] = ()
        self.calls: list[Call] = []
        self.dice: list[Die] = []
        # How often each stream was drawn from, as far as the dice have been counted.
        self._thrown: Counter[str] = Counter()
        self._counted = 0
        self.journal: list[Event] = []
        self.checkpoints: list[Checkpoint] = []
        self.choices = 0
        # At how many decisions, and after how many of their options, the budget did not tell whether an offer, by its
        # procedure and instruction, can still be met; what is tried out is no part of it.
        self.unsettled: dict[tuple[str, int], tuple[int, int]] = {}
        # How long the journal was when pairs were last looked through for those that have ended.
        self.endings_checked_to = -1

    def copy(self) -> "Playthrough":
        """Copy the game; neither copy sees what happens in the other."""
        copied = Playthrough(self.state.copy(), self.seed, self.forced)
        copied.forced_draws = self.forced_draws
        copied.calls = [Call(call.key, call.at, dict(call.names)) for call in self.calls]
        copied.dice = self.dice.copy()
        copied.journal = self.journal.copy()
        copied.checkpoints = self.checkpoints.copy()
        copied.choices = self.choices
        copied.endings_checked_to = self.endings_checked_to
        copied.unsettled = dict(self.unsettled)
        return copied

    def digest(self) -> str:
        """Hash the position, where the procedures stand, and the dice thrown."""
        return digest(self.state, (len(self.dice), tuple(call.freeze() for call in self.calls)))

    def position_hash(self) -> str:
        """Hash the position and the number of dice alone: what two stacks can agree on."""
        return digest(self.state, (len(self.dice),))

    def record_event(self, event: Event) -> None:
        """Note an event that change.py has just made."""
        self.journal.append(event)

    def phase_key(self) -> str:
        """Name a phase of a player's turn: random streams and the numbers of choices begin anew with each."""
        return f"{self.state.turn}.{self.state.player}.{self.state.phase}"

    def moment(self) -> str:
        """Name the choice to come: its phase, and its number there. Whoever draws for it starts from this."""
        phase, number = self._here()
        return f"{phase}.{number}"

    def _here(self) -> tuple[str, int]:
        """Name the phase, and number the choice to come in it."""
        phase = self.phase_key()
        last = self.checkpoints[-1] if self.checkpoints else None
        return phase, last.number + 1 if last and last.phase_key == phase else 0

    def roll(self, domain: str, low: int, high: int, about: str = "") -> int | None:
        """Throw the next die of the running procedure, about something; None where there is none left to throw."""
        stream = self._stream() + about
        if self.forced and (number := self.count_dice()) < len(self.forced):
            value: int | None = self.forced[number]
        else:
            value = self._chance(stream, low, high)
        if value is not None:
            self.dice.append(Die(domain, value, stream))
        return value

    def draw(self, members: Sequence[Value], domain: str) -> Value:
        """Draw one of these members, at least one; None where nothing is left to draw.

        Where `domain` is not "", they are numbers, and what is drawn is a die. A forced draw may be no member.
        """
        stream, queue = self._stream(), self.forced if domain else self.forced_draws
        if queue and (number := self.count_dice() if domain else len(self.dice) - self.count_dice()) < len(queue):
            value = queue[number]
        elif (place := self._chance(stream, 0, len(members) - 1)) is not None:
            value = members[place]
        else:
            return None
        place = members.index(value) if value in members else -1
        self.dice.append(Die(domain, value if domain and isinstance(value, int) else place, stream))
        return value

    def count_dice(self) -> int:
        """Count the dice thrown that show numbers."""
        return sum(die.domain != "" for die in self.dice)

    def count_forced_left(self) -> tuple[int, int]:
        """Count the forced dice that were not thrown, and the forced draws that were not drawn."""
        thrown = self.count_dice()
        return len(self.forced) - thrown, len(self.forced_draws) - (len(self.dice) - thrown)

    def _stream(self) -> str:
        """Name the stream that the running procedure draws from."""
        return f"{self.phase_key()}.{self.calls[-1].key if self.calls else ''}"

    def _chance(self, stream: str, low: int, high: int) -> int | None:
        """Draw the next number of a stream; None in a game without a seed."""
        if self.seed is None:
            return None
        return throw(self.seed, f"{stream}.{self._earlier(stream)}", low, high)

    def _earlier(self, stream: str) -> int:
        """Count what was drawn from a stream so far."""
        if self._counted > len(self.dice):
            self._thrown.clear()
            self._counted = 0
        if self._counted < len(self.dice):
            self._thrown.update(die.stream for die in self.dice[self._counted :])
            self._counted = len(self.dice)
        return self._thrown[stream]

    def mark(self) -> None:
        """Remember this point: a choice is about to be made."""
        calls = tuple([(call.key, call.at, call.names.copy()) for call in self.calls])
        mark = (len(self.journal), len(self.dice), self.state.last_serial, calls, *self._here())
        self.checkpoints.append(change.new_tuple(Checkpoint, mark))
        self.choices += 1

    def undo(self) -> bool:
        """Take back the last choice and all that came of it; False if there is none."""
        if not self.checkpoints:
            return False
        mark = self.checkpoints.pop()
        for event in reversed(self.journal[mark.events :]):
            change.undo(self.state, event)
        del self.journal[mark.events :]
        if len(self.dice) > mark.dice:
            del self.dice[mark.dice :]
            self._thrown.clear()
            self._counted = 0
        self.state.last_serial = mark.last_serial
        self.calls = [Call(key, at, names.copy()) for key, at, names in mark.calls]
        self.choices -= 1
        self.endings_checked_to = len(self.journal)
        return True
