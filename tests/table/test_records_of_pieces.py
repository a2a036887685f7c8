"""A chosen record is about the pieces that it holds: what they may do includes the actions on it."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position

WORK = """\
relations:
  assigned: [{engineers: Digger, vehicle: Truck, since: 0}]
records:
  works: [{by: allied, job: blow_bridge, crew: [Digger], site: C, tries: 0, stood: 3}]
"""
AT_WORK = position(
    "panzer_leader", "turn: 6, player: allied, phase: movement", ["A, B, C stream permanent_bridge, D"],
    ["Digger: sapper at C, dawn: C", "Truck: us_truck at B", "Foot: us_rifle at B"], WORK,
)  # fmt: skip
LANDING = """\
records:
  landing: [{by: allied, unit: Swimmer, turn: 1, sea: A, beach: B}]
"""
AT_SEA = position(
    "panzer_leader", "turn: 2, player: allied, phase: landing, invaders: [allied], invasion: yes",
    ["A sea, B beach, C"], ["Swimmer: m4_dd at A, afloat: yes, dispersed: yes", "Foot: us_rifle at B"], LANDING,
)  # fmt: skip


@sampled(1)
@pytest.mark.parametrize(
    ("text", "query", "line"),
    [
        (AT_WORK, "what can Digger do", "step off and try (work "),
        (AT_WORK, "can Digger step off to D", "step off and try (work "),
        (AT_WORK, "may Digger step off", "5 in 6: The work is done"),
        (AT_SEA, "what can Swimmer do", "land (landing "),
        (AT_SEA, "what happens if Swimmer lands", "just ashore, dispersed"),
    ],
)
def test_an_action_on_a_record_is_open_to_its_pieces(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, query: str, line: str
) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    assert any(line in each for each in found["lines"]), found["lines"]


@sampled(1)
@pytest.mark.parametrize(("text", "action"), [(AT_WORK, "step off and try"), (AT_SEA, "land")])
def test_it_is_not_open_to_others(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, action: str) -> None:
    found = answer_to(capsys, tmp_path, text, "what can Foot do")
    assert not any(each.strip().startswith(f"{action} (") for each in found["lines"]), found["lines"]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        # Foot is next to the work, where those who do it may step off to.
        ("may Foot step off", "Step off and try: Foot takes part in no work."),
        ("may Digger step off to A", "Step off and try: A is not among the neighbors of the site of a work by"),
    ],
)
def test_who_is_not_named_by_a_record_does_not_act_by_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, query: str, line: str
) -> None:
    found = answer_to(capsys, tmp_path, AT_WORK, query)
    assert found["lines"][0].startswith(line), found["lines"]


def test_a_hex_that_no_record_offers_is_refused_by_the_rules_on_its_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = position(
        "panzerblitz+panzerbitz_registration", "turn: 3, player: german, phase: shelling_markers", ["A, B, C"],
        ["Wasp: wespe at A", "Foe: russian_rifle at C"],
        "records:\n  registration: [{by: german, unit: Wasp, hex: C, parity: odd, turn: 1}]\n",
    )  # fmt: skip
    lines = answer_to(capsys, tmp_path, text, "may Wasp shell C")["lines"]
    assert lines[0] == "Shell a registered hex: Wasp may not shell C."
    assert any("by not-out-of-hand" in each for each in lines)
    assert any("Wasp may not take part in the attack, by beyond-half-range" in each for each in lines), lines
