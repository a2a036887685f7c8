"""Draw one option at random without listing the others.

In: a playthrough standing at an offer or a choice, and chance. Out: an option, each with the same chance. Whatever
might be one is tried in random order; the first that is legal is as likely to be any of the legal ones as if all had
been listed (rejection sampling; von Neumann, "Various techniques used in connection with random digits", 1951). Whoever
has the list draws the same one of it.
"""

from collections.abc import Iterator, Sequence

from runtime.play.choices import END_OFFER, Choices, Option, Site
from runtime.play.dice import Stream
from runtime.play.options import UNKNOWN
from runtime.play.playthrough import Names, Playthrough
from runtime.state.position import State
from runtime.state.record import Value


def draw_option(site: Site, state: State, names: Names, side: str, chance: Stream) -> tuple[Option | None, bool]:
    """Draw an option, None if there is none; also say whether there is another, which makes it a decision."""
    members, legal, option, certain = site.lazy_candidates(state, names, side)
    left = list(members)
    for member in shuffled_members(left, chance):
        if member == certain or legal(member):
            if certain is not UNKNOWN and member != certain:
                return option(member), True
            # Whether an offer may end is known soonest.
            ends = END_OFFER in left and legal(END_OFFER)
            return option(member), ends or any(map(legal, left))
    return None, False


def draw_listed(choices: Choices, playthrough: Playthrough, options: Sequence[Option], chance: Stream) -> int:
    """Draw one of the options that were listed where a playthrough stands."""
    call = playthrough.calls[-1]
    places = {option: number for number, option in enumerate(options)}
    site, state, names = choices.site(call), playthrough.state, call.names
    members, _, option, _ = site.lazy_candidates(state, names, site.side(state, names))
    return next(places[one] for member in shuffled_members(list(members), chance) if (one := option(member)) in places)


def shuffled_members(left: list[Value], chance: Stream) -> Iterator[Value]:
    """Take members out of a list in random order, no more than are asked for (Durstenfeld, "Algorithm 235", 1964)."""
    while left:
        number = chance.draw(len(left))
        left[number], left[-1] = left[-1], left[number]
        yield left.pop()
