"""The search for causes by each part alone, and the parts without which no games are played."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.lab.effect_attribution import FOUND, OPEN, REFUSED, SMALL, UNUSED
from tests.commands.planting import say
from tests.lab.test_designers_changes import KNOWN
from tests.sample import LONG, sampled

FOUR = 'rule {} [house] "A four will do."\n  need is 4\n  exception to {}\n  when s = north\n'
SIX = 'rule {} [house] "A six, as ever."\n  need is 6\n  exception to a-six\n  when s = south\n'
# Layers over a toss of dice; the names of the rules state their effects.
LAYERS = {
    "twins": FOUR.format("enough", "a-six") + FOUR.format("enough-too", "a-six, enough") + SIX.format("idle"),
    "grouped": 'case fours "Fours" {\n' + FOUR.format("enough", "a-six") + FOUR.format("enough-too", "a-six, enough")
    + "}\n" + SIX.format("idle"),
    "three": """
value sky(s: side): 0..1
  reads "the sky over {s}"
value wind(s: side): 0..1
  reads "the wind over {s}"

rule first [house] "The sky is bright over north."
  sky is if s = north then 1 else 0

rule second [house] "The wind is fair over north."
  wind is if s = north then 1 else 0

rule third [house] "With both, north scores on a four."
  need is 4
  exception to a-six
  when sky(s) = 1 and wind(s) = 1
""",
    "nothing": SIX.format("as-ever") + 'rule as-before [house] "A six."\n  need is 6\n  exception to a-six\n'
    "  when s = north\n",
    "leaning": FOUR.format("upright", "a-six")
    + 'rule leaning [house] "Nor does the other hold."\n  exception to upright\n  when game.turn > 1\n',
    "unreached": FOUR.format("enough", "a-six") + """
