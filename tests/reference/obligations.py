"""Obligations of offers with `must`: an option is admissible if the condition can still be met after it.

In: a game at a decision. Out: the decision without inadmissible options. All continuations are searched: each choice of
each side, each result of each die; with `keeping` only up to the end of the action.
"""

from typing import TYPE_CHECKING

from runtime.play.options import END, END_OFFER, Decision, Option
from runtime.play.rule_faults import BrokenRules
from runtime.state.digest import state_digest
from tests.reference import choices

if TYPE_CHECKING:
    from tests.reference.game import OpenOffer, ReferenceGame

MOST = 2_000  # Positions that are gone through for one option.


def admissible_options(game: "ReferenceGame", decision: Decision) -> Decision:
    """Return the decision without options that the outermost pending `must` offer of its side excludes."""
    for pending in game.offers:
        offer, side = pending.offer, choices.deciding_side(game, pending.frame, pending.offer.by)
        if not offer.must or side != decision.side:
            continue
        is_here = is_at_offer(game, pending)
        left = tuple(
            option
            for option in decision.options
            if (is_here and option.kind == END) or SuccessorSearch(pending).is_met(game, option)
        )
        if not left:
            left = (*decision.options, END_OFFER) if is_here and offer.escapes else decision.options
        return decision._replace(options=left)
    return decision


def is_at_offer(game: "ReferenceGame", pending: "OpenOffer") -> bool:
    """Return whether an offer itself is decided."""
    is_last = game.offers[-1].serial == pending.serial
    return is_last and game.site is not None and game.site.step is pending.offer


class UnknownDraw(Exception):  # noqa: N818 -- not an error: every result is to be gone through.
    """A die or draw beyond the results that were given in advance."""

    def __init__(self, low: int, high: int) -> None:
        """Store the range of results."""
        super().__init__(low, high)
        self.low, self.high = low, high


class SuccessorSearch:
    """A search of the continuations of an option until an offer is met."""

    def __init__(self, pending: "OpenOffer") -> None:
        """Start without visited positions."""
        self.pending = pending
        self.visited_keys: set[str] = set()

    def is_met(self, game: "ReferenceGame", option: Option) -> bool:
        """Return whether the offer may be met after an option."""
        results: list[tuple[int, ...]] = [()]
        while results:
            faces = results.pop()
            trial = game.replayed()
            try:
                trial.run_to_decision()
                trial.faces = list(faces)
                found = self.run(trial, option)
                if found is True or (found and self.visit(trial) and any(self.is_met(trial, o) for o in found.options)):
                    return True
            except UnknownDraw as die:
                results += [(*faces, face) for face in range(die.low, die.high + 1)]
            except BrokenRules:
                continue
        return False

    def run(self, trial: "ReferenceGame", option: Option) -> Decision | bool:
        """Apply an option and run to the next decision; True where the offer is met, False at a dead end."""
        trial.take(option)
        while (site := trial.run_to_decision()) is not None and self.is_open(trial):
            is_here = is_at_offer(trial, self.pending)
            if is_here and self.holds(trial):
                return True
            decision = choices.decision(trial, site)
            if is_here and (self.pending.offer.keeping is not None or decision.options == (END_OFFER,)):
                return False
            if len(decision.options) > 1:
                return decision
            trial.take(decision.options[0])
        return False

    def is_open(self, trial: "ReferenceGame") -> bool:
        """Return whether the offer is still in progress."""
        return any(each.serial == self.pending.serial for each in trial.offers)

    def holds(self, trial: "ReferenceGame") -> bool:
        """Return whether the offer, which is the latest, is met."""
        frame, conditions = trial.offers[-1].frame, (self.pending.offer.until, self.pending.offer.keeping)
        return any(each is not None and trial.value(frame, each) for each in conditions)

    def visit(self, trial: "ReferenceGame") -> bool:
        """Return whether a position is new, and mark it as visited."""
        frames = tuple((frame.key, tuple(sorted(frame.names.items()))) for frame in trial.frames)
        chosen = trial.site.chosen if trial.site is not None else ()
        key = state_digest(trial.state, (len(trial.dice), *frames, chosen))
        if len(self.visited_keys) > MOST:
            raise choices.TooManyWays
        if key in self.visited_keys:
            return False
        self.visited_keys.add(key)
        return True
