"""What a side needs on the map: hexes, how many pieces there, and who can supply them.

In: a game. Out: `AimTarget`s of each side, the most influential first. From the influence of an amount (its sign says
whether the side wants it to rise) and from what a piece changes in a hex follows which pieces help where. Needed are as
many as make the comparison come out as wanted; of an amount that counts as it is, all.

A side that no piece of its own can help, such as a defender, holds the hexes that the others need: a piece that stands
there keeps them out. For amounts that no place of a piece changes but losses of the others do, a side hunts these.
Declared aims come first; what they say of hexes stands in place of what the outcome says of the same hexes, so that
they can say which pieces supply.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from runtime.graph.budget import TooMuchWork
from runtime.graph.identity_memo import memoized_by_identity
from runtime.play.game import Game
from runtime.players.aims.outcome_amounts import (
    PART,
    PLAIN,
    OutcomeAmount,
    accruing_amounts,
    aim_terms,
    amounts_of_term,
)
from runtime.players.aims.outcome_influence import LEAST_INFLUENCE, InfluenceSampler
from runtime.players.aims.piece_distances import PieceDistanceTable
from runtime.players.aims.position_probe import AmountGain, PieceGroup, PositionProbe, derivation_budget
from runtime.players.player import sides_of

# A defender holds so many of the hexes that the others need.
MOST_HELD = 3
# More pieces than any card has.
MOST_NEEDED = 100


class AimKind(Enum):
    """Why a side wants pieces in hexes."""

    SUPPLY = "supply"  # They count for the side there.
    DENY = "deny"  # They keep the others out.
    HUNT = "hunt"  # The others are to be fewer.


class _PieceStatus(NamedTuple):
    """Whether a piece is marked with a status, by its key `owner.name`."""

    key: str
    is_marked: bool


class WantedAmount(NamedTuple):
    """An amount, what one piece adds to it, and whether its comparison is to hold."""

    amount: OutcomeAmount
    gain: float
    is_wanted: bool

    def pieces_needed(self, value: float) -> int:
        """Return how many pieces make the comparison come out as wanted: 0 if it does without any, or never."""
        if self.amount.comparison == PLAIN:
            return MOST_NEEDED
        for pieces in range(MOST_NEEDED):
            if self.amount.holds(value + self.gain * pieces) == self.is_wanted:
                return pieces
        return 0


class AimTarget(NamedTuple):
    """Hexes that a side needs `needed` pieces in, one in each if `is_single`.

    `worth` maps hexes to what a piece there is worth, 1 for the best one. `classes` can supply it; empty: all can.
    `actions` are to be taken there, by key; how many are still needed of them then follows from the `amounts` of a
    position. `status`: only pieces that are marked so, or that are not and are by one of the actions.
    """

    kind: AimKind
    influence: float
    worth: Mapping[int, float]
    needed: int
    is_single: bool
    classes: frozenset[PieceGroup] = frozenset()
    actions: frozenset[str] = frozenset()
    status: _PieceStatus | None = None
    amounts: tuple[WantedAmount, ...] = ()


# An amount, its influence on a side, and what pieces change in it.
InfluentialAmount = tuple[OutcomeAmount, float, Mapping[PieceGroup, AmountGain]]


class GameAims:
    """The aims of all sides of a game."""

    def __init__(self, game: Game) -> None:
        """Probe the rules; without a situation, or without an outcome and a declared aim, there are no aims."""
        self.targets: dict[str, tuple[AimTarget, ...]] = {}
        terms = aim_terms(game.graph)
        if game.graph.scenario is None or not terms:
            return
        try:
            with derivation_budget():
                self._derive_targets(game, terms)
        except TooMuchWork:
            self.targets = {}

    def _derive_targets(self, game: Game, terms: tuple[str, ...]) -> None:
        """Set the targets of all sides, and what they are derived from."""
        sides = sides_of(game, game.set_up())
        self.probe = PositionProbe(game, sides)
        self.size = self.probe.state.board.size
        amounts = {term: self._known_amounts(term) for term in terms}
        self.gains = {amount: self.probe.gains(amount) for term in terms for amount in amounts[term]}
        self.sampler = sampler = InfluenceSampler(self.probe, self.gains)
        # By term, amount and side.
        self.influence = {
            term: {(amount, side): sampler.influence(amount, term, side) for amount in amounts[term] for side in sides}
            for term in terms
        }
        for term in terms:
            for amount in amounts[term]:
                self._add_indirect_gains(term, amount)
        self.distances = PieceDistanceTable(self.probe)
        self.targets = {side: self._targets_by_terms(side) for side in sides}

    def _known_amounts(self, term: str) -> list[OutcomeAmount]:
        """Return the amounts behind a term that are numbers on the empty map."""
        amounts = amounts_of_term(self.probe.rules, term, self.probe.sides)
        return [amount for amount in amounts if self.probe.value(amount) is not None]

    def _add_indirect_gains(self, term: str, amount: OutcomeAmount) -> None:
        """Add to the gains those of actions that write an amount, and of what accrues to it."""
        influence, sides = self.influence[term], self.probe.sides
        if not self.gains[amount] and any(self._matters(term, amount, side) for side in sides):
            self.gains[amount] = self.probe.gains_of_actions(amount)
        for income in accruing_amounts(self.probe.rules, amount):
            self.gains[income] = self.probe.gains(income)
            influence.update({(income, side): influence[amount, side] for side in sides})

    def _matters(self, term: str, amount: OutcomeAmount, side: str) -> bool:
        return abs(self.influence[term][amount, side]) >= LEAST_INFLUENCE

    def _targets_by_terms(self, side: str) -> tuple[AimTarget, ...]:
        """Return what a side needs: by declared aims, and by the outcome where these say nothing of the same hexes."""
        found: list[AimTarget] = []
        for term in self.influence:
            known = {(target.kind, frozenset(target.worth)) for target in found}
            targets = self._targets(term, side)
            found += [target for target in targets if (target.kind, frozenset(target.worth)) not in known]
        return tuple(found)

    def _targets(self, term: str, side: str) -> list[AimTarget]:
        """Return what a side needs by one term, the most influential first."""
        amounts = [*self._influential(term, side)]
        supplies = _merged(self._supplies(side, amounts))
        found = supplies or _merged(self._denials(side, amounts))
        if supplies or not found:
            # What no piece changes by its place may still count losses.
            found += self._hunts(side, [known for known in amounts if not (supplies and known[2])])
        return sorted(found, key=lambda target: (target.kind is AimKind.HUNT, -target.influence))

    def _influential(self, term: str, side: str) -> Iterator[InfluentialAmount]:
        """Yield the amounts behind a term that matter to a side, with their influence and gains."""
        for (amount, for_side), influence in self.influence[term].items():
            if for_side == side and amount.comparison != PART and self._matters(term, amount, side):
                yield amount, influence, self.gains[amount]

    def _local_gains(self, gains: Mapping[PieceGroup, AmountGain], side: str) -> dict[PieceGroup, AmountGain]:
        """Return the gains of a side's pieces that depend on where they stand."""
        return {
            piece_group: gain
            for piece_group, gain in gains.items()
            if piece_group.side == side and len(gain.by_hex) < self.size
        }

    def _supplies(self, side: str, amounts: Sequence[InfluentialAmount]) -> Iterator[AimTarget]:
        """Yield where pieces of a side's own help it."""
        for amount, influence, gains in amounts:
            local_gains = self._local_gains(gains, side)
            for status in sorted({gain.status for gain in local_gains.values()}):
                own_gains = {group: gain for group, gain in local_gains.items() if gain.status == status}
                base = self.probe.value(amount)
                gain = _greatest(own_gains)
                wanted = WantedAmount(amount, gain, influence > 0)
                needed = wanted.pieces_needed(base or 0.0)
                if not needed and any(found.actions for found in own_gains.values()):
                    # What it is compared with, such as the units set up, is not known before the game: all count.
                    needed = MOST_NEEDED
                if needed and _helps(amount, gain, influence):
                    yield AimTarget(
                        AimKind.SUPPLY, abs(influence), _worth(own_gains, abs(gain)), needed,
                        any(found.is_single for found in own_gains.values()), frozenset(own_gains),
                        frozenset(action for found in own_gains.values() for action in found.actions),
                        _PieceStatus(status, is_marked=True) if status else None, (wanted,),
                    )  # fmt: skip
                    yield from self._first_steps(status, abs(influence), own_gains) if status else ()

    def _first_steps(self, status: str, influence: float, gains: Iterable[PieceGroup]) -> Iterator[AimTarget]:
        """Yield where pieces get a status that they need elsewhere."""
        hexes: set[int] = set()
        gives: set[str] = set()
        classes = set()
        for piece_group in gains:
            for action, open_at in self.probe.hexes_of_marking(status, piece_group).items():
                gives.add(action)
                hexes.update(open_at)
                classes.add(piece_group)
        if hexes:
            yield AimTarget(
                AimKind.SUPPLY, influence, dict.fromkeys(sorted(hexes), 1.0), MOST_NEEDED, is_single=True,
                classes=frozenset(classes), actions=frozenset(gives), status=_PieceStatus(status, is_marked=False),
            )  # fmt: skip

    def _denials(self, side: str, amounts: Sequence[InfluentialAmount]) -> Iterator[AimTarget]:
        """Yield where pieces of other sides would harm a side."""
        for amount, influence, gains in amounts:
            for other in self.probe.sides:
                foreign = self._local_gains(gains, other) if other != side else {}
                if foreign and not _helps(amount, _greatest(foreign), influence):
                    worth = dict.fromkeys(_worth(foreign, 1.0), 1.0)
                    yield AimTarget(AimKind.DENY, abs(influence), worth, min(MOST_HELD, len(worth)), is_single=True)

    def _hunts(self, side: str, amounts: Sequence[InfluentialAmount]) -> list[AimTarget]:
        """Return an aim without hexes where a side gains by losses of the others."""
        harms = [
            abs(influence)
            for amount, influence, _ in amounts
            if (loss := self.sampler.change_by_losses(amount, side)) and _helps(amount, loss, influence)
        ]
        return [AimTarget(AimKind.HUNT, max(harms), {}, 0, is_single=False)] if harms else []


