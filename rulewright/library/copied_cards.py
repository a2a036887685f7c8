"""Find scenario cards that share values which are unique on all other cards, such as the number of the situation.

In: the available cards and a stack. Out: pairs of cards for the stack with such a value. A copied line is easily
overlooked, as nothing else on a card depends on it.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from compiler.layered.problems import CardsAlike
from compiler.source.nodes import Scalar
from compiler.source.span import Span
from rulewright.library.stacks import Stack

# The values of fewer cards may differ by chance.
ENOUGH = 5


class Entry(NamedTuple):
    """An entry of a card as text, with its span."""

    card: str
    text: str
    span: Span


def copied_cards(stack: Stack) -> Iterator[CardsAlike]:
    """Yield the pairs of cards that share a value which is otherwise unique."""
    known = stack.library.scenarios
    cards = [
        card
        for name in sorted(known)
        if (card := known.get(name)) and _base_layer(card.uses.text) == _base_layer(stack.name)
    ]
    entries_by_key: dict[str, list[Entry]] = defaultdict(list)
    for card in cards:
        for word in card.cites[:1]:
            entries_by_key["cites"].append(Entry(card.name.text, word.text, word.span))
        for word, value in card.facts:
            if isinstance(value, Scalar):
                entries_by_key[word.text].append(Entry(card.name.text, value.text, value.span))
    for key, entries in entries_by_key.items():
        texts = {entry.text for entry in entries}
        if len(entries) < ENOUGH or len(texts) != len(entries) - 1:
            continue
        first: dict[str, Entry] = {}
        for entry in entries:
            other = first.setdefault(entry.text, entry)
            if other is not entry:
                yield CardsAlike(entry.span, other.span, (entry.card, other.card), f"{key}: {entry.text}")


def _base_layer(stack: str) -> str:
    return stack.partition("+")[0]
