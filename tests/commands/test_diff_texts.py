"""`diff` of stacks that differ only in account texts prints the texts; two names of the same layers are recognized."""

from pathlib import Path

import pytest

from rulewright.lab.contrast.equal_layers import equal_layers_text
from rulewright.library.stacks import load_stack
from tests.commands.planting import say
from tests.sample import sampled

ARRIVE = """resolution arrive(b: band, to: space) [house] "A band comes to the next area."
  replaces resolution arrive
{
  move b to to
}
"""
ACCOUNT = """account {
  before b, from = b.space, to
  tells "{the b} {b: walks, walk} from {from} to {to}" when b.space = to
}
"""


@pytest.mark.parametrize(("account", "now"), [(ACCOUNT, True), ("", False)])
def test_changed_account_texts_are_printed(tmp_path: Path, account: str, now: bool) -> None:
    layer = tmp_path / "walks"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: walks\ntitle: Walks\nkind: variant\non: [two_clans]\n")
    (layer / "walks.rules").write_text(ARRIVE + account)
    output = say(["diff", "two_clans", "two_clans+walks", "--path", str(tmp_path)]).out
    assert "resolution arrive: it differs only in its " in output
    assert "account" in output
    assert '    no longer tells "{the b} {b: marches, march} from {from} to {to}, with {left} left"' in output
    assert ('    now tells "{the b} {b: walks, walk} from {from} to {to}"' in output) == now
    assert "No question is answered differently: the change is proved to change no answer." in output
    data = say(["diff", "two_clans", "two_clans+walks", "--path", str(tmp_path), "--format", "json"]).data
    assert [len(each["accounts"]["b"]) for each in data["changes"] if each["accounts"]] == [int(now)]


CHANGES = """
rule combat-first [house] "Combat comes before movement." reorders phase combat before movement
rule rare-hunger [house] "Hunger comes late." wraps resolution attrition by { if game.turn > 3 { proceed } }
rule no-rebuilding [house] "Nothing is rebuilt." withdraws action rebuild
rule no-winter-march [house] "Nobody marches in snow." wraps phase movement by { if sky() != snow { proceed } }
"""
LIFTED = """
rule at-first [house] "The first turn is free." exception to no-winter-march when game.turn = 1
rule eat-again [house] "Hunger comes at once." withdraws rare-hunger
"""


def write_amending_layers(folder: Path) -> None:
    """Write a layer that amends play, and another one on it that lifts two of its rules."""
    for name, below, rules in (("amended", "long_frost", CHANGES), ("lifted", "amended", LIFTED)):
        (folder / name).mkdir()
        (folder / name / "layer.yaml").write_text(f"layer: {name}\ntitle: Other\nkind: variant\non: [{below}]\n")
        (folder / name / "play.rules").write_text(rules)


def test_rules_that_amend_play_are_named_beside_what_they_amend(tmp_path: Path) -> None:
    write_amending_layers(tmp_path)
    behavior = say(["diff", "long_frost", "amended", "--path", str(tmp_path), "--format", "json"]).data["behavior"]
    amending = {each["name"]: [rule["rule"] for rule in each["amended_by"]] for each in behavior["procedures"]}
    assert amending == {
        "sequence of play": ["combat-first", "no-winter-march"],
        "attrition": ["rare-hunger"],
        "rebuild": ["no-rebuilding"],
    }
    output = say(["diff", "long_frost", "amended", "--path", str(tmp_path)]).out
    assert "Only long_frost has the action rebuild.\n" in output
    assert "rebuild is changed only in amended by no-rebuilding [house], " in output
    assert "resolution attrition\n  attrition is changed only in amended by rare-hunger [house], " in output
    assert "  Phases under amended: " in output


@sampled(1)
@pytest.mark.parametrize(
    ("first", "second", "are_equal"),
    [
        ("pl1940", "pl1940_experimental", True),
        ("functional_mobility_1940", "functional_mobility+pl1940", True),
        ("core+panzer_leader", "panzer_leader", True),
        ("pl1940-pl1940_experimental", "pl1940", False),
        ("panzer_leader", "panzer_leader+allied-flak=as-charts-have-it", False),
    ],
)  # fmt: skip
def test_two_names_of_the_same_layers_are_recognized(first: str, second: str, are_equal: bool) -> None:
    """The reply says that both names load the same layers; equal answers alone would mislead."""
    expected = f"`{first}` and `{second}` load the same layers" if are_equal else ""
    assert equal_layers_text(load_stack(first), load_stack(second)) == expected


VARIANT = """dispute mud-again [house] "Is mud deeper?" {
  reading no [house] default "Nothing is said." {}
  reading yes [house] "It looks so." {
    rule deeper [house] "Mud costs more." cost is 3 steps exception to mud-clings, firm-sand when to is mud
  }
}
ruling no-swimming [house] clarification, none
  asks "May a walker swim?"
  answers "No, it may not."
  clarifies no-wading
always walkers-are-slow [house] every(w in all walker where w.pace <= 4 steps)
"""
INSERTING = "inserts { unmark w as laden } before step move w of action walk"


@sampled(3)
@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("", "", []),
        ("3 steps", "1 steps", ["Disputes", "  readings with other rules, chosen by neither: mud-again=yes"]),
        ("It looks so", "Perhaps", ["Disputes", "  readings with another reason: mud-again=yes"]),
        ("yes [house]", "yes [LT.1]", ["Disputes", "  readings with other citations: mud-again=yes"]),
        (
            "  reading yes", '  reading maybe [house] "So?" {}\n  reading yes',
            ["Disputes", "  Only second has the reading mud-again=maybe."],
        ),
        ("a walker swim", "walkers swim", ["In the book alone", "  the question of no-swimming"]),
        ("mud deeper", "mud slower", ["In the book alone", "  the question of mud-again"]),
        (
            "No, it may not", "Yes, it may",
            [
                "In the book alone",
                "  the answer of no-swimming",
                "Proved to change no answer",
                "  no-swimming: it differs only in its sentence, from which nothing is computed",
            ],
        ),
        (
            "<= 4", "<= 5",
            [
                "Proved to change no answer",
                "  always walkers-are-slow: it limits which positions can occur, and answers nothing",
            ],
        ),
        (
            "cost is 3 steps exception to mud-clings, firm-sand when to is mud", INSERTING,
            [
                "Disputes",
                "  readings with other rules, chosen by neither: mud-again=yes",
                "Not looked at: what mud-again=yes would change beside answers, as neither has chosen it.",
            ],
        ),
    ],
)  # fmt: skip
def test_what_answers_nothing_is_compared_too(tmp_path: Path, old: str, new: str, lines: list[str]) -> None:
    """Each edit is named in the report; without one nothing is."""
    for name, text in (("first", VARIANT), ("second", VARIANT.replace(old, new) if old else VARIANT)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(f"layer: {name}\ntitle: Muddy\nkind: variant\non: [low_tide]\n")
        (tmp_path / name / "mud.rules").write_text(text)
    output = say(["diff", "first", "second", "--path", str(tmp_path)]).out
    full_lines = [line for line in output.splitlines() if line and "build on" not in line]
    reported_lines = [line for line in full_lines if not line.startswith("No question is")]
    assert reported_lines == lines
