"""A search for what leads to the end of an offer: a way on which the condition of its `must` comes to hold.

In: a playthrough in which the offer is under way, and an option of its decision. Out: whether some way leads on from
the option to where the condition holds, with what others may choose and any result of each die; None where the budget
of decisions does not tell. Ways that lead there are kept, and tried first when the next option is asked about.

The search is best-first (Pearl, "Heuristics", 1984): it goes on where fewest members keep the condition from holding
(goal_distance.py), and there where it came last. Sets are chosen as small as they may be first: what is used up in one
action is missing in the next. Where that does not tell soon, random ways are tried (iterative sampling; Langley,
"Systematic and nonsystematic search strategies", 1992): what an early choice has spoilt a search notices late. All
options of a decision share a number of decisions that such ways may take: where none leads to the end from the first
options, none is likely to from the others, and a way is long.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.budget import LEAST_TRIALS, TRIALS_OF_DECISION, TRIALS_OF_OPTION, TooMuchWork, open_budget, spend
from runtime.play.dice import Stream
from runtime.play.option_evaluator import ValueFunction
from runtime.play.options import END_OFFER, PICK, STOP, STOP_ADDING, Candidates, Option
from runtime.play.playthrough import ACCOUNT, OFFER_TAKEN, Call, Names, Playthrough
from runtime.play.random_draw import shuffled_members
from runtime.play.rule_faults import BrokenRules, NoOpenOption
from runtime.play.tryout_playthrough import DIE, STEPS, Step, TryoutPlaythrough, UnthrownDie
from runtime.state.digest import digest
from runtime.state.position import State
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.play.machine import Machine

# What a trial costs besides what it passes over, in members: the position is copied and compared.
TRIAL = 400
# After so many decisions so many random ways are tried.
FIRST, RANDOM_WAYS = 40, 24
# Ways that are kept, and how many decisions longer another one may become.
WAYS = 3
LONGER = 200
Way = tuple[Step, ...]


class Unsettled(Exception):  # noqa: N818 -- not an error, but an answer.
    """The budget is used up, or what follows cannot be played out."""


class TooManyTrials(Exception):  # noqa: N818 -- as above.
    """All that may be tried out in this machine has been tried out."""


class GuidedPlaythrough(TryoutPlaythrough):
    """A trial that goes a known way as far as that is open."""

    __slots__ = ("at", "chance", "guide")

    def __init__(self, state: State) -> None:
        """Begin without a way."""
        super().__init__(state)
        self.guide: Way = ()
        self.chance: Stream | None = None
        self.at = 0

    def next_of(self, key: str, at: int, accepts: Callable[[Value], bool]) -> Step | None:
        """Return the next step of the way that suits here, and go on behind it; None where there is none."""
        for number in range(self.at, len(self.guide)):
            step = self.guide[number]
            if step[0] == key and step[1] == at and accepts(step[2]):
                self.at = number + 1
                return step
        return None

    def _chance(self, stream: str, low: int, high: int) -> int | None:  # noqa: ARG002 -- as playthroughs have it.
        """Return what came up on the way, or else what chance has, or the least that may come up."""
        key = self.calls[-1].key if self.calls else ""
        known = self.next_of(key, DIE, lambda value: low <= value <= high)
        other = low if self.chance is None else low + self.chance.draw(high - low + 1)
        value: int = other if known is None else known[2]
        self.way.append((key, DIE, value))
        return value


class Goal(NamedTuple):
    """What an offer must come to: whether it has, and how far it is from there."""

    met: ValueFunction
    distance: Callable[[State, Names], int]


class StepBudget:
    """So many steps that may be taken by whoever shares this."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        """Begin with all of them."""
        self.left = left

    def spend_one(self) -> bool:
        """Take one; say whether there was one."""
        if not self.left:
            return False
        self.left -= 1
        return True


class SearchNode:
    """A playthrough at a decision, and its options not tried yet, each with the first results of its dice."""

    __slots__ = ("options", "playthrough")

    def __init__(
        self, playthrough: TryoutPlaythrough, options: Iterator[tuple[Option | None, tuple[int, ...]]]
    ) -> None:
        """Begin with all of them."""
        self.playthrough = playthrough
        self.options = options


class GoalSearch:
    """Tries out what may follow in an offer, which stands at `place` of the calls, until `met` holds there.

    `ways` are kept by whoever asks; the first is tried first. `spend_trial` counts what is tried, and `unguided` is how
    many decisions may be taken on ways where no known way guides them; several searches may share it.
    """

    def __init__(
        self,
        machine: "Machine",
        offer: graph.Offer,
        place: int,
        goal: Goal,
        ways: list[Way],
        spend_trial: Callable[[], None],
    ) -> None:
        """Begin with nothing tried."""
        self.unguided = StepBudget(TRIALS_OF_DECISION)
        self.machine = machine
        self.offer = offer
        self.place = place
        self.met, self.distance = goal
        self.ways = ways
        self.spend_trial = spend_trial
        # How things stood where the offer first might have ended, and was not met.
        self.missed: TryoutPlaythrough | None = None
        self.far = 0
        self.is_broken = False
        self._is_over = False

    def can_be_met_after(self, playthrough: Playthrough, option: Option | None, many: int) -> bool | None:
        """Return whether the offer can be met after an option of so many; None if the budget does not tell.

        Without an option: as things stand.
        """
        budget = max(LEAST_TRIALS, min(TRIALS_OF_OPTION, TRIALS_OF_DECISION // many))
        for way in tuple(self.ways):
            if self.is_route_open(playthrough, option, way):
                return True
        self.is_broken = False
        self.missed = None
        try:
            with open_budget():
                return self.search_goal(playthrough, option, budget)
        except (TooMuchWork, Unanswered):
            return None

    def search_goal(self, playthrough: Playthrough, option: Option | None, budget: int) -> bool | None:
        """Search, try random ways, and search on."""
        search = BestFirstSearch(self, playthrough, option)
        found = search.run(min(FIRST, budget))
        if found is None and self.offer.keeping is None:
            chances = (Stream("way", str(number)) for number in range(RANDOM_WAYS))
            if any(self.unguided.left and self.is_route_open(playthrough, option, (), chance) for chance in chances):
                return True
        if found is None and budget > FIRST:
            found = search.run(budget - FIRST)
        return None if found is False and self.is_broken else found

    def is_route_open(
        self, playthrough: Playthrough, option: Option | None, way: Way, chance: Stream | None = None
    ) -> bool:
        """Return whether a way, as far as it is open, leads on from an option to where the offer is met.

        Where it is not open, chance chooses, or the first option is taken.
        """
        trial = GuidedPlaythrough.copy_of(playthrough)
        trial.guide, trial.chance = way, chance
        left = iter(range(len(way) + LONGER))
        try:
            with open_budget():
                met = self.run(
                    trial, option, lambda trial, call: None if next(left, None) is None else self.guide(trial, call)
                )
        except (BrokenRules, TooMuchWork, Unanswered, Unsettled):
            return False
        if met is True:
            self.remember_route(trial.way)
        return met is True

    def remember_route(self, way: list[Step]) -> None:
        """Remember a way that leads to the end, as the first to be tried."""
        kept = tuple(way)
        if kept in self.ways:
            self.ways.remove(kept)
        self.ways.insert(0, kept)
        del self.ways[WAYS:]

    def guide(self, trial: GuidedPlaythrough, call: Call) -> Option | None:
        """Return what the way has here, if that is open, or else the first option."""
        candidates = self.candidates(trial, call)
        members = candidates.members

        def suits(value: Value) -> bool:
            member = member_of(value)
            return member in members and candidates.legal(member)

        step = trial.next_of(call.key, call.at, suits)
        if step is not None:
            option: Option = step[2]
        elif not self.unguided.spend_one():
            return None
        else:
            found = next(smallest_first(candidates, trial.chance), None)
            option = self.machine.listed_decision(trial, call).options[0] if found is None else found
        if option == END_OFFER and self.is_at_offer(trial):
            return None
        trial.way.append((call.key, call.at, option))
        return option

    def run(
        self, trial: TryoutPlaythrough, option: Option | None, only: Callable[..., Option | None]
    ) -> bool | Call | None:
        """Take an option and run on to the next decision: give the call that asks, True where the offer is met.

        None where nothing follows.
        """
        spend(TRIAL)
        self.spend_trial()
        machine = self.machine
        self._is_over = False
        if option is not None:
            call = trial.calls[-1]
            trial.way.append((call.key, call.at, option))
            machine.take(trial, option)
        found = machine.run_forced(trial, self.place, STEPS, lambda call: self.is_trial_over(trial, call), only)
        if found is None:
            return None
        if self._is_over:
            return True if self.far == 0 else None
        return found

    def is_trial_over(self, playthrough: TryoutPlaythrough, call: Call) -> bool:
        """Return whether a trial is over where a call stands: the offer is met, or only one action is to be tried."""
        if not self.is_at_offer(playthrough):
            return False
        if self.machine.choices.site(call).step is not self.offer:
            raise Unsettled
        if self.met(playthrough.state, call.names):
            self.far, self._is_over = 0, True
            return True
        self.missed = self.missed or TryoutPlaythrough.copy_of(playthrough)
        self.far = self.distance_of(playthrough)
        self._is_over = self.offer.keeping is not None
        return self._is_over

    def stands_at_die(self, playthrough: Playthrough) -> bool:
        """Return whether what is carried out next is to throw a die, and nothing else."""
        call = playthrough.calls[-1]
        return isinstance(self.machine.programs.of[call.key].code[call.at], graph.Roll)

    def distance_of(self, playthrough: Playthrough) -> int:
        """Return how far the offer, which is not met, is from that."""
        return max(1, self.distance(playthrough.state, playthrough.calls[self.place].names))

    def is_at_offer(self, playthrough: Playthrough) -> bool:
        """Return whether the offer itself is on top of the calls."""
        return len(playthrough.calls) == self.place + 1

    def candidates(self, playthrough: Playthrough, call: Call) -> Candidates:
        """Return what might be chosen where a call stands."""
        site = self.machine.choices.site(call)
        return site.candidates(playthrough.state, call.names, site.side(playthrough.state, call.names))


class BestFirstSearch:
    """A search from one option on."""

    def __init__(self, goal: GoalSearch, playthrough: Playthrough, option: Option | None) -> None:
        """Begin with the option."""
        self.goal = goal
        self.seen: set[str] = set()
        self.added = 0
        self.preferred: tuple[Option, ...] = ()
        self.others: Iterator[Option] = iter(())
        self.heap: list[tuple[int, int, SearchNode]] = []
        self.add(
            goal.distance_of(playthrough), SearchNode(TryoutPlaythrough.copy_of(playthrough), iter([(option, ())]))
        )

    def add(self, far: int, node: SearchNode) -> None:
        """Put a node where it will be gone on with: the nearest to the goal first, of those the last."""
        self.added += 1
        heappush(self.heap, (far, -self.added, node))

    def run(self, budget: int) -> bool | None:
        """Try so many options: True if one meets the goal, False if there are no more, None otherwise."""
        heap, left = self.heap, budget
        while heap:
            far, _, node = heap[0]
            option, faces = next(node.options, (None, None))
            if faces is None:
                heappop(heap)
                continue
            left -= 1
            if left < 0:
                node.options = chain([(option, faces)], node.options)
                return None
            if self.expand_node(node, option, faces, far):
                return True
        return False

    def expand_node(self, node: SearchNode, option: Option | None, faces: tuple[int, ...], far: int) -> bool:
        """Carry out an option: say whether the goal is met, or add what follows."""
        goal = self.goal
        playthrough = TryoutPlaythrough.copy_of(node.playthrough)
        playthrough.chances = faces
        goal.far = far
        try:
            call = goal.run(playthrough, option, self.goes_on)
        except UnthrownDie as die:
            results = range(die.low, die.high + 1)
            if goal.stands_at_die(playthrough):
                self.add(goal.far, SearchNode(playthrough, ((None, (face,)) for face in results)))
            else:
                self.add(far, SearchNode(node.playthrough, ((option, (*faces, face)) for face in results)))
            return False
        except NoOpenOption:
            return False
        except (BrokenRules, Unsettled):
            goal.is_broken = True  # What is wrong with the rules is to show in play.
            return False
        if call is True:
            goal.remember_route(playthrough.way)
            return True
        if isinstance(call, Call) and self.preferred != (END_OFFER,) and self.is_new(playthrough):
            self.add(goal.far, SearchNode(playthrough, without_dice(chain(self.preferred, self.others))))
        return False

    def goes_on(self, playthrough: TryoutPlaythrough, call: Call) -> Option | None:
        """Return the only option, None where there are more or where the offer can only end, which meets nothing."""
        self.others = smallest_first(self.goal.candidates(playthrough, call))
        self.preferred = (
            tuple(islice(self.others, 2)) or self.goal.machine.listed_decision(playthrough, call).options[:1]
        )
        if len(self.preferred) > 1 or (self.preferred[0] == END_OFFER and self.goal.is_at_offer(playthrough)):
            return None
        playthrough.way.append((call.key, call.at, self.preferred[0]))
        return self.preferred[0]

    def is_new(self, playthrough: TryoutPlaythrough) -> bool:
        """Return whether a position was not come by before; what follows from one is tried out once."""
        # How often an offer was taken changes nothing that follows.
        calls = tuple(
            (
                call.key,
                call.at,
                tuple(sorted(each for each in call.names.items() if each[0] not in (OFFER_TAKEN, ACCOUNT))),
            )
            for call in playthrough.calls[self.goal.place :]
        )
        key = digest(playthrough.state, calls)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True


def smallest_first(candidates: Candidates, chance: Stream | None = None) -> Iterator[Option]:
    """Yield the options, to add nothing more to a set before what to add; with chance the others in random order."""
    members: Iterable[Value] = candidates.members
    if members and candidates.members[-1] is STOP_ADDING:
        members = chain(candidates.members[-1:], islice(members, len(candidates.members) - 1))
    if chance is not None:
        members = shuffled_members(list(candidates.members), chance)
    return map(candidates.option, filter(candidates.legal, members))


def without_dice(options: Iterable[Option]) -> Iterator[tuple[Option | None, tuple[int, ...]]]:
    """Begin with each option, nothing being thrown yet."""
    return ((option, ()) for option in options)


def member_of(option: Option) -> Value:
    """Return the candidate that an option stands for."""
    if option.what == PICK:
        return option.value
    return STOP_ADDING if option.what == STOP else option
