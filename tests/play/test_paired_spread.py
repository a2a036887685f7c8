"""The lead of a plan over a few paired games: it is accepted where one more game could not reverse it."""

import pytest

from runtime.players.paired_spread import PairedSpread


@pytest.mark.parametrize(
    ("differences", "errors", "believed"),
    [
        (
            (0.07, 0.07, 0.07, 0.07),
            0.5,
            False,
        ),  # A piece was saved in each game; a whole level may be lost in the fifth.
        ((0.07,) * 32, 1.0, True),
        ((1.0, 0.0, 0.0, 0.0), 1.0, False),
        ((1.0, 1.0, 0.0, 0.0), 1.0, True),
        ((1.0, 1.0, 1.0, -3.0), 0.5, False),
    ],
)
def test_a_lead_is_accepted_if_another_game_could_not_reverse_it(
    differences: tuple[float, ...], errors: float, *, believed: bool
) -> None:
    spread = PairedSpread()
    for each in differences:
        spread.note(each)
    assert spread.mean_lead(differences, (0.0,) * len(differences)).exceeds(errors) is believed


def test_a_difference_above_one_level_raises_the_required_lead() -> None:
    narrow, wide = PairedSpread(), PairedSpread()
    wide.note(4.0)
    ahead, level = (1.0, 1.0, 1.0, 0.0), (0.0,) * 4
    assert narrow.mean_lead(ahead, level).exceeds(1.0)
    assert not wide.mean_lead(ahead, level).exceeds(1.0)