@memoized_by_identity(8)
def aims_of(game: Game) -> GameAims:
    """Return the aims of a game."""
    return GameAims(game)


def _greatest(gains: Mapping[PieceGroup, AmountGain]) -> float:
    """Return the gain that is farthest from 0."""
    return max((value for gain in gains.values() for value in gain.by_hex.values()), key=abs)


def _worth(gains: Mapping[PieceGroup, AmountGain], greatest: float) -> dict[int, float]:
    """Return what a piece is worth in each hex, 1 for the greatest gain."""
    return {at: abs(value) / greatest for gain in gains.values() for at, value in gain.by_hex.items()}


def _helps(amount: OutcomeAmount, gain: float, influence: float) -> bool:
    """Return whether a gain moves an amount the way that a side wants it."""
    if amount.comparison in {"=", "!="}:
        return (influence > 0) == (amount.comparison == "!=")
    wants_rise = (influence > 0) == (amount.comparison in {">=", ">", PLAIN})
    return (gain > 0) == wants_rise


def _merged(targets: Iterator[AimTarget]) -> list[AimTarget]:
    """Return targets of the same hexes and pieces as one: the sum of their influence, as many pieces as any needs."""
    found: dict[tuple[frozenset[int], _PieceStatus | None], AimTarget] = {}
    for target in targets:
        key = frozenset(target.worth), target.status
        known = found.get(key)
        found[key] = (
            target
            if known is None
            else target._replace(
                influence=known.influence + target.influence,
                needed=max(known.needed, target.needed),
                is_single=known.is_single or target.is_single,
                classes=known.classes | target.classes,
                actions=known.actions | target.actions,
                amounts=known.amounts + target.amounts,
            )
        )
    return [*found.values()]
