"""Counters in a hex leave room for its name above them, and for the words of its terrain below them."""

import pytest

from compiler.rulebook.drawings.diagrams import LETTER_HEIGHT, RADIUS, SEATS, ground_word_offset

ASCENT = 0.75  # The height of a letter above its baseline, as a share of its size.


@pytest.mark.parametrize("count", [each for each in SEATS if each])
def test_no_counter_covers_a_word_or_another_counter(count: int) -> None:
    edge, spots = SEATS[count]
    lowest = max(down for _, down in spots) + edge / 2
    highest = min(down for _, down in spots) - edge / 2
    for words, size in ((1, LETTER_HEIGHT), (2, 0.9 * LETTER_HEIGHT)):
        assert lowest <= ground_word_offset(words, 0) - ASCENT * size
    assert highest >= -RADIUS * 0.66
    sides = [(x - edge / 2, y - edge / 2) for x, y in spots]
    distances = [
        abs(x - a) >= edge or abs(y - b) >= edge for at, (x, y) in enumerate(sides) for a, b in sides[at + 1 :]
    ]
    assert all(distances)
