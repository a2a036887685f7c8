"""Explain why a piece does not get to a place that is more than one step away: from the nearest place that it reaches.

In: a playthrough as a side may know it, where a piece gets to, and the place. Out: the place that it gets to, the one
it would have to enter next, and the playthrough in which it stands there (None where others are asked on the way);
nothing where it reaches none, or is beside it.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from runtime.board.answer_errors import NoGeometryError
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.options import END_OFFER, Option
from runtime.play.playthrough import Playthrough

# Instructions between one choice of a move and the next.
MOST_STEPS = 10_000
# Offers to others after one step that are declined.
MOST_DECLINED = 50


class ReachedPlace(NamedTuple):
    """A place that a piece gets to: what is left to it there ("" where nothing is told of that), what to choose."""

    place: int
    left: str
    options: tuple[Option, ...]


class PartialRoute(NamedTuple):
    """A partial route of a piece: its end, what is left to it there ("" if that is unknown), the place after it."""

    place: str
    left: str
    onward: str
    playthrough: Playthrough | None


def partial_route(
    game: Game, seen: Playthrough, side: str, piece: int, goal: int, reached: Sequence[ReachedPlace]
) -> PartialRoute | None:
    """Find how near to a place a piece gets, by the way that leaves most."""
    board, here = seen.state.board, seen.state.hex[piece]
    if here < 0 or here == goal or goal in board.beside[here] or not reached:
        return None

    def far(place: int) -> int:
        return board.distance(place, goal)

    try:
        far(here)
    except NoGeometryError:  # On maps without distances.
        return None
    best = min(reached, key=lambda each: (far(each.place), -_number(each.left), len(each.options)))
    if far(best.place) >= far(here):
        return None
    onward = min(board.beside[best.place], key=far)
    playthrough = _after_options(game, seen, side, [*best.options])
    if playthrough is not None and playthrough.state.hex[piece] != best.place:
        playthrough = None  # What others do on the way is not foreseen.
    return PartialRoute(board.names[best.place], best.left, board.names[onward], playthrough)


def _number(text: str) -> Fraction:
    """Read what is left, as the page shows it: `2`, `1/2` or `2 1/2`."""
    try:
        return sum((Fraction(part) for part in text.split()), Fraction(0))
    except ValueError:
        return Fraction(0)


def _after_options(game: Game, seen: Playthrough, side: str, options: list[Option]) -> Playthrough | None:
    """Take options in a copy, others declining what they are offered; None where they have to choose on the way.

    The copy does not run on in the end: where the piece can go nowhere any more, play would end its move by itself.
    """
    copied, quiet = seen.copy(), game.without_listeners()
    while options:
        now = quiet.run(copied)
        if now is None:
            return None
        if now.side == side:
            while options and options[0] not in now.options:
                options.pop(0)
            if options:
                quiet.take(copied, options.pop(0))
        elif END_OFFER in now.options:
            quiet.take(copied, END_OFFER)
        else:
            return None
    for _ in range(MOST_DECLINED):
        call = quiet.next_asking(copied, 0, iter(range(MOST_STEPS)))
        if call is None:
            return None
        asked = quiet.choices.site(call)
        if asked.side(copied.state, call.names) == side:
            return copied
        if not isinstance(asked.step, graph.Offer):
            return None
        quiet.take(copied, END_OFFER)
    return None
