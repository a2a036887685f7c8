"""A running game: the position, the call stack, the dice so far, and the journal.

Everything here is plain data. `calls` is the stack of running procedures; each has its pending items, which include
loops in progress, and its bindings. A playthrough can be copied in microseconds, hashed, and continued in another
process.

Every change of the position is an event in the journal. `checkpoints` stores the length of the journal and the call
stack before each choice, which suffices to undo it.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from runtime.play.dice import draw_below, key_of_text, procedure_key, random_number
from runtime.play.pending_items import StartedItem
from runtime.play.programs import PendingItems
from runtime.state import change
from runtime.state.digest import state_digest
from runtime.state.moment import Moment, Phase
from runtime.state.position import State
from runtime.state.record import Event, Value

Names = dict[str, Value]
ACCOUNT = "#account"  # The name that binds the open account of a running procedure (accounts.py).
OFFER_TAKEN = "#taken"  # The number of actions taken in the current offer; unbound outside offers.
CHOSEN = "#chosen"  # The members chosen so far of a set or order; unbound outside such a choice.


class ProcedureFrame:
    """A running procedure: its key in the graph, its pending items (programs.py), its bindings.

    Names that begin with `#` belong to the machine: a partial choice, an open account. Variables for a frame are called
    `call`.
    """

    __slots__ = ("key", "names", "pending")

    def __init__(self, key: str, pending: PendingItems, names: Names) -> None:
        """Create a call with these pending items."""
        self.key = key
        self.pending = pending
        self.names = names

    @property
    def offset(self) -> int:
        """Return the number of the step that is next; -1 if a step in progress is."""
        item = self.pending[0]
        return item if isinstance(item, int) else -1

    def advance(self) -> None:
        """Drop the next item."""
        self.pending = self.pending[1]

    def copy(self) -> "ProcedureFrame":
        """Return an independent copy."""
        return ProcedureFrame(self.key, self.pending, self.names.copy())

    def pending_items(self) -> Iterator[int | StartedItem]:
        """Yield the pending items, the next one first."""
        pending = self.pending
        while pending:
            item, pending = pending
            yield item

    def freeze(self, left_out: Container[str] = (ACCOUNT,)) -> tuple[Value, ...]:
        """Return the call as a tuple with sorted names, without its open account, which is no game state."""
        names = sorted(each for each in self.names.items() if each[0] not in left_out)
        return self.key, tuple(self.pending_items()), tuple(names)


# A callback for calls at an offer or choice.
FrameHook = Callable[[ProcedureFrame], None]


class Die(NamedTuple):
    """A die thrown: its domain, its result, and the key of its random stream.

    A draw of other values than numbers has the domain "" and, as result, the index of the drawn member. What is drawn
    from a set, such as a deck, may be a secret of one side (`is_open` is false), unlike a die, of computed size or not.
    """

    domain: str
    value: int
    stream: int
    is_open: bool = True


class _Checkpoint(NamedTuple):
    """The state of a playthrough before a choice, and the index of the choice in its phase."""

    events: int
    dice: int
    last_serial: int
    calls: tuple[ProcedureFrame, ...]
    phase: Phase
    number: int


class Playthrough:
    """A running game. `seed` None: only the forced dice can be thrown, and only `forced_draws` drawn."""

    __slots__ = (
        "_counted_dice",
        "_throw_counts",
        "calls",
        "checkpoints",
        "choice_count",
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
        """Start without a running procedure."""
        self.state = state
        self.seed = seed
        self.forced = forced
        self.forced_draws: tuple[Value, ...] = ()
        self.calls: list[ProcedureFrame] = []
        self.dice: list[Die] = []
        # The numbers of dice by stream, of the first so many dice. A search of all earlier ones at each draw would make
        # loops of draws quadratic.
        self._throw_counts: Counter[int] = Counter()
        self._counted_dice = 0
        self.journal: list[Event] = []
        self.checkpoints: list[_Checkpoint] = []
        self.choice_count = 0
        # The numbers of decisions and of options for which the budget left undecided whether an offer, by procedure and
        # step, can still be met; trials are not counted.
        self.unsettled: dict[tuple[str, int], tuple[int, int]] = {}
        # The length of the journal when end conditions of pairs were last checked.
        self.endings_checked_to = -1

    def copy(self) -> "Playthrough":
        """Return an independent copy of the game."""
        playthrough_copy = Playthrough(self.state.copy(), self.seed, self.forced)
        playthrough_copy.forced_draws = self.forced_draws
        playthrough_copy.calls = [call.copy() for call in self.calls]
        playthrough_copy.dice = self.dice.copy()
        playthrough_copy.journal = self.journal.copy()
        playthrough_copy.checkpoints = self.checkpoints.copy()
        playthrough_copy.choice_count = self.choice_count
        playthrough_copy.endings_checked_to = self.endings_checked_to
        playthrough_copy.unsettled = dict(self.unsettled)
        return playthrough_copy

    def digest(self) -> str:
        """Hash the position, the call stack and the number of dice."""
        return state_digest(self.state, (len(self.dice), tuple(call.freeze() for call in self.calls)))

    def position_hash(self) -> str:
        """Hash the position and the number of dice, which games of two stacks can have in common."""
        return state_digest(self.state, (len(self.dice),))

    def record_event(self, event: Event) -> None:
        """Append an event that change.py has just applied to the journal."""
        self.journal.append(event)

    def phase(self) -> Phase:
        """Return the phase of a player's turn."""
        return Phase(self.state.turn, self.state.player, self.state.phase)

    def moment(self) -> Moment:
        """Return the moment of the next choice. It seeds random choices."""
        phase = self.phase()
        last = self.checkpoints[-1] if self.checkpoints else None
        return Moment(phase, last.number + 1 if last and last.phase == phase else 0)

    def roll(self, domain: str, low: int, high: int, subject: int = 0) -> int | None:
        """Roll the next die of the running procedure; a `subject` has its own stream. None where no die is left."""
        stream = self._stream(subject)
        if self.forced and (number := self.count_dice()) < len(self.forced):
            value: int | None = self.forced[number]
        else:
            value = self._chance(stream, low, high)
        if value is not None:
            self.dice.append(Die(domain, value, stream))
        return value

    def draw(self, members: Sequence[Value], domain: str, *, is_open: bool) -> Value:
        """Draw one of these members, which are not empty; None where no draw is left.

        With a `domain` they are numbers, and the draw counts as a die. A forced draw need not be a member.
        """
        stream, queue = self._stream(), self.forced if domain else self.forced_draws
        if queue and (number := self.count_dice() if domain else len(self.dice) - self.count_dice()) < len(queue):
            value = queue[number]
        elif (place := self._chance(stream, 0, len(members) - 1)) is not None:
            value = members[place]
        else:
            return None
        place = members.index(value) if value in members else -1
        self.dice.append(Die(domain, value if domain and isinstance(value, int) else place, stream, is_open))
        return value

    def count_dice(self) -> int:
        """Count the dice thrown, without draws of other values."""
        return sum(die.domain != "" for die in self.dice)

    def count_forced_left(self) -> tuple[int, int]:
        """Count the forced dice and the forced draws that were not used."""
        thrown = self.count_dice()
        return len(self.forced) - thrown, len(self.forced_draws) - (len(self.dice) - thrown)

    def _stream(self, subject: int = 0) -> int:
        """Return the key of the random stream of the running procedure; 0 in a game without a seed."""
        if self.seed is None:
            return 0
        return procedure_key(key_of_text(self.seed), self.phase(), self.calls[-1].key if self.calls else "", subject)

    def _chance(self, stream: int, low: int, high: int) -> int | None:
        """Return the next number of a stream; None in a game without a seed."""
        if self.seed is None:
            return None
        return low + draw_below(high - low + 1, random_number(stream, self._earlier(stream)))

    def _earlier(self, stream: int) -> int:
        """Count the earlier numbers of a stream."""
        if self._counted_dice > len(self.dice):
            self._forget_counts()
        if self._counted_dice < len(self.dice):
            self._throw_counts.update(die.stream for die in self.dice[self._counted_dice :])
            self._counted_dice = len(self.dice)
        return self._throw_counts[stream]

    def _forget_counts(self) -> None:
        self._throw_counts.clear()
        self._counted_dice = 0

    def mark(self) -> None:
        """Push a checkpoint before a choice."""
        calls = tuple([call.copy() for call in self.calls])
        mark = (len(self.journal), len(self.dice), self.state.last_serial, calls, *self.moment())
        self.checkpoints.append(change.new_tuple(_Checkpoint, mark))
        self.choice_count += 1

    def undo(self) -> bool:
        """Undo the last choice and its consequences; False if there is none."""
        if not self.checkpoints:
            return False
        mark = self.checkpoints.pop()
        for event in reversed(self.journal[mark.events :]):
            change.undo(self.state, event)
        del self.journal[mark.events :]
        del self.dice[mark.dice :]
        self._forget_counts()  # Other dice may follow.
        self.state.last_serial = mark.last_serial
        self.calls = [call.copy() for call in mark.calls]
        self.choice_count -= 1
        self.endings_checked_to = len(self.journal)
        return True
