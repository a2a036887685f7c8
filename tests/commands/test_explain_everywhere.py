"""Without a stack, `explain` searches the books of all games in reach for the words."""

import json
from pathlib import Path

import pytest

from rulewright.library.stacks import games_in, open_packages
from tests.commands.planting import say
from tests.sample import LONG, sampled

WHOLE = {"long_frost", "low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz", "two_clans"}


def test_the_games_in_reach() -> None:
    games = set(games_in(open_packages().library))
    assert games == WHOLE


@sampled(0)
def test_one_or_two_results_of_each_game() -> None:
    found = json.loads(say(["explain", "stacking limit", "--format", "json"]).out)
    games = {each["stack"]: each["places"] for each in found["games"]}
    assert games["panzer_leader"][0]["title"] == "The stacking limit"
    assert all(1 <= len(places) <= 2 for places in games.values())
    assert {*games, *found["without"]} == WHOLE
    assert not found["broken"]


@LONG
def test_games_without_the_words_and_games_with_errors_are_listed(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "layer.yaml").write_text("layer: odd\ntitle: Odd\nkind: base\n")
    (tmp_path / "odd" / "odd.rules").write_text("rule broken when when\n")
    output = " ".join(say(["explain", "opportunity fire", "--path", str(tmp_path)]).out.split())
    assert "low_tide" in output.partition("Neither the books nor the options of")[2]
    assert "With a layer more: panzer_leader+opportunity_fire" in output
    assert "Not looked at, as they have errors: odd." in output
    assert "To see more of one: rulewright explain" in output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("zzyx qqq", "no game in reach has all of these words in its book"),
        ("panzer_leadr", "did you mean `panzer_leader`?"),
        ("R9999", "there is no code `R9999`"),
        ("panzer_leader", "is a stack; what of it?"),
    ],
)
def test_words_without_results_are_refused(words: str, says: str) -> None:
    done = say(["explain", words])
    assert done.code == 2
    assert says in " ".join((done.out + done.err).split())
