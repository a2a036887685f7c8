"""A search for a continuation that meets the `must` condition of an offer.

In: a playthrough in which the offer is in progress, and an option of its decision. Out: whether some continuation of
the option, over all choices of all sides and all results of dice, satisfies the condition; None where the budget of
decisions does not decide. Successful paths are stored, and tried first for the next option.

The search is best-first (Pearl, "Heuristics", 1984): it expands the node with the fewest violating members
(obligations.py), the latest of equals. Small sets are chosen first, as resources used by one action are missing for
the next. Where that does not decide soon, random paths are tried (iterative sampling; Langley, "Systematic and
nonsystematic search strategies", 1992), as a systematic search revises early choices late. All options of a decision
share a budget for random paths: where none succeeds from the first options, none is likely to from the others.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.evaluator import ValueFunction
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import LEAST_TRIALS, TRIALS_OF_DECISION, TRIALS_OF_OPTION, TooMuchWork, open_budget, spend
from runtime.play.dice import Stream
from runtime.play.options import END_OFFER, PICK, STOP, STOP_ADDING, Candidates, Option
from runtime.play.playthrough import ACCOUNT, OFFER_TAKEN, Names, Playthrough, ProcedureFrame
from runtime.play.random_draw import shuffled_members
from runtime.play.rule_faults import BrokenRules, NoOpenOption
from runtime.play.tryout_playthrough import DIE, Step, TryoutPlaythrough, UnthrownDie
from runtime.state.digest import state_digest
from runtime.state.position import State
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.play.machine import Machine

# The fixed cost of a trial in set members: the position is copied and compared.
TRIAL = 400
# The decisions after which random paths are tried, and their number.
DECISIONS_BEFORE_RANDOM_PATHS, RANDOM_PATHS = 40, 24
# The number of stored paths, and by how many decisions another one may be longer.
STORED_PATHS = 3
LONGER = 200
GoalPath = tuple[Step, ...]


class _UndecidedSearch(Exception):  # noqa: N818 -- not an error, but an answer.
    """The budget is exhausted, or a continuation cannot be executed."""


class TooManyTrials(Exception):  # noqa: N818 -- as above.
    """The limit of trials of this machine is reached."""


class _GuidedPlaythrough(TryoutPlaythrough):
    """A trial that follows a known path as far as it is open."""

    __slots__ = ("chance", "guide", "guide_index")

    def __init__(self, state: State) -> None:
        """Start without a path."""
        super().__init__(state)
        self.guide: GoalPath = ()
        self.chance: Stream | None = None
        self.guide_index = 0

    def next_step(self, key: str, offset: int, accepts: Callable[[Value], bool]) -> Step | None:
        """Return the next applicable step of the path, and advance past it; None where there is none."""
        for number in range(self.guide_index, len(self.guide)):
            step = self.guide[number]
            if step[0] == key and step[1] == offset and accepts(step[2]):
                self.guide_index = number + 1
                return step
        return None

    def _chance(self, stream: int, low: int, high: int) -> int | None:  # noqa: ARG002 -- as playthroughs have it.
        """Return the die result of the path, or else a random one, or the least one without a random stream."""
        key = self.calls[-1].key if self.calls else ""
        known = self.next_step(key, DIE, lambda value: low <= value <= high)
        other = low if self.chance is None else low + self.chance.draw(high - low + 1)
        value: int = other if known is None else known[2]
        self.route.append((key, DIE, value))
        return value


class Goal(NamedTuple):
    """The goal of an offer: whether it is met, and the distance from it."""

    condition: ValueFunction
    distance: Callable[[State, Names], int]


class StepBudget:
    """A shared budget of steps."""

    __slots__ = ("remaining_steps",)

    def __init__(self) -> None:
        """Start with those of a decision."""
        self.remaining_steps = TRIALS_OF_DECISION

    def spend_one(self) -> bool:
        """Spend one step; return False if none was left."""
        if not self.remaining_steps:
            return False
        self.remaining_steps -= 1
        return True


class _SearchNode:
    """A playthrough at a decision, with its untried options and the first results of their dice."""

    __slots__ = ("options", "playthrough")

    def __init__(
        self, playthrough: TryoutPlaythrough, options: Iterator[tuple[Option | None, tuple[int, ...]]]
    ) -> None:
        """Start with all of them."""
        self.playthrough = playthrough
        self.options = options


class GoalSearch:
    """A search in the continuations of an offer, at index `place` of the calls, for a state with `is_goal_met`.

    `routes` are known paths, stored by the caller, tried in order. `spend_trial` counts trials, and `unguided` is the
    budget of decisions on random paths, which several searches may share.
    """

    def __init__(
        self,
        machine: "Machine",
        offer: graph.Offer,
        place: int,
        goal: Goal,
        routes: list[GoalPath],
        spend_trial: Callable[[], None],
    ) -> None:
        """Start without trials."""
        self.unguided = StepBudget()
        self.machine = machine
        self.offer = offer
        self.place = place
        self.is_goal_met, self.distance = goal
        self.routes = routes
        self.spend_trial = spend_trial
        # The state in which the offer could first have ended without being met.
        self.missed_playthrough: TryoutPlaythrough | None = None
        self.last_distance = 0
        self.is_broken = False
        self._is_over = False

    def can_be_met_after(self, playthrough: Playthrough, option: Option | None, many: int) -> bool | None:
        """Return whether the offer can be met after one of `many` options; None if the budget does not decide.

        Without an option: from the current state.
        """
        budget = max(LEAST_TRIALS, min(TRIALS_OF_OPTION, TRIALS_OF_DECISION // many))
        for route in tuple(self.routes):
            if self.is_route_open(playthrough, option, route):
                return True
        self.is_broken = False
        self.missed_playthrough = None
        try:
            with open_budget():
                return self.search_goal(playthrough, option, budget)
        except (TooMuchWork, Unanswered):
            return None

    def search_goal(self, playthrough: Playthrough, option: Option | None, budget: int) -> bool | None:
        """Search, try random paths, then continue the search."""
        search = _BestFirstSearch(self, playthrough, option)
        found = search.run(min(DECISIONS_BEFORE_RANDOM_PATHS, budget))
        if found is None and self.offer.keeping is None:
            chances = (Stream("way", str(number)) for number in range(RANDOM_PATHS))
            if any(
                self.unguided.remaining_steps and self.is_route_open(playthrough, option, (), chance)
                for chance in chances
            ):
                return True
        if found is None and budget > DECISIONS_BEFORE_RANDOM_PATHS:
            found = search.run(budget - DECISIONS_BEFORE_RANDOM_PATHS)
        return None if found is False and self.is_broken else found

    def is_route_open(
        self, playthrough: Playthrough, option: Option | None, route: GoalPath, chance: Stream | None = None
    ) -> bool:
        """Return whether a path, as far as it is open, meets the offer after an option.

        Where the path is not open, a random option is taken, or the first one without a random stream.
        """
        trial = _GuidedPlaythrough.copy_of(playthrough)
        trial.guide, trial.chance = route, chance
        left = iter(range(len(route) + LONGER))
        try:
            with open_budget():
                is_met = self.run(
                    trial, option, lambda trial, call: None if next(left, None) is None else self.guide(trial, call)
                )
        except (BrokenRules, TooMuchWork, Unanswered, _UndecidedSearch):
            return False
        if is_met is True:
            self.remember_route(trial.route)
        return is_met is True

    def remember_route(self, route: list[Step]) -> None:
        """Store a successful path as the first to be tried."""
        steps = tuple(route)
        if steps in self.routes:
            self.routes.remove(steps)
        self.routes.insert(0, steps)
        del self.routes[STORED_PATHS:]

    def guide(self, trial: _GuidedPlaythrough, call: ProcedureFrame) -> Option | None:
        """Return the option of the path here, if it is open, or else the first option."""
        candidates = self.candidates(trial, call)
        members = candidates.members

        def is_candidate(value: Value) -> bool:
            member = value.value if value.kind == PICK else STOP_ADDING if value.kind == STOP else value
            return member in members and candidates.legal(member)

        step = trial.next_step(call.key, call.offset, is_candidate)
        if step is not None:
            option: Option = step[2]
        elif not self.unguided.spend_one():
            return None
        else:
            found = next(_smallest_first(candidates, trial.chance), None)
            option = self.machine.listed_decision(trial, call).options[0] if found is None else found
        if option == END_OFFER and self.is_at_offer(trial):
            return None
        trial.route.append((call.key, call.offset, option))
        return option

    def run(
        self, trial: TryoutPlaythrough, option: Option | None, only: Callable[..., Option | None]
    ) -> bool | ProcedureFrame | None:
        """Apply an option and run to the next decision: return its call, True if the offer is met, None at an end."""
        spend(TRIAL)
        self.spend_trial()
        machine = self.machine
        self._is_over = False
        if option is not None:
            call = trial.calls[-1]
            trial.route.append((call.key, call.offset, option))
            machine.take(trial, option)
        found = machine.run_forced(trial, self.place, lambda call: self.is_trial_over(trial, call), only)
        if found is None:
            return None
        if self._is_over:
            return True if self.last_distance == 0 else None
        return found

    def is_trial_over(self, playthrough: TryoutPlaythrough, call: ProcedureFrame) -> bool:
        """Return whether a trial ends at a call: the offer is met, or the trial covers one action only."""
        if not self.is_at_offer(playthrough):
            return False
        if self.machine.choices.site(call).step is not self.offer:
            raise _UndecidedSearch
        if self.is_goal_met(playthrough.state, call.names):
            self.last_distance, self._is_over = 0, True
            return True
        self.missed_playthrough = self.missed_playthrough or TryoutPlaythrough.copy_of(playthrough)
        self.last_distance = self.distance_of(playthrough)
        self._is_over = self.offer.keeping is not None
        return self._is_over

    def is_at_die(self, playthrough: Playthrough) -> bool:
        """Return whether the next step throws a die."""
        call = playthrough.calls[-1]
        return isinstance(self.machine.step_of(call), graph.Roll)

    def distance_of(self, playthrough: Playthrough) -> int:
        """Return the distance of the offer, which is not met, from its goal."""
        return max(1, self.distance(playthrough.state, playthrough.calls[self.place].names))

    def is_at_offer(self, playthrough: Playthrough) -> bool:
        """Return whether the offer itself is on top of the calls."""
        return len(playthrough.calls) == self.place + 1

    def candidates(self, playthrough: Playthrough, call: ProcedureFrame) -> Candidates:
        """Return the candidates at a call."""
        site = self.machine.choices.site(call)
        return site.candidates(playthrough.state, call.names, site.side(playthrough.state, call.names))


class _BestFirstSearch:
    """A best-first search of the continuations of one option."""

    def __init__(self, goal: GoalSearch, playthrough: Playthrough, option: Option | None) -> None:
        """Start with the option."""
        self.goal = goal
        self.visited_keys: set[str] = set()
        self.added_count = 0
        self.preferred: tuple[Option, ...] = ()
        self.other_options: Iterator[Option] = iter(())
        self.heap: list[tuple[int, int, _SearchNode]] = []
        self.add(
            goal.distance_of(playthrough), _SearchNode(TryoutPlaythrough.copy_of(playthrough), iter([(option, ())]))
        )

    def add(self, far: int, node: _SearchNode) -> None:
        """Push a node: nearest to the goal first, the latest of equals."""
        self.added_count += 1
        heappush(self.heap, (far, -self.added_count, node))

    def run(self, budget: int) -> bool | None:
        """Expand up to `budget` options: True if one meets the goal, False if none is left, None otherwise."""
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

    def expand_node(self, node: _SearchNode, option: Option | None, faces: tuple[int, ...], far: int) -> bool:
        """Apply an option: return whether the goal is met, else push the successor."""
        goal = self.goal
        playthrough = TryoutPlaythrough.copy_of(node.playthrough)
        playthrough.chances = faces
        goal.last_distance = far
        try:
            call = goal.run(playthrough, option, self.forced_option)
        except UnthrownDie as die:
            results = range(die.low, die.high + 1)
            if goal.is_at_die(playthrough):
                self.add(goal.last_distance, _SearchNode(playthrough, ((None, (face,)) for face in results)))
            else:
                self.add(far, _SearchNode(node.playthrough, ((option, (*faces, face)) for face in results)))
            return False
        except NoOpenOption:
            return False
        except (BrokenRules, _UndecidedSearch):
            goal.is_broken = True  # What is wrong with the rules is to show in play.
            return False
        if call is True:
            goal.remember_route(playthrough.route)
            return True
        if isinstance(call, ProcedureFrame) and self.preferred != (END_OFFER,) and self.visit(playthrough):
            self.add(
                goal.last_distance, _SearchNode(playthrough, _without_dice(chain(self.preferred, self.other_options)))
            )
        return False

    def forced_option(self, playthrough: TryoutPlaythrough, call: ProcedureFrame) -> Option | None:
        """Return the only option, added to the route; None where there are more, or where the offer can only end."""
        self.other_options = _smallest_first(self.goal.candidates(playthrough, call))
        self.preferred = (
            tuple(islice(self.other_options, 2)) or self.goal.machine.listed_decision(playthrough, call).options[:1]
        )
        if len(self.preferred) > 1 or (self.preferred[0] == END_OFFER and self.goal.is_at_offer(playthrough)):
            return None
        playthrough.route.append((call.key, call.offset, self.preferred[0]))
        return self.preferred[0]

    def visit(self, playthrough: TryoutPlaythrough) -> bool:
        """Return whether a position is new, and mark it as visited."""
        # The number of times an offer was taken does not affect continuations.
        calls = tuple(call.freeze((OFFER_TAKEN, ACCOUNT)) for call in playthrough.calls[self.goal.place :])
        key = state_digest(playthrough.state, calls)
        if key in self.visited_keys:
            return False
        self.visited_keys.add(key)
        return True


def _smallest_first(candidates: Candidates, chance: Stream | None = None) -> Iterator[Option]:
    """Yield the options, that to stop adding before those to add; with a random stream the others in random order."""
    members: Iterable[Value] = candidates.members
    if members and candidates.members[-1] is STOP_ADDING:
        members = chain(candidates.members[-1:], islice(members, len(candidates.members) - 1))
    if chance is not None:
        members = shuffled_members(list(candidates.members), chance)
    return map(candidates.option, filter(candidates.legal, members))


def _without_dice(options: Iterable[Option]) -> Iterator[tuple[Option | None, tuple[int, ...]]]:
    """Yield each option with no dice results."""
    return ((option, ()) for option in options)
