"""A refusal of the first choices that the words fit is no answer where an act with other choices is open."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position

RAID = position(
    "panzer_leader", "turn: 2, player: allied, phase: air", ["A, B woods, C"],
    ["Plane: thunderbolt at A, load: rockets", "Foot: rifle at B", "Gun: pak75 at B, flashed: yes"],
)  # fmt: skip
OVERRUN = position(
    "panzer_grenadier+pg_overrun", "turn: 3, player: axis, turns: 12", ["A, B, C, D"],
    [
        "Tank: tank of axis at A", "Chief: rifle of axis at A, leader: yes, tank_leader: yes",
        "Foot: rifle of allied at C", "Other: rifle of allied at D",
    ],
)  # fmt: skip
OPEN = "Nothing forbids it: the action is open"


@sampled(1)
@pytest.mark.parametrize(
    ("text", "query", "is_open"),
    [
        (RAID, "can Plane raid B", True),
        (RAID, "can Plane raid Gun", True),
        (RAID, "can Plane raid Foot", False),
        (OVERRUN, "can Tank overrun C", True),
        (OVERRUN, "can Tank overrun Foot", True),
        (OVERRUN, "can Tank overrun Other", False),
    ],
)
def test_an_act_with_other_choices_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, query: str, is_open: bool
) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    assert any(OPEN in each for each in found["lines"]) == is_open, found["lines"]


def test_what_is_against_the_piece_leads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pieces = ["Truck: halftrack at A", "Tank: t34 at B", "Van: russian_truck at B", "Foot: rifle at A"]
    more = "relations:\n  carries: [{carrier: Truck, passengers: Foot}]\n"
    text = position("panzerblitz", "turn: 3, player: german, phase: combat", ["A, B town, C"], pieces, more)
    lines = answer_to(capsys, tmp_path, text, "can Truck fire at Tank")["lines"]
    assert lines[0] == "Fire at one unit: Truck may not take part in the attack."
    assert any(each.startswith("Besides: The attack may not be made") for each in lines), lines


def test_an_action_without_a_place_does_not_refuse_a_way(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = position("panzer_leader", "turn: 3, player: allied, phase: movement", ["A, B, C"], ["Gun: at57 at A"])
    lines = answer_to(capsys, tmp_path, text, "can Gun go to B")["lines"]
    assert lines[0] == "Move a dismounted unit: Gun may not move."
    assert not any("fort" in each for each in lines), lines
