"""Obligations of offers with `must`: an option is admissible if the condition can still be met after it.

In: a game at a decision. Out: the decision without inadmissible options. All continuations are searched: each choice of
each side, each result of each die; with `keeping` only up to the end of the action.
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.play.options import END, END_OFFER, Decision, Option
from runtime.play.rule_faults import BrokenRules
from runtime.state.digest import state_digest
from tests.reference import choices
from tests.reference.effects import UnknownDraw
from tests.reference.pending_steps import OpenOffer

if TYPE_CHECKING:
    from tests.reference.game import ReferenceGame

MOST = 2_000  # Positions that are gone through for one option.


def admissible_options(game: "ReferenceGame", decision: Decision) -> Decision:
    """Return the decision without options that the outermost pending `must` offer of its side excludes."""
    for place, (frame, item) in enumerate(game.todo):
        match item:
            case OpenOffer(offer) if offer.must and choices.deciding_side(game, frame, offer.by) == decision.side:
                return _meeting_obligation(game, decision, place, offer)
    return decision


def _meeting_obligation(game: "ReferenceGame", decision: Decision, place: int, offer: graph.Offer) -> Decision:
    is_here = place == len(game.todo) - 1
    left = tuple(
        option
        for option in decision.options
        if (is_here and option.kind == END) or SuccessorSearch(place, offer).is_met(game, option)
    )
    if not left:
        left = (*decision.options, END_OFFER) if is_here and offer.escapes else decision.options
    return decision._replace(options=left)


class SuccessorSearch:
    """A search of the continuations of an option until an offer, which is at index `place` of the stack, is met."""

    def __init__(self, place: int, offer: graph.Offer) -> None:
        """Start without visited positions."""
        self.place = place
        self.offer = offer
        self.visited_keys: set[str] = set()

    def is_met(self, game: "ReferenceGame", option: Option) -> bool:
        """Return whether the offer may be met after an option."""
        results: list[tuple[int, ...]] = [()]
        while results:
            faces = results.pop()
            trial = game.copy()
            trial.faces = list(faces)
            try:
                found = self.run(trial, option)
            except UnknownDraw as die:
                results += [(*faces, face) for face in range(die.low, die.high + 1)]
                continue
            except BrokenRules:
                continue
            if found is True or (found and self.visit(trial) and any(self.is_met(trial, o) for o in found.options)):
                return True
        return False

    def run(self, trial: "ReferenceGame", option: Option) -> Decision | bool:
        """Apply an option and run to the next decision; True where the offer is met, False at a dead end."""
        trial.take(option)
        while (pending_item := trial.run_to_decision()) is not None and len(trial.todo) > self.place:
            is_at_offer = len(trial.todo) == self.place + 1
            if is_at_offer and self.holds(trial):
                return True
            if is_at_offer and self.offer.keeping is not None:
                return False
            decision = choices.decision(trial, *pending_item)
            if is_at_offer and decision.options == (END_OFFER,):
                return False
            if len(decision.options) > 1:
                return decision
            trial.take(decision.options[0])
        return False

    def holds(self, trial: "ReferenceGame") -> bool:
        """Return whether the offer, which is on top of the stack, is met."""
        frame, _ = trial.todo[-1]
        conditions = [each for each in (self.offer.until, self.offer.keeping) if each is not None]
        return any(trial.value(frame, each) for each in conditions)

    def visit(self, trial: "ReferenceGame") -> bool:
        """Return whether a position is new, and mark it as visited."""
        todo = tuple((frame.key, tuple(sorted(frame.names.items())), repr(item)) for frame, item in trial.todo)
        key = state_digest(trial.state, (len(trial.dice), *todo))
        if len(self.visited_keys) > MOST:
            raise choices.TooManyWays
        if key in self.visited_keys:
            return False
        self.visited_keys.add(key)
        return True
