"""Valid but suspicious declarations: similar names, copied cards, and layers that name no existing layer."""

from pathlib import Path

import pytest

from rulewright.checks.odd_counts import odd_counts
from rulewright.checks.suspicious_layers import suspicious_layers
from rulewright.library.stacks import load_stack, open_packages
from tests.commands.planting import say
from tests.sample import sampled

MANIFEST = "layer: mire\ntitle: Mire\nkind: variant\non: [panzer_grenadier]\n"


def warnings_of(place: Path, rules: str = "", manifest: str = "") -> list[tuple[str, str, str]]:
    """Check a layer over a shipped game; return the code, the message and the advice of each warning."""
    folder = place / "mire"
    folder.mkdir()
    (folder / "layer.yaml").write_text(MANIFEST + manifest, encoding="utf-8")
    (folder / "mire.rules").write_text(rules, encoding="utf-8")
    data = say(["check", "panzer_grenadier+mire", "--path", str(place), "--format", "json"])
    reports = [(each["code"], each["message"], each["help"]) for each in data.data["diagnostics"]]
    return [each for each in reports if each[0] in {"R0206", "R0301"}]


@sampled(0)
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ('trait unit: bishop "a major"', "`major` and `bishop` both read `a major`"),
        ('enum weather: fog "rain", wet "rain"', "`fog` and `wet` both read `rain`"),
        ('measure rods "MP of mine", poles "MP of mine"', "`rods` and `poles` both read `MP of mine`"),
        (
            'status unit: muddy marker "M" until end of game, misty marker "M" until end of game',
            "`muddy` and `misty` both have the marker `M`",
        ),
    ],
)
def test_names_with_one_reading_are_reported(tmp_path: Path, rules: str, message: str) -> None:
    [(code, actual_message, _)] = warnings_of(tmp_path, rules)
    assert (code, actual_message) == ("R0206", message)


def test_an_excluded_layer_with_a_misspelled_name_is_reported(tmp_path: Path) -> None:
    [(code, message, advice)] = warnings_of(tmp_path, manifest="not with: [panzer_blitz]\n")
    assert (code, message) == ("R0301", "there is no layer `panzer_blitz`, so `not with` has no effect here")
    assert advice == "did you mean `panzerblitz`?"


@sampled(0)
def test_shipped_layers_have_no_suspicious_declarations() -> None:
    for name in open_packages().library.layers:
        assert not list(suspicious_layers(load_stack(name)))


@sampled(0)
def test_a_joint_layer_with_a_misspelled_name_is_reported(tmp_path: Path) -> None:
    joint = tmp_path / "marsh"
    joint.mkdir()
    manifest = "layer: marsh\ntitle: Marsh\nkind: joint\non: [mire, panzer_grenadeer]\n"
    (joint / "layer.yaml").write_text(manifest, encoding="utf-8")
    [(code, message, advice)] = warnings_of(tmp_path)
    assert (code, message) == ("R0301", "there is no layer `panzer_grenadeer`")
    assert advice == "did you mean `panzer_grenadier`?"


def test_two_layers_with_one_title(tmp_path: Path) -> None:
    marsh = tmp_path / "marsh"
    marsh.mkdir()
    (marsh / "layer.yaml").write_text("layer: marsh\ntitle: mire\nkind: optional\non: [mire]\n", encoding="utf-8")
    assert not warnings_of(tmp_path)
    data = say(["check", "marsh", "--path", str(tmp_path), "--format", "json"])
    reports = [each["message"] for each in data.data["diagnostics"] if each["code"] == "R0206"]
    assert reports == ["`mire` and `marsh` both read `mire`"]


CARD = """scenario: {}
title: Card {}
uses: low_tide
map: [[the_flats]]
turns: 6
order: [north, south]
forces:
  - {{side: north, units: {{{}}}, sets_up: {{rows: 1..1}}}}
"""


def numbers_reported(place: Path, *cards: str) -> list[str]:
    """Put cards of a shipped game into a folder; return what is reported of their numbers."""
    for number, card in enumerate(cards):
        (place / f"card_{number}.yaml").write_text(CARD.format(f"card_{number}", number, card), encoding="utf-8")
    packages = open_packages([place])
    return [each.message for each in odd_counts(packages.library, "low_tide")]


def test_a_number_far_above_those_of_other_cards(tmp_path: Path) -> None:
    assert numbers_reported(tmp_path, "elder: 2", "elder: 1", "elder: 8") == []
    assert numbers_reported(tmp_path, "elder: 2", "elder: 1", "elder: 20") == [
        "20 of `elder`, but at most 2 in 2 other situations"
    ]
    confirmed = tmp_path / "card_2.yaml"
    confirmed.write_text(confirmed.read_text("utf-8") + "printed_so: [elder]\n", encoding="utf-8")
    assert not list(odd_counts(open_packages([tmp_path]).library, "low_tide"))
