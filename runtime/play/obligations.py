"""What may be chosen while an offer must not end before something is so: only what can still lead there.

In: a playthrough at a decision, with an offer under way that has `must`. Out: the options after which its condition can
still come to hold. What follows an option is tried out in copies of the playthrough (goal_search.py): each decision of
anybody and each result of a die. So "it can" means that there is a way, with luck and if the others choose so; "it
cannot" that there is none.

Trying has a budget of decisions, shared out among the options, so the same position offers the same in any process. An
option of which the budget does not tell is offered, and counted in the playthrough. Ways that are known from earlier
decisions save trying; they change no answer, since who is not known to miss the condition is offered anyway.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph.budget import TRIALS_OF_DECISION, allow_members, budget_limit, spend
from runtime.graph.obligation import obligation_of
from runtime.graph.unsettled_offer import UnsettledOffer, unsettled_offer
from runtime.play.goal_distance import GoalDistance
from runtime.play.goal_search import Goal, GoalSearch, StepBudget, TooManyTrials, Way
from runtime.play.options import END, END_OFFER, Option
from runtime.play.playthrough import OFFER_TAKEN, Playthrough

if TYPE_CHECKING:
    from runtime.play.choices import Decision
    from runtime.play.machine import Machine

# What is tried is carried out by nobody: of the budget of a game (game_budget.py) it takes one in so many members. A
# compiled module counts none of it, and such games are to go on in the machine as they do there.
SHARE = 100


class Obligations:
    """The offers of one machine that have `must`, and what they leave open."""

    def __init__(self, machine: "Machine") -> None:
        """Find them; most graphs have none."""
        self.machine = machine
        self.offers = {
            (key, at): step
            for key, program in machine.programs.of.items()
            for at, step in enumerate(program.code)
            if isinstance(step, graph.Offer) and step.must
        }
        # What may be tried out in all; only who looks for something by playing sets an end.
        self.trials = float("inf")
        # Ways that lead to the end of an offer, the last that was found first.
        self.ways: dict[graph.Offer, list[Way]] = {}
        self._goals: dict[graph.Offer, Goal] = {}
        self._quiet: Machine | None = None
        # Decisions that ways may take without a guide, for all options of the decision that is looked at.
        self.steps = StepBudget(TRIALS_OF_DECISION)

    def are_running(self, playthrough: Playthrough) -> bool:
        """Return whether a call stands at such an offer."""
        return bool(self.offers) and next(self.obliged_calls(playthrough), None) is not None

    def obliged_calls(self, playthrough: Playthrough) -> Iterator[int]:
        """Yield the places of the calls whose offer is under way and is such a one, the outermost first.

        Below the last call, one where nothing was taken only waits for the calls above it.
        """
        last = len(playthrough.calls) - 1
        return (
            place
            for place, call in enumerate(playthrough.calls)
            if (call.key, call.at) in self.offers and (place == last or OFFER_TAKEN in call.names)
        )

    def open_options(self, playthrough: Playthrough, decision: "Decision") -> tuple[Option, ...]:
        """List the options that the outermost offer under way leaves open to the side that has to meet it."""
        for place in self.obliged_calls(playthrough):
            call = playthrough.calls[place]
            if decision.side == self.machine.choices.site(call).side(playthrough.state, call.names):
                return self._open(playthrough, decision, place)
        return decision.options

    def _open(self, playthrough: Playthrough, decision: "Decision", place: int) -> tuple[Option, ...]:
        call, many, is_here = playthrough.calls[place], len(decision.options), place == len(playthrough.calls) - 1
        may_end = is_here and self.offers[call.key, call.at].escapes
        if many == 1 and not may_end:
            return decision.options  # Whatever comes of it.
        left, unsettled = [], 0
        # That it may end means that the condition holds.
        with self.separate_budget():
            for option in decision.options:
                found = (is_here and option.what == END) or self.can_be_met_after(playthrough, place, option, many)
                unsettled += found is None
                if found is not False:
                    left.append(option)
        if unsettled:
            decisions, options = playthrough.unsettled.get((call.key, call.at), (0, 0))
            playthrough.unsettled[call.key, call.at] = (decisions + 1, options + unsettled)
        return tuple(left) or ((*decision.options, END_OFFER) if may_end else decision.options)

    @contextmanager
    def separate_budget(self) -> Iterator[None]:
        """Let what is tried for a decision have a budget of its own, of which the game pays a share."""
        self.steps = StepBudget(TRIALS_OF_DECISION)
        with allow_members(budget_limit(), apart=True) as used:
            try:
                yield
            finally:
                tried = used()
        spend(int(tried) // SHARE)

    def can_be_met_after(self, playthrough: Playthrough, place: int, option: Option, many: int) -> bool | None:
        """Return whether the offer of a call can still be met after an option of so many; None if it cannot be told."""
        call = playthrough.calls[place]
        return self.make_search(self.offers[call.key, call.at], place).can_be_met_after(playthrough, option, many)

    def unsettled_offers(self, playthrough: Playthrough) -> tuple[UnsettledOffer, ...]:
        """List the offers of which the budget did not always tell in a game, in the order of their procedures."""
        return tuple(
            unsettled_offer(
                tuple(name for name, _ in offer.actions),
                self.machine.programs.of[key].procedure,
                *playthrough.unsettled[key, at],
            )
            for (key, at), offer in self.offers.items()
            if (key, at) in playthrough.unsettled
        )

    def make_search(self, offer: graph.Offer, place: int) -> GoalSearch:
        """Make what tries out what may follow in an offer."""
        self._quiet = self._quiet or self.machine.without_listeners()
        ways = self.ways.setdefault(offer, [])
        search = GoalSearch(self._quiet, offer, place, self.make_goal(offer), ways, self.spend_trial)
        search.unguided = self.steps
        return search

    def spend_trial(self) -> None:
        """Count a trial."""
        self.trials -= 1
        if self.trials < 0:
            raise TooManyTrials

    def make_goal(self, offer: graph.Offer) -> Goal:
        """Return what says whether an action was allowed, once it is over, and how far an offer is from its end."""
        if offer not in self._goals:
            value_function = self.machine.evaluator.evaluator.value_function
            wanted = obligation_of(offer)
            assert wanted is not None
            self._goals[offer] = Goal(value_function(wanted), GoalDistance(offer.until or wanted, value_function))
        return self._goals[offer]
