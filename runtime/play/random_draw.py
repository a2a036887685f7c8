"""Uniform sampling of an option without enumerating the others.

In: a playthrough at an offer or a choice, and a random stream. Out: an option, uniformly distributed. Candidates are
tried in random order; the first legal one is uniform over all legal ones (rejection sampling; von Neumann, "Various
techniques used in connection with random digits", 1951). A draw from the enumerated list with the same stream gives
the same option.
"""

from collections.abc import Iterator, Sequence

from runtime.play.choices import Choices, Site
from runtime.play.dice import Stream
from runtime.play.options import END_OFFER, Option
from runtime.play.playthrough import Names, Playthrough
from runtime.state.position import State
from runtime.state.record import Value


def draw_option(site: Site, state: State, names: Names, side: str, chance: Stream) -> tuple[Option | None, bool]:
    """Draw an option, None if there is none; also return whether there is another, which makes it a decision."""
    members, legal, option = site.lazy_candidates(state, names, side)
    left = list(members)
    for member in shuffled_members(left, chance):
        if legal(member):
            # The test whether an offer may end is the cheapest.
            ends = END_OFFER in left and legal(END_OFFER)
            return option(member), ends or any(map(legal, left))
    return None, False


def draw_listed(choices: Choices, playthrough: Playthrough, options: Sequence[Option], chance: Stream) -> int:
    """Draw one of the enumerated options of the current decision, and return its index."""
    call = playthrough.calls[-1]
    places = {option: number for number, option in enumerate(options)}
    site, state, names = choices.site(call), playthrough.state, call.names
    members, _, option = site.lazy_candidates(state, names, site.side(state, names))
    return next(
        places[candidate]
        for member in shuffled_members(list(members), chance)
        if (candidate := option(member)) in places
    )


def shuffled_members(left: list[Value], chance: Stream) -> Iterator[Value]:
    """Yield members of a list in random order, lazily.

    The rest stays in order, so that members of a bit set are drawn in the same order without listing them.
    """
    while left:
        number = chance.draw(len(left))
        yield left.pop(number)
