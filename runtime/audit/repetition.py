"""Positions that come again within one offer: what was done in between may be done without end.

In: the choices of a game at its offers, as they are carried out. Out: each such circle of actions, once. That a die was
thrown in it is noted: then another throw may end it, as where somebody may try until he succeeds.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from runtime.play.choices import END
from runtime.play.playthrough import Call, Playthrough
from runtime.state.digest import digest


@dataclass(frozen=True, slots=True)
class RepeatedPosition:
    """After `actions` a side was offered the same in the same position. `with_dice`: dice were thrown in between.

    Where the circle begins does not matter: of all beginnings it has the first by name.
    """

    actions: tuple[str, ...]
    with_dice: bool


@dataclass(frozen=True, slots=True)
class FirstDecision:
    """Who was asked where a circle was met first: in which game, after how many choices, and when."""

    side: str
    where: str
    choices: int
    turn: int
    phase: str


class _Place(NamedTuple):
    """Where and when something is offered, and how many procedures run there."""

    depth: int
    key: str
    at: int
    turn: int
    player: str
    phase: str


@dataclass(slots=True)
class _Offer:
    """An offer under way: the actions taken in it, and the positions in which it stood, with the dice until then."""

    actions: list[str] = field(default_factory=list)
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)


class RepetitionMonitor:
    """Watches the offers of games, one after the other."""

    def __init__(self) -> None:
        """Begin with nothing met."""
        self.met: dict[RepeatedPosition, FirstDecision] = {}
        self.running: dict[_Place, _Offer] = {}

    def begin(self) -> None:
        """Begin another game."""
        self.running.clear()

    def chosen(self, playthrough: Playthrough, call: Call, side: str, what: str, action: str, where: str) -> None:
        """Look at the position in which an action of an offer is about to be taken, or the offer to end."""
        state, depth = playthrough.state, len(playthrough.calls)
        place = _Place(depth, call.key, call.at, state.turn, state.player, state.phase)
        # What was offered deeper down, or at another time, is over.
        self.running = {key: each for key, each in self.running.items() if key.depth < depth or key == place}
        offer = self.running.setdefault(place, _Offer())
        if what == END:
            if offer.actions:
                self.check_position(playthrough, offer, side, where)
            del self.running[place]
            return
        self.check_position(playthrough, offer, side, where)
        offer.actions.append(action)

    def check_position(self, playthrough: Playthrough, offer: _Offer, side: str, where: str) -> None:
        """Hold the position against those in which the offer stood before."""
        here, dice = digest(playthrough.state), len(playthrough.dice)
        if here in offer.positions:
            since, before = offer.positions[here]
            repeat = RepeatedPosition(canonical_cycle(offer.actions[since:]), dice > before)
            self.met.setdefault(
                repeat, FirstDecision(side, where, playthrough.choices, playthrough.state.turn, playthrough.state.phase)
            )
        offer.positions[here] = len(offer.actions), dice


def canonical_cycle(actions: list[str]) -> tuple[str, ...]:
    """Let a circle of actions begin where it comes first by name."""
    return min(tuple(actions[at:] + actions[:at]) for at in range(len(actions)))
