"""A comparison of two variants plays the examples of their common game, and counts those left out."""

from pathlib import Path

import pytest

from rulewright.lab.contrast.inherited_examples import inherited_examples
from rulewright.library.stacks import load_stack, open_packages
from tests.commands.planting import say

STEPS = """event arrived(b: band)
resolution arrive(b: band, to: space) [house] "A band comes to the next area."
  replaces resolution arrive
{
  move b to to
  tell arrived(b)
}
after arrived(b) [house] "Every step wins a herd." { set b.side.herds to min(99 herds, b.side.herds + 1 herds) }
"""
AGAIN = """after arrived(b) [house] "And another." {
  set b.side.herds to min(99 herds, b.side.herds + 1 herds)
}
"""
RICH = """rule rich-towns [house] "A town is worth three herds."
  worth adds 3 herds
  replaces towns-buy
  when at is town
"""
POOR = """rule no-scouts [house] "Scouts do not help in a fight."
  withdraws scouts-help
"""
PLAIN = """rule no-room [house] "Any number of bands are in an area."
  withdraws not-into-their-home
"""
FOREIGN = """rule nobody-gathers [house] "Herds are not counted."
  withdraws step do count_herds of phase counting
"""
LAYERS = {
    "step_herds": ("two_clans", STEPS),
    "step_again": ("step_herds", AGAIN),
    "rich": ("two_clans", RICH),
    "poor": ("two_clans", POOR),
    "plain": ("poor", PLAIN),
    "foreign": ("poor", FOREIGN),
}


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    """Write variants of a game, three of them on other variants."""
    for name, (on, rules) in LAYERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: variant\non: [{on}]\n")
        (tmp_path / name / "own.rules").write_text(rules)
    return tmp_path


def test_an_example_of_the_game_shows_what_a_hook_of_a_variant_does(layers: Path) -> None:
    """The variants have no examples; plays of the examples of the game show the difference."""
    output = say(["diff", "step_herds", "step_again", "--path", str(layers)]).out
    assert "march(b: G, to: There): herds of ash is 1 herd under step_herds, herds of ash is 2 herds under" in output
    assert "    it makes a difference in 4 of the 4 plays in which it ran\n" in output
    assert "of what both build on were played in both." in output


def test_variants_play_all_examples_of_their_game(layers: Path) -> None:
    data = say(["diff", "two_clans+rich", "poor", "--path", str(layers), "--format", "json"]).data
    rules = load_stack("two_clans").graph
    assert rules is not None
    assert data["examples"]["common"] == len(rules.examples)
    texts = {each["label"]: each["status"] for each in data["changes"] if each["kind"] == "rule"}
    assert texts == {"towns-buy": "witness", "rich-towns": "witness", "scouts-help": "witness", "no-scouts": "only"}
    (play,) = [each for each in data["behavior"]["rules"] if each["rules"] == ["rich-towns", "towns-buy"]]
    assert play["written"]["file"].endswith("two_clans/plays.rules")


def test_layers_with_different_texts_have_no_examples_in_common(
    layers: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Two editions of a variant with different texts have no examples in common."""
    other = tmp_path_factory.mktemp("other")
    for name in ("rich", "poor"):
        (other / name).mkdir()
        for file in (layers / name).iterdir():
            (other / name / file.name).write_text(file.read_text().replace("worth three", "worth 3"))
    one = open_packages([layers]).compiled("two_clans+rich")
    two = open_packages([other]).compiled("two_clans+rich")
    assert not inherited_examples(one, two)
    assert inherited_examples(one, open_packages([other]).compiled("poor"))
