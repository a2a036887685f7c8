"""What is made of a few games that were played in pairs: a lead is believed where one game more would not undo it."""

import pytest

from runtime.players.paired_spread import PairedSpread


@pytest.mark.parametrize(
    ("differences", "errors", "believed"),
    [
        ((0.07, 0.07, 0.07, 0.07), 0.5, False),  # A piece was saved each time; a level may be lost in the fifth game.
        ((0.07,) * 32, 1.0, True),
        ((1.0, 0.0, 0.0, 0.0), 1.0, False),
        ((1.0, 1.0, 0.0, 0.0), 1.0, True),
        ((1.0, 1.0, 1.0, -3.0), 0.5, False),
    ],
)
def test_a_few_games_that_are_alike_say_little(
    differences: tuple[float, ...], errors: float, *, believed: bool
) -> None:
    spread = PairedSpread()
    for each in differences:
        spread.note(each)
    assert spread.mean_lead(differences, (0.0,) * len(differences)).exceeds(errors) is believed


def test_where_games_differ_by_more_than_a_level_more_is_asked() -> None:
    narrow, wide = PairedSpread(), PairedSpread()
    wide.note(4.0)
    ahead, level = (1.0, 1.0, 1.0, 0.0), (0.0,) * 4
    assert narrow.mean_lead(ahead, level).exceeds(1.0)
    assert not wide.mean_lead(ahead, level).exceeds(1.0)