event fell(f: fighter)
resolution fall(f: fighter) [house] "It falls." { tell fell(f) }
action stumble by player in throwing [house] "Nobody is tired enough." reads "{f} stumbles" {
  choose f from {f in all fighter where f.side = player and f is thrown and f is not thrown}
  mark f as thrown
  do fall(f)
}
offer stumble beside throw_die
after fell(f) [house] "It counts." { set f.side.score to min(99, f.side.score + 1) }
after fell(f) as once-more [house] "It counts once more." { set f.side.score to min(99, f.side.score + 1) }
after end of turn [house] "Nothing is lost." { set game.calm to game.turn }
track game.calm: 0..99 = 0
""",
    "declined": '''
action yawn by player in throwing [house] "Whoever can yawn need not." reads "{f} yawns" {
  choose f from {f in all fighter where f.side = player and f is not thrown}
  mark f as thrown
}
offer yawn beside throw_die
''' + SIX.format("as-ever"),
    "amending": 'rule twice [house] "It counts twice."\n'
    "  inserts { set f.side.score to min(99, f.side.score + 1) } before step tell fell of resolution fall\n"
    + SIX.format("as-ever"),
}  # fmt: skip
BELOW = {"amending": "unreached"}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    for name, rules in LAYERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(
            f"layer: {name}\ntitle: T\nkind: variant\non: [{BELOW.get(name, 'toss')}]\ncites: house\n"
        )
        (tmp_path / name / "mine.rules").write_text(rules)
    return tmp_path


def search(packages: Path, *options: str, games: int = 60, than: str = "toss", code: int = 0) -> dict[str, Any]:
    """Search for causes; return the data, with the printed text as `text`."""
    command = ["compare", "yard", "--path", str(KNOWN), "--path", str(packages), "--rules", than]
    command += ["--rules", *options[:1], "--which", *options[1:], "-j", "1", "-n", str(games)]
    done = say([*command, "--format", "json"])
    assert done.code == code, done.err
    return {**json.loads(done.out), "text": " ".join(say(command).out.split())}


def states(results: list[dict[str, Any]], key: str) -> dict[str, str]:
    return {each[key]: each["state"] for each in results}


@LONG
def test_each_of_two_sufficient_parts_is_found_alone(packages: Path) -> None:
    found = search(packages, "toss+twins", games=200)
    assert set(states(found["causes"], "without").values()) == {SMALL}
    assert states(found["causes_alone"], "alone") == {"enough": FOUND, "enough-too": FOUND, "idle": SMALL}
    whole = found["differences"][0]["estimate"]
    assert [each["estimate"] for each in found["causes_alone"]] == [whole, whole, 0]
    assert "only enough: north wins +39.0% (" in found["text"]
    assert "who wins changes by each of enough and enough-too alone; idle alone changes that by less" in found["text"]


@sampled(0)
def test_the_parts_of_a_group_that_matters_are_played_alone(packages: Path) -> None:
    """The ablation of the group has an effect and that of each part has none: again each part suffices."""
    found = search(packages, "toss+grouped")
    assert states(found["causes"], "without") == {
        "fours (case or chart)": FOUND, "idle": OPEN, "enough": UNUSED, "enough-too": OPEN,
    }  # fmt: skip
    alone = states(found["causes_alone"], "alone")
    assert alone == {"fours (case or chart)": FOUND, "idle": OPEN, "enough": FOUND, "enough-too": FOUND}


@sampled(0)
def test_parts_that_are_each_enough_are_played_alone(tmp_path: Path) -> None:
    """Each of two rules turns ties into wins of birch; without either the other does."""
    (tmp_path / "layer.yaml").write_text("layer: ties\ntitle: T\nkind: variant\non: [two_clans]\ncites: house\n")
    (tmp_path / "mine.rules").write_text(
        "\n".join(
            f"rule {side}-{result} [house] \"So is the {side} clan.\"\n  result is '{result}'\n"
            f"  exception to level\n  when owner = {side} and lead(owner) = 0 herds\n"
            for side, result in (("birch", "ahead"), ("ash", "beaten"))
        )
    )
    command = ["compare", "before_winter", "--path", str(tmp_path), "--rules", "two_clans", "--rules"]
    done = say([*command, "two_clans+ties", "--which", "-j", "1", "-n", "320", "--format", "json"])
    found = json.loads(done.out)
    assert found["verdicts"][0]["finding"] == "other side"
    assert states(found["causes"], "without") == {"birch-ahead": SMALL, "ash-beaten": SMALL}
    assert {each["alone"]: each["of"] for each in found["causes_alone"]} == {
        "birch-ahead": "wins",
        "ash-beaten": "wins",
    }


@sampled(0)
def test_a_part_alone_is_corrected_for_the_number_of_parts(packages: Path) -> None:
    """A rule alone has a third of the error of all three, a group of two has two thirds."""
    found = search(packages, "toss+grouped", "--alone", games=60)["causes_alone"]
    interval = {each["alone"]: each["interval"] for each in found}
    group, alone = interval["fours (case or chart)"], interval["enough"]
    assert alone[0] < group[0] < group[1] < alone[1]
    few = search(packages, "toss+grouped", "--alone", games=8)["causes_alone"]
    assert states(few, "alone") == {"fours (case or chart)": OPEN, "idle": OPEN}  # An open group is not split.


@sampled(0)
def test_a_necessary_part_needs_no_games_of_parts_alone(packages: Path) -> None:
    found = search(packages, "toss+unreached")
    assert states(found["causes"], "without")["enough"] == FOUND
    assert found["causes_alone"] == []
    assert "each part alone" not in found["text"]


@LONG
def test_parts_that_need_each_other_have_no_effect_alone(packages: Path) -> None:
    """Each is necessary, so they are played alone only with `--alone`.

    The third breaks without the others' questions.
    """
    assert search(packages, "toss+three", code=1)["causes_alone"] == []
    found = search(packages, "toss+three", "--alone", games=200, code=1)
    assert states(found["causes"], "without") == {"first": REFUSED, "second": REFUSED, "third": FOUND}
    alone = {each["alone"]: (each["state"], each["why"]) for each in found["causes_alone"]}
    no_game = (REFUSED, "without the other parts no game comes to it")  # Only the third part asks their questions.
    assert alone["first"] == alone["second"] == no_game
    assert alone["third"][0] == REFUSED
    assert "not played alone: third, which depends on other parts: the rules break in each of 200" in found["text"]
    assert "no part is established to change who wins alone" in found["text"]
    assert "none of these parts" not in found["text"]  # New questions that no part asks change no game.


@sampled(0)
def test_parts_without_effect_have_no_sentence(packages: Path) -> None:
    assert search(packages, "toss+nothing", games=200)["causes_alone"] == []
    found = search(packages, "toss+nothing", "--alone", games=200)
    assert states(found["causes_alone"], "alone") == {"as-ever": SMALL, "as-before": SMALL}
    assert "small effects add up" not in found["text"]


def test_a_part_without_any_use_alone_is_refused(packages: Path) -> None:
    found = {each["alone"]: each for each in search(packages, "toss+leaning", "--alone", games=4)["causes_alone"]}
    assert found["leaning"]["state"] == REFUSED
    assert found["leaning"]["why"] == "without the other parts no game comes to it"
    assert found["upright"]["state"] == OPEN


@sampled(0)
def test_differences_outside_of_the_parts_are_played_separately(packages: Path) -> None:
    """The first stack has a layer that the last lacks: it is no part, and the parts are compared without it."""
    found = search(packages, "toss+twins", "--alone", than="toss+north_on_four")
    alone = {each["alone"]: each for each in found["causes_alone"]}
    assert alone["none of these parts"]["state"] == FOUND
    assert alone["none of these parts"]["estimate"] < 0 < alone["enough"]["estimate"]
    assert "against toss+north_on_four, none of these parts: north wins -" in found["text"]
    assert "against toss+twins with none of these parts (" in found["text"]


@sampled(0)
def test_hooks_that_were_never_reached_are_not_ablated(packages: Path) -> None:
    """Hooks on one event share a label in a layer, unless they have names; a hook that was reached is played."""
    found = states(search(packages, "toss+unreached")["causes"], "without")
    assert found["hook fell of unreached"] == found["hook once-more"] == found["action stumble"] == UNUSED
    assert found["hook end of turn of unreached"] == OPEN


def test_amendments_of_unexecuted_procedures_are_not_ablated(packages: Path) -> None:
    found = search(packages, "toss+amending", than="toss+unreached", games=4)
    assert states(found["causes"], "without") == {"twice": UNUSED, "as-ever": OPEN}
    certain = "never executed, offered or in play in any game, so without influence on them: "
    assert f"{certain}twice" in found["text"]


@LONG
def test_only_unevaluated_parts_are_reported_without_influence(packages: Path) -> None:
    """A player may evaluate an offer; searching players, or games that are not counted, may reach a hook."""
    certain = "so without influence on them: resolution fall, action stumble, hook fell of unreached, hook once-more"
    assert certain in search(packages, "toss+unreached", games=4)["text"]
    for options in (("--heard", "2"), ("--players", "search:1")):
        found = search(packages, "toss+unreached", *options, games=4)
        assert "without influence" not in found["text"]
        assert states(found["causes"], "without")["hook once-more"] != FOUND
    offered = search(packages, "toss+declined", games=4)
    assert "without influence" not in offered["text"]


def test_the_option_alone_requires_which() -> None:
    done = say(["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+north_on_four", "--alone"])
    assert done.code == 2
    assert "`--alone` belongs to `--which`" in done.err


@sampled(0)
def test_a_found_group_is_not_named_beside_its_part(packages: Path) -> None:
    text = search(packages, "toss+grouped")["text"]
    assert "who wins changes by each of enough and enough-too alone" in text
    assert "it is settled of fours (case or chart) that who wins changes without it" in text
