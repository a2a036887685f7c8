"""Numbers of a counter on a card far above those of other cards of the game, or of the card, as 20 for 2."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from compiler.layered.layer_selection import layers_of_stack
from compiler.source.nodes import Scenario
from compiler.source.package import Library
from compiler.typed.findings.misprints import SuspectedMisprint

# On the 37 shipped cards no number, of 938, is so many times the greatest one of its counter on other cards, or of the
# other counters of its card.
TIMES_OF_OTHER_CARDS, TIMES_ON_CARD = 4, Fraction(5, 2)
# Of fewer other cards, and other counters, the numbers say little.
ENOUGH_CARDS, ENOUGH_COUNTERS = 2, 5


def odd_counts(library: Library, uses: str) -> Iterator[SuspectedMisprint]:
    """Yield such numbers of the cards that are written for a stack; `printed_so` of the card confirms a counter."""
    cards = tuple(library.scenarios.readable())
    checked = [card for card in cards if card.uses.text == uses]
    greatest = _greatest_by_card(library, cards, uses) if checked else {}
    for card in checked:
        confirmed = {word.text for word in card.printed_so}
        entries = [entry for force in card.forces for entry in force.units]
        for index, (unit, number) in enumerate(entries):
            on_others = [most for name, most in greatest[unit.text].items() if name != card.name.text]
            of_others = [most for other, (_, most) in enumerate(entries) if other != index]
            comparison = _comparison_text(number, on_others, of_others)
            if comparison and unit.text not in confirmed:
                message = f"{number} of `{unit.text}`, but {comparison}"
                yield SuspectedMisprint(unit.span, message, unit.text, "situation")


def _greatest_by_card(library: Library, cards: Iterable[Scenario], uses: str) -> dict[str, dict[str, int]]:
    """Return the greatest number of each counter on each card of the games of a stack."""
    games = {each: frozenset(_game_of(library, each)) for each in {uses, *(card.uses.text for card in cards)}}
    greatest: dict[str, dict[str, int]] = defaultdict(dict)
    for card in (card for card in cards if not games[card.uses.text].isdisjoint(games[uses])):
        for counter, number in ((unit.text, number) for force in card.forces for unit, number in force.units):
            greatest[counter][card.name.text] = max(number, greatest[counter].get(card.name.text, 0))
    return greatest


def _comparison_text(number: int, on_other_cards: Collection[int], of_other_counters: Collection[int]) -> str:
    """Return with what a number is odd, compared; "" if it is not odd, or if there is too little to compare."""
    if len(on_other_cards) >= ENOUGH_CARDS and number > TIMES_OF_OTHER_CARDS * max(on_other_cards):
        return f"at most {max(on_other_cards)} in {len(on_other_cards)} other situations"
    if len(of_other_counters) >= ENOUGH_COUNTERS and number > TIMES_ON_CARD * max(of_other_counters):
        return f"at most {max(of_other_counters)} of any other counter of this situation"
    return ""


def _game_of(library: Library, stack: str) -> Iterator[str]:
    """Yield the playable layers of a stack."""
    return (layer.name.text for layer in layers_of_stack(library, stack) if layer.playable)
