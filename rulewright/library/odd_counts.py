"""Numbers of a counter on a card far above those of other cards of the game, or of the card, as 20 for 2."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from compiler.layered.layer_selection import layers_of_stack
from compiler.source.nodes import Scenario
from compiler.source.package import Library
from compiler.typed.problems import SuspectedMisprint

# On the 37 shipped cards no number, of 938, is so many times the greatest one of its counter on other cards, or of the
# other counters of its card.
TIMES_OF_OTHER_CARDS, TIMES_ON_CARD = 4, Fraction(5, 2)
# Of fewer other cards, and other counters, the numbers say little.
ENOUGH_CARDS, ENOUGH_COUNTERS = 2, 5


def odd_counts(library: Library, uses: str) -> Iterator[SuspectedMisprint]:
    """Yield such numbers of the cards that are written for a stack; `printed_so` of the card confirms a counter."""
    cards = tuple(library.scenarios.readable())
    games = {each: frozenset(_game_of(library, each)) for each in {card.uses.text for card in cards}}
    checked = [card for card in cards if card.uses.text == uses]
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    for card in cards if checked else ():
        if not games[card.uses.text].isdisjoint(games[uses]):
            for counter, number in _numbers(card):
                numbers[counter][card.name.text] = max(number, numbers[counter].get(card.name.text, 0))
    for card in checked:
        confirmed = {word.text for word in card.printed_so}
        entries = [entry for force in card.forces for entry in force.units]
        for place, (unit, number) in enumerate(entries):
            of_counter = [most for name, most in numbers[unit.text].items() if name != card.name.text]
            of_others = [most for other, (_, most) in enumerate(entries) if other != place]
            if unit.text in confirmed:
                continue
            if len(of_counter) >= ENOUGH_CARDS and number > TIMES_OF_OTHER_CARDS * max(of_counter):
                compared = f"at most {max(of_counter)} on {len(of_counter)} other cards"
            elif len(of_others) >= ENOUGH_COUNTERS and number > TIMES_ON_CARD * max(of_others):
                compared = f"at most {max(of_others)} of any other counter of this card"
            else:
                continue
            yield SuspectedMisprint(unit.span, f"{number} of `{unit.text}`, and {compared}", unit.text, "card")


def _numbers(card: Scenario) -> Iterator[tuple[str, int]]:
    return ((unit.text, number) for force in card.forces for unit, number in force.units)


def _game_of(library: Library, stack: str) -> Iterator[str]:
    """Yield the playable layers of a stack."""
    return (layer.name.text for layer in layers_of_stack(library, stack) if layer.playable)
