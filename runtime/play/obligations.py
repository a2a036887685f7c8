"""Obligations of offers with `must`: only options after which the condition can still be met are open.

In: a playthrough at a decision, with an offer in progress that has `must`. Out: the options after which its condition
is reachable. Continuations are tried in copies of the playthrough (goal_search.py), over each decision of each side and
each result of a die: reachable means that some continuation satisfies the condition, unreachable that none does.

The search has a budget of decisions, divided among the options, so that the same position has the same options in any
process. An option that the budget leaves undecided is open, and counted in the playthrough. Stored paths of earlier
decisions shorten the search; they do not change options, as an undecided option is open anyway.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.evaluator import ValueFunction
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members, budget_limit, spend
from runtime.graph.conjuncts import conjuncts
from runtime.graph.steps import obligation_of
from runtime.graph.unsettled_offer import UnsettledOffer, unsettled_offer
from runtime.play.goal_search import Goal, GoalPath, GoalSearch, StepBudget, TooManyTrials
from runtime.play.options import END, END_OFFER, Option
from runtime.play.playthrough import OFFER_TAKEN, Names, Playthrough
from runtime.state.position import State

if TYPE_CHECKING:
    from runtime.play.machine import Machine
    from runtime.play.options import Decision

# Trials charge the budget of a game (game_budget.py) with one in so many set members, and where they decide nothing
# with more, so that a condition out of reach does not cost a full search at each of thousands of decisions. A compiled
# module charges nothing, and games have to continue in the machine as they do there.
SHARE, SHARE_OF_UNDECIDED = 100, 5


class Obligations:
    """The offers of one machine that have `must`, and the options that they admit."""

    def __init__(self, machine: "Machine") -> None:
        """Collect these offers; most graphs have none."""
        self.machine = machine
        self.offers = machine.programs.obligations
        # The limit of trials in total; only searches by play set one.
        self.trials = float("inf")
        # Successful paths by offer, the latest first.
        self.routes_by_offer: dict[graph.Offer, list[GoalPath]] = {}
        self._goals: dict[graph.Offer, Goal] = {}
        self._machine_without_listeners: Machine | None = None
        # The budget of decisions on random paths, for all options of the current decision.
        self.steps = StepBudget()
        # The share of the members of its trials that is charged to the game.
        self.share = SHARE

    def are_running(self, playthrough: Playthrough) -> bool:
        """Return whether such an offer is in progress."""
        return bool(self.offers) and next(self.obliged_calls(playthrough), None) is not None

    def obliged_calls(self, playthrough: Playthrough) -> Iterator[int]:
        """Yield the indexes of the calls with such an offer in progress, the outermost first.

        A call below the last one whose offer had no option taken only waits for the calls above it.
        """
        last = len(playthrough.calls) - 1
        return (
            index
            for index, call in enumerate(playthrough.calls)
            if (call.key, call.offset) in self.offers and (index == last or OFFER_TAKEN in call.names)
        )

    def open_options(self, playthrough: Playthrough, decision: "Decision") -> tuple[Option, ...]:
        """Return the options that the outermost such offer of the deciding side admits."""
        for place in self.obliged_calls(playthrough):
            call = playthrough.calls[place]
            if decision.side == self.machine.choices.site(call).side(playthrough.state, call.names):
                return self._open(playthrough, decision, place)
        return decision.options

    def _open(self, playthrough: Playthrough, decision: "Decision", place: int) -> tuple[Option, ...]:
        call, many, is_here = playthrough.calls[place], len(decision.options), place == len(playthrough.calls) - 1
        may_end = is_here and self.offers[call.key, call.offset].escapes
        if many == 1 and not may_end:
            return decision.options  # Whatever comes of it.
        left, unsettled = [], 0
        # The offer may end only if the condition holds.
        with self.separate_budget():
            for option in decision.options:
                found = (is_here and option.kind == END) or self.can_be_met_after(playthrough, place, option, many)
                if found is None:
                    unsettled += 1
                    self.share = SHARE_OF_UNDECIDED
                if found is not False:
                    left.append(option)
        if unsettled:
            decisions, options = playthrough.unsettled.get((call.key, call.offset), (0, 0))
            playthrough.unsettled[call.key, call.offset] = (decisions + 1, options + unsettled)
        return tuple(left) or ((*decision.options, END_OFFER) if may_end else decision.options)

    @contextmanager
    def separate_budget(self) -> Iterator[None]:
        """Run the trials of a decision under a separate work budget, a share of which is charged to the game."""
        self.steps, self.share = StepBudget(), SHARE
        with allow_members(budget_limit(), is_separate=True) as used:
            try:
                yield
            finally:
                members = used()
        spend(int(members) // self.share)

    def can_be_met_after(self, playthrough: Playthrough, place: int, option: Option, many: int) -> bool | None:
        """Return whether the offer of a call can still be met after one of `many` options; None if undecided."""
        call = playthrough.calls[place]
        return self.make_search(self.offers[call.key, call.offset], place).can_be_met_after(playthrough, option, many)

    def unsettled_offers(self, playthrough: Playthrough) -> tuple[UnsettledOffer, ...]:
        """Return the offers that the budget left undecided in a game, in the order of their procedures."""
        return tuple(
            unsettled_offer(
                tuple(name for name, _ in offer.actions),
                self.machine.programs.entries[key].procedure,
                *playthrough.unsettled[key, offset],
            )
            for (key, offset), offer in self.offers.items()
            if (key, offset) in playthrough.unsettled
        )

    def make_search(self, offer: graph.Offer, place: int) -> GoalSearch:
        """Return the search of continuations of an offer."""
        self._machine_without_listeners = self._machine_without_listeners or self.machine.without_listeners()
        routes = self.routes_by_offer.setdefault(offer, [])
        search = GoalSearch(
            self._machine_without_listeners, offer, place, self.make_goal(offer), routes, self.spend_trial
        )
        search.unguided = self.steps
        return search

    def spend_trial(self) -> None:
        """Count a trial; raises `TooManyTrials` at the limit."""
        self.trials -= 1
        if self.trials < 0:
            raise TooManyTrials

    def make_goal(self, offer: graph.Offer) -> Goal:
        """Return the goal of an offer: the condition under which an action was admissible, and the distance from it."""
        if offer not in self._goals:
            value_function = self.machine.evaluator.evaluator.value_function
            condition = obligation_of(offer)
            assert condition is not None
            self._goals[offer] = Goal(value_function(condition), GoalDistance(offer.until or condition, value_function))
        return self._goals[offer]


# ---------------------------------------------------------------- the distance of a position from a goal condition


ZERO = graph.Num(Fraction(0), "")


class GoalDistance:
    """The distance function of a condition."""

    __slots__ = ("conditions", "counts")

    def __init__(self, goal: graph.Expr, value_function: Callable[[graph.Expr], ValueFunction]) -> None:
        """Split the condition into conjuncts; `value_function` compiles an expression."""
        parts = list(conjuncts(goal))
        folds = [(part, _violation_count(part)) for part in parts]
        self.counts = [value_function(fold) for _, fold in folds if fold is not None]
        self.conditions = [value_function(part) for part, fold in folds if fold is None]

    def __call__(self, state: State, names: Names) -> int:
        """Return the distance of a state."""
        unmet = sum(not holds(state, names) for holds in self.conditions)
        return unmet + sum(int(count(state, names)) for count in self.counts)


def _violation_count(part: graph.Expr) -> graph.Expr | None:
    """Return the aggregate that counts the members which violate a condition; None where it is not about a set."""
    match part:
        case graph.Fold("none", var, source, condition) | graph.Op(
            "not", (graph.Fold("some", var, source, condition),)
        ):
            return graph.Fold("count", var, source, condition, None, None)
        case graph.Fold("every", var, source, condition, body) if body is not None:
            fails: graph.Expr = graph.Op("not", (body,))
            others = fails if condition is None else graph.Op("and", (condition, fails))
            return graph.Fold("count", var, source, others, None, None)
        case graph.Op("=", (graph.Fold("count") as fold, number)) if number == ZERO:
            return fold
        case _:
            return None
