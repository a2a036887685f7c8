"""The influence of amounts on the outcome: whether a side gains when an amount rises, from positions drawn at random.

In: a probe, the amounts, and how pieces change them. Out: for each amount and side the correlation of the amount, or of
whether its comparison holds, with the side's lead in the outcome, or with the value of its declared aim. The rules are
asked as they are, so exceptions, levels that are subtracted from each other and conditions on both sides are all taken
into account. In each position a random share of the pieces of each side is on the map, of these a random share in hexes
that change an amount; tracks that the amounts read have random values. The draws have one seed for all rules: where two
stacks differ in texts, or in what no aim reads, their players have the same aims.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import StatisticsError, correlation
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.predeclared_types import SIDE
from runtime.play.dice import Stream
from runtime.players.aims.outcome_amounts import PART, PLAIN, OutcomeAmount, aim_terms, side_question
from runtime.players.aims.position_probe import AmountGain, PieceGroup, PositionProbe
from runtime.state import change
from runtime.state.record import Event

POSITIONS = 300  # Drawn positions: the error of a correlation is 0.06.
PERCENT = 100
# Correlations below this may be chance: it is twice the error.
LEAST_INFLUENCE = 0.12
CERTAIN = 3  # A difference of counts is no chance from so many times its error on.


class _InfluenceSample(NamedTuple):
    """A drawn position: leads in the outcome and values of aims, by term and side; amounts, None without one."""

    leads: Mapping[tuple[str, str], float]
    amounts: Sequence[float | None]


class InfluenceSampler:
    """The drawn positions of one game."""

    def __init__(self, probe: PositionProbe, gains: Mapping[OutcomeAmount, Mapping[PieceGroup, AmountGain]]) -> None:
        """Collect the hexes that matter for each class, and draw the positions."""
        self.probe = probe
        self.amounts = tuple(gains)
        self.draw = Stream("aims", "").draw
        size = probe.state.board.size
        self.spots: dict[PieceGroup, list[int]] = {}
        for by_group in gains.values():
            for piece_group, gain in by_group.items():
                if len(gain.by_hex) < size:
                    known = self.spots.setdefault(piece_group, [])
                    known.extend(at for at in gain.by_hex if at not in known)
        self.tracks = sorted({slot.name for amount in self.amounts for slot in probe.tracks_read(amount)})
        samples = (self._drawn_sample() for _ in range(POSITIONS))
        self.samples = [sample for sample in samples if sample is not None]

    def influence(self, amount: OutcomeAmount, term: str, side: str) -> float:
        """Return the correlation of an amount with what a side wants by a term; 0 where either does not vary."""
        index = self.amounts.index(amount)
        pairs = [(sample.amounts[index], sample.leads[term, side]) for sample in self.samples]
        known = [(value, lead) for value, lead in pairs if value is not None]
        leads = [lead for _, lead in known]
        if amount.comparison in {PLAIN, PART}:
            return _correlation([value for value, _ in known], leads)
        found = _correlation([float(amount.holds(value)) for value, _ in known], leads)
        if abs(found) < LEAST_INFLUENCE and amount.comparison not in {"=", "!="}:
            # It hardly ever holds, or hardly ever fails: how near it is to holding tells instead.
            sign = 1 if amount.comparison in {">=", ">"} else -1
            return _correlation([sign * value for value, _ in known], leads)
        return found

    def change_by_losses(self, amount: OutcomeAmount, side: str) -> float:
        """Return in which share of drawn positions an amount rises, less where it falls, if the others lose all pieces.

        0 if that may be chance: a difference below three times its error.
        """
        changes = [self._change_without_others(amount, side) for _ in range(POSITIONS)]
        rises, falls = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
        is_chance = abs(rises - falls) < CERTAIN * sqrt(rises + falls)
        return 0.0 if is_chance else (rises - falls) / POSITIONS

    def _change_without_others(self, amount: OutcomeAmount, side: str) -> float:
        """Return by how much an amount changes in a drawn position if all other sides lose their pieces."""
        state = self.probe.state
        events = [*self._drawn_places(), *self._drawn_tracks()]
        others = [piece for group, pieces in self.probe.pieces.items() if group.side != side for piece in pieces]
        before = self.probe.value(amount)
        events += [change.remove(state, piece) for piece in others]
        after = self.probe.value(amount)
        for event in reversed(events):
            change.undo(state, event)
        return 0.0 if before is None or after is None else after - before

    def _drawn_sample(self) -> _InfluenceSample | None:
        """Draw a position; None where the outcome has no answer."""
        events = [*self._drawn_places(), *self._drawn_tracks()]
        try:
            leads = {
                (term, side): lead for term in aim_terms(self.probe.rules) for side, lead in self._leads(term).items()
            }
            values = [self.probe.value(amount) for amount in self.amounts]
        except (Unanswered, TypeError, ValueError):
            return None
        finally:
            for event in reversed(events):
                change.undo(self.probe.state, event)
        return _InfluenceSample(leads, values)

    def _leads(self, term: str) -> dict[str, float]:
        """Return what each side wants to be greater: its lead in the outcome, or its declared aim as it is."""
        evaluate, state, sides = self.probe.game.effect_evaluator.evaluate, self.probe.state, self.probe.sides
        values = {side: float(evaluate(state, side_question(term, side), {})) for side in sides}
        if term != self.probe.rules.outcome:
            return values
        return {
            side: value - max((other for name, other in values.items() if name != side), default=0.0)
            for side, value in values.items()
        }

    def _drawn_places(self) -> list[Event]:
        """Move random pieces to random hexes, and return the events."""
        state, draw = self.probe.state, self.draw
        shares = {piece_group.side: draw(PERCENT) for piece_group in self.probe.pieces}
        aimed = draw(PERCENT)
        events = []
        for piece_group, pieces in self.probe.pieces.items():
            spots = self.spots.get(piece_group, [])
            for piece in pieces:
                if draw(PERCENT) < shares[piece_group.side]:
                    is_aimed = spots and draw(PERCENT) < aimed
                    at = spots[draw(len(spots))] if is_aimed else draw(state.board.size)
                    events.append(change.move(state, piece, at))
        return events

    def _drawn_tracks(self) -> list[Event]:
        """Assign random values to numbers of sides and sets of sides, and return the events."""
        state, draw = self.probe.state, self.draw
        events = []
        for key in self.tracks:
            track = self.probe.rules.vocabulary.tracks.get(key)
            match track:
                case graph.Track("game", _, graph.Many("set", kind)) if kind == SIDE:
                    # All or none: a set like those that have fired often decides whether there is an outcome at all.
                    events.append(change.set_fact(state, key, self.probe.sides if draw(2) else ()))
                case graph.Track("side", _, graph.Number()):
                    most = 1 + sum(map(len, self.probe.pieces.values()))
                    events += [change.set_track(state, key, side, draw(most)) for side in self.probe.sides]
                case _:
                    pass
        return events


def _correlation(values: Sequence[float], leads: Sequence[float]) -> float:
    """Return the correlation of two rows of numbers; 0 where either does not vary."""
    try:
        return correlation(values, leads)
    except StatisticsError:
        return 0.0
