"""Explanation of why a piece does not reach a place several steps away, from the nearest place that it reaches.

In: a playthrough as a side may know it, the reached places of a piece, and the goal. Out: the nearest reached
place, the place it would enter next, and the playthrough after the move (None if other sides have decisions on the
route); None if the piece reaches no place, or is adjacent to the goal.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import NoGeometryError
from runtime.play.game import Game
from runtime.play.options import END_OFFER, TAKE, Option
from runtime.play.playthrough import Playthrough

# The limit of steps between two choices of a move.
MOST_STEPS = 10_000
# The limit of declined offers to other sides after one step.
MOST_DECLINED = 50

# Why the end of a route is unknown.
OTHERS_ON_THE_WAY = "Other sides may act on the way, so how far it gets is not known."


class ReachedPlace(NamedTuple):
    """A place that a piece reaches: the rest of its allowance there ("" if unknown), and the options to choose."""

    place: int
    allowance: str
    options: tuple[Option, ...]


class PartialRoute(NamedTuple):
    """A partial route of a piece: its end, the rest of the allowance there ("" if unknown), and the next place.

    `action` is the one that took the last step, "" without any.
    """

    place: str
    allowance: str
    next_place: str
    playthrough: Playthrough | None
    action: str = ""

    def sentence(self, name: str) -> str:
        """Return how far the piece of a name gets."""
        left = f", with {self.allowance} left" if self.allowance else ""
        return f"{name} gets as far as {self.place}{left}."


def partial_route(
    game: Game, seen: Playthrough, side: str, piece: int, goal: int, reached: Sequence[ReachedPlace]
) -> PartialRoute | None:
    """Return the route to the reached place nearest to a goal, of several the one with the largest rest.

    None if the piece is adjacent to the goal, or is on a map without distances. A piece that gets no nearer is at the
    nearest place already."""
    board, start = seen.state.board, seen.state.hex[piece]
    if start < 0 or start == goal or goal in board.beside[start]:
        return None

    def distance_to_goal(place: int) -> int:
        return board.distance(place, goal)

    try:
        distance_to_goal(start)
    except NoGeometryError:  # On maps without distances.
        return None
    if not any(distance_to_goal(each.place) < distance_to_goal(start) for each in reached):
        return PartialRoute(board.names[start], "", board.names[min(board.beside[start], key=distance_to_goal)], seen)
    best = min(reached, key=lambda each: (distance_to_goal(each.place), -_number(each.allowance), len(each.options)))
    next_space = min(board.beside[best.place], key=distance_to_goal)
    playthrough = _after_options(game, seen, side, [*best.options])
    if playthrough is not None and playthrough.state.hex[piece] != best.place:
        playthrough = None  # What others do on the way is not foreseen.
    action = next((option.name for option in reversed(best.options) if option.kind == TAKE), "")
    return PartialRoute(board.names[best.place], best.allowance, board.names[next_space], playthrough, action)


def _number(text: str) -> Fraction:
    """Parse the rest of an allowance in printed form: `2`, `1/2` or `2 1/2`; 0 for any other text."""
    try:
        return sum((Fraction(part) for part in text.split()), Fraction(0))
    except ValueError:
        return Fraction(0)


def _after_options(game: Game, seen: Playthrough, side: str, options: list[Option]) -> Playthrough | None:
    """Apply options to a copy, other sides declining their offers; None if another side has to choose.

    The copy is not advanced afterwards: if the piece had no further step, the machine would end its move.
    """
    copied, quiet = seen.copy(), game.without_listeners()
    while options:
        # Choices without an alternative are taken here: the machine would go on to the next decision after them.
        call = quiet.run_to_decision(copied, 0, iter(range(MOST_STEPS)))
        if call is None:
            return None
        quiet.end_pairs(copied)
        decision = quiet.decide(copied, call)
        if len(decision.options) == 1:
            if decision.options[0] == options[0]:
                options.pop(0)
            quiet.take(copied, decision.options[0])
        elif decision.side == side:
            while options and options[0] not in decision.options:
                options.pop(0)
            if options:
                quiet.take(copied, options.pop(0))
        elif END_OFFER in decision.options:
            quiet.take(copied, END_OFFER)
        else:
            return None
    return _at_own_decision(game, copied, side)


def _at_own_decision(game: Game, playthrough: Playthrough, side: str) -> Playthrough | None:
    """Run to the next decision of a side, other sides declining their offers; None if another side has to choose."""
    quiet = game.without_listeners()
    for _ in range(MOST_DECLINED):
        call = quiet.run_to_decision(playthrough, 0, iter(range(MOST_STEPS)))
        if call is None:
            return None
        site = quiet.choices.site(call)
        if site.side(playthrough.state, call.names) == side:
            return playthrough
        if not isinstance(site.step, graph.Offer):
            return None
        quiet.take(playthrough, END_OFFER)
    return None
