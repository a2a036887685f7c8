"""Trials of options in copies of a playthrough, decision by decision, up to the first die.

In: a machine, a side, and a playthrough at a decision of that side. Out: `TrialPlaythrough`: the copy in which an
option was taken, and its status. Decisions with a single option are taken as in play. Trials are counted: once the
budget is exhausted or the caller cancels, no more are run, and `cut` is set.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork, open_budget
from runtime.play.choices import Site
from runtime.play.machine import Machine
from runtime.play.options import END_OFFER, Option
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import BrokenRules
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.state.record import Value

# The status of a copy: a decision of the side, of another side, a die is thrown next, no further decision, or an error
# of the rules.
OWN, OTHERS, WAITS_FOR_DIE, OVER, BROKEN = "own", "others", "die", "over", "broken"


class TrialPlaythrough(NamedTuple):
    """A playthrough in which an option was taken, and its status.

    `declined`: other sides were assumed to decline their offers, without a test whether an action was open to them.
    """

    playthrough: TryoutPlaythrough
    status: str
    declined: bool = False


def never_canceled() -> bool:
    """Return False: the default for searches that cannot be canceled."""
    return False


class OptionTrials:
    """Trials in copies of a playthrough; `remaining_trials` are left, `cut` tells whether trials were skipped."""

    def __init__(self, machine: Machine, side: str, budget: int, canceled: Callable[[], bool]) -> None:
        """Start with the whole budget; `canceled` is called before each option."""
        self.canceled = canceled
        self._stopped = False
        self.machine = machine.without_listeners()
        self.side = side
        self.remaining_trials = budget
        self.trial_count = 0
        self.cut = False

    def site(self, playthrough: Playthrough) -> Site:
        """Return the current offer or choice of a playthrough."""
        return self.machine.choices.site(playthrough.calls[-1])

    def is_open(self, playthrough: Playthrough, option: Option) -> bool:
        """Return whether an option of the current decision is open, without enumerating the others."""
        if self.machine.obligations.are_running(playthrough):
            return option in self.options(playthrough)
        call = playthrough.calls[-1]
        candidates = self.site(playthrough).candidates(playthrough.state, call.names, self.side)
        member: Value = option if isinstance(self.site(playthrough).step, graph.Offer) else option.value
        return member in candidates.members and candidates.legal(member)

    def options(self, playthrough: Playthrough) -> tuple[Option, ...]:
        """Return the options of the current decision."""
        return self.machine.decide(playthrough, playthrough.calls[-1]).options

    def offered_options(self, playthrough: Playthrough) -> Iterator[Option]:
        """Yield the offered actions of the current offer, open or not."""
        call = playthrough.calls[-1]
        yield from self.site(playthrough).candidates(playthrough.state, call.names, self.side).members

    def take(self, playthrough: Playthrough, option: Option, *, declining: bool = False) -> TrialPlaythrough | None:
        """Apply an option in a copy and run to the next decision; None once the budget is exhausted.

        `declining`: other sides decline the next offers. Testing whether they have an open action takes most of the
        time, and is seldom needed for a path that is not taken.
        """
        if self.remaining_trials <= 0 or self.is_canceled():
            self.cut = True
            return None
        self.remaining_trials -= 1
        self.trial_count += 1
        trial = TryoutPlaythrough.copy_of(playthrough)
        call = trial.calls[-1]
        try:
            with open_budget():
                self.machine.apply_option(trial, call, self.machine.choices.site(call), option)
                return self._stands(trial, declining=declining)
        except UnthrownDie:
            # Dice of a later phase do not depend on the current choice.
            return TrialPlaythrough(trial, WAITS_FOR_DIE if trial.phase() == playthrough.phase() else OVER)
        except (BrokenRules, Unanswered, TooMuchWork):
            return TrialPlaythrough(trial, BROKEN)

    def is_canceled(self) -> bool:
        """Return whether the caller has canceled; memoized once True."""
        if not self._stopped and self.canceled():
            self._stopped = self.cut = True
        return self._stopped

    def decline_others(self, playthrough: Playthrough) -> TrialPlaythrough | None:
        """Decline the offers of the other sides; None where they may not."""
        return self.take(playthrough, END_OFFER) if self.may_end(playthrough) else None

    def may_end(self, playthrough: Playthrough) -> bool:
        """Return whether the deciding side may end the current offer."""
        call = playthrough.calls[-1]
        if not isinstance(self.site(playthrough).step, graph.Offer):
            return False
        if self.machine.obligations.are_running(playthrough):
            return END_OFFER in self.options(playthrough)
        site = self.site(playthrough)
        return site.candidates(playthrough.state, call.names, site.side(playthrough.state, call.names)).legal(END_OFFER)

    def _stands(self, trial: TryoutPlaythrough, *, declining: bool) -> TrialPlaythrough:
        machine = self.machine
        declined = False

        def forced_option(playthrough: Playthrough, call: ProcedureFrame) -> Option | None:
            nonlocal declined
            if not declining or machine.obligations.are_running(playthrough) or not self.may_end(playthrough):
                return machine.forced_option(playthrough, call)
            declined = True
            return END_OFFER

        call = machine.run_forced(trial, 0, lambda call: self._is_own(trial, call), forced_option)
        if call is None:
            return TrialPlaythrough(trial, OVER, declined)
        return TrialPlaythrough(trial, OWN if self._is_own(trial, call) else OTHERS, declined)

    def _is_own(self, trial: TryoutPlaythrough, call: ProcedureFrame) -> bool:
        return self.machine.choices.site(call).side(trial.state, call.names) == self.side
