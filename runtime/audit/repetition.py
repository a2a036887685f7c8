"""Detect repeated positions within one offer: the actions in between may be repeated without end.

The input is the choices of a game at its offers, as they are made; the output is each such cycle of actions, once. It
is recorded whether a die was thrown in the cycle: then another throw may end it, as with repeated attempts.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from runtime.play.options import END
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.state.digest import state_digest


@dataclass(frozen=True, slots=True)
class RepeatedPosition:
    """A cycle: after `actions` a side had the same offer in the same position.

    `with_dice`: dice were thrown in between.

    The start of the cycle is arbitrary: it is the rotation that comes first by name.
    """

    actions: tuple[str, ...]
    with_dice: bool


@dataclass(frozen=True, slots=True)
class FirstDecision:
    """The first occurrence of a cycle: the game, the number of choices, and the time."""

    side: str
    source: str
    choice_count: int
    turn: int
    phase: str


class _OfferPlace(NamedTuple):
    """The place and time of an offer, with the number of running procedures."""

    depth: int
    key: str
    offset: int
    turn: int
    player: str
    phase: str


@dataclass(slots=True)
class _Offer:
    """A running offer: the actions taken in it, and its positions with the dice until then."""

    actions: list[str] = field(default_factory=list)
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)


class RepetitionMonitor:
    """Monitors the offers of games, one after the other."""

    def __init__(self) -> None:
        """Start without cycles."""
        self.first_decisions: dict[RepeatedPosition, FirstDecision] = {}
        self.running_offers: dict[_OfferPlace, _Offer] = {}

    def begin(self) -> None:
        """Start another game."""
        self.running_offers.clear()

    def record_choice(
        self, playthrough: Playthrough, call: ProcedureFrame, side: str, kind: str, action: str, source: str
    ) -> None:
        """Process the position in which an action of an offer is about to be taken, or the offer to end."""
        state, depth = playthrough.state, len(playthrough.calls)
        place = _OfferPlace(depth, call.key, call.offset, state.turn, state.player, state.phase)
        # Offers of deeper calls, or of another time, are over.
        self.running_offers = {
            key: each for key, each in self.running_offers.items() if key.depth < depth or key == place
        }
        offer = self.running_offers.setdefault(place, _Offer())
        if kind == END:
            if offer.actions:
                self.check_position(playthrough, offer, side, source)
            del self.running_offers[place]
            return
        self.check_position(playthrough, offer, side, source)
        offer.actions.append(action)

    def check_position(self, playthrough: Playthrough, offer: _Offer, side: str, source: str) -> None:
        """Compare the position with the earlier ones of the offer."""
        position_digest, dice = state_digest(playthrough.state), len(playthrough.dice)
        if position_digest in offer.positions:
            since, before = offer.positions[position_digest]
            repeat = RepeatedPosition(canonical_cycle(offer.actions[since:]), dice > before)
            self.first_decisions.setdefault(
                repeat,
                FirstDecision(side, source, playthrough.choice_count, playthrough.state.turn, playthrough.state.phase),
            )
        offer.positions[position_digest] = len(offer.actions), dice


def canonical_cycle(actions: list[str]) -> tuple[str, ...]:
    """Return the rotation of a cycle of actions that comes first by name."""
    return min(tuple(actions[offset:] + actions[:offset]) for offset in range(len(actions)))
