"""The aims of the sides of a card, as people read them: turns, who moves first, the conditions of victory."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording

LINE = "victory-"  # What the labels of a card's lines of victory begin with.


class Aim(NamedTuple):
    """A side reaches a level when this holds."""

    side: str
    level: str
    when: str


def victory_lines(rules: graph.Graph) -> tuple[Aim, ...]:
    """List the lines of victory by side as they move, the least level first; none where only the rules judge."""
    card = rules.scenario
    if card is None:
        return ()
    spoken = Wording(rules)
    found: list[tuple[int, int | Fraction, Aim]] = []
    for rule in rules.rules.values():
        if rule.origin.layer != card.name or not rule.label.startswith(LINE):
            continue
        match rule.value, rule.guard:
            case graph.Place(_, level, at), graph.Op("and", (graph.Op("=", (_, graph.Member(_, side))), *rest)):
                when = " and ".join(map(spoken.clause, rest))
                found.append((card.order.index(side), at, Aim(side, words.readable_name(level), when)))
            case graph.Place(_, level, at), graph.Op("=", (_, graph.Member(_, side))):
                found.append((card.order.index(side), at, Aim(side, words.readable_name(level), "always")))
            case _:
                pass
    return tuple(aim for _, _, aim in sorted(found))


def named_hexes(card: graph.Scenario) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the hexes to which the card gives a name, such as its objectives."""
    for key, value in card.facts:
        if isinstance(value, graph.SetOf):
            hexes = tuple(each.name for each in value.elements if isinstance(each, graph.Spot) and each.what == "hex")
            if hexes:
                yield words.readable_name(key.removeprefix("scenario.")), hexes


def victory_text(rules: graph.Graph) -> Iterator[str]:
    """Yield all of it, a line each."""
    card = rules.scenario
    if card is None:
        return
    turns = f"{card.turns} turn{'s' if card.turns != 1 else ''}"
    yield f"{turns}; {', then '.join(card.order)} in each" if len(card.order) > 1 else turns
    yield from (f"{name}: {', '.join(hexes)}" for name, hexes in named_hexes(card))
    yield from (f"{aim.side} {aim.level}: {aim.when}" for aim in victory_lines(rules))
