"""The behavior of two stacks is compared: sequences, procedures, plays, and charts that only procedures read."""

from pathlib import Path

import pytest

from rulewright.checks.read_back import make_reader
from rulewright.lab.contrast.differences import as_data
from rulewright.library.stacks import load_stack
from runtime.witness.behavior_difference import BehaviorDifference, ProcedureDifference
from runtime.witness.behavioral_diff import DifferingTerms, behavioral_diff
from tests.analysis.edited import difference_text
from tests.analysis.planted import compiled

BASE = """
measure MP "point"
side north, south
kind cart has speed: 0..12 MP
status cart: dizzy, done
feature hex: bog
domain die = 1..6
event rolled(mover: cart, to: hex)
verdict may_roll(mover: cart, to: hex) default allowed
action roll by player in movement "Roll on." {
  choose mover from {c in all cart where c.side = player and c is not done}
  choose to from neighbors(mover.hex)
  legal may_roll(mover, to)
  move mover to to
  mark mover as done
  tell rolled(mover, to)
}
action rest by player in movement "Rest." {
  choose mover from {c in all cart where c.side = player and c is dizzy}
  unmark mover as dizzy
}
resolution storm(c: cart) {
  roll d: die
  if luck[d] { mark c as dizzy }
}
sequence game {
  each turn in 1..3 {
    each player in {north, south} {
      phase movement "Movement" { offer roll, rest until yes }
      phase recovery "Recovery" { for each c in all cart { unmark c as done } }
    }
  }
}
example "a cart rolls" {
  row A, B bog
  piece C: cart of north at A (speed 2 MP)
  act roll(mover: C, to: B)
  ask C is done
}
example "a storm" {
  row A
  piece C: cart of north at A (speed 2 MP)
  dice 3
  do storm(C)
  ask C is not dizzy
}
"""

LUCK = """
table: luck
cites: house
keys: {d: 1..6}
cell: yes_no
rows: [{d: 1..2, is: yes}, {d: 3..6, is: no}]
"""

HOOK = """
after rolled(mover, to) [house] "Bogs make dizzy." { if to is bog { mark mover as dizzy } }
"""


def layers(base: str, option: str, luck: str = LUCK) -> dict[str, str]:
    """Return the files of a game and an option of it."""
    return {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": base,
        "game/luck.yaml": luck,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": option,
    }


def diff_with_option(option: str, folder: Path) -> DifferingTerms:
    """Compare a game with the same game under an option."""
    files = layers(BASE, option)
    return behavioral_diff(compiled(files, folder, "game"), compiled(files, folder, "game+option"))


def diff_with_edit(change: tuple[str, str], folder: Path, luck: str = LUCK) -> DifferingTerms:
    """Compare a game with a copy in which a text is replaced."""
    assert change[0] in BASE
    one = compiled(layers(BASE, ""), folder / "one", "game")
    return behavioral_diff(one, compiled(layers(BASE.replace(*change), "", luck), folder / "other", "game"))


def procedure(found: BehaviorDifference, name: str) -> ProcedureDifference:
    """Return the reported difference of a procedure."""
    return next(each for each in found.procedures if each.name == name)


def test_a_hook_is_shown_by_a_play_that_it_changes(tmp_path: Path) -> None:
    hook = procedure(diff_with_option(HOOK, tmp_path).behavior, "after rolled")
    assert (hook.kind, hook.only_stack, hook.differs, hook.runs) == ("hook", "b", 1, 1)
    assert hook.play is not None
    assert hook.play.act == "roll(mover: C, to: B)"
    assert (hook.play.a, hook.play.b) == ("C is not dizzy", "C is dizzy")
    assert "bog" in hook.play.file


def test_a_hook_without_effect_has_no_play(tmp_path: Path) -> None:
    hook = procedure(
        diff_with_option(HOOK.replace("mark mover as dizzy", "move mover to mover.hex"), tmp_path).behavior,
        "after rolled",
    )
    assert (hook.differs, hook.runs, hook.play) == (0, 1, None)


def test_a_hook_without_effect_in_examples_has_a_play_in_a_generated_position(tmp_path: Path) -> None:
    hook = procedure(diff_with_option(HOOK.replace("as dizzy", "as done"), tmp_path).behavior, "after rolled")
    assert (hook.differs, hook.runs) == (0, 1)
    assert hook.play is not None
    assert (hook.play.example, hook.play.act) == ("", "rolled(mover: Mover, to: B)")
    assert (hook.play.a, hook.play.b) == ("Mover is not done", "Mover is done")
    assert "bog" in hook.play.file


def test_an_action_with_another_body_is_reported(tmp_path: Path) -> None:
    found = diff_with_edit(("unmark mover as dizzy", "unmark mover as dizzy\n  mark mover as done"), tmp_path).behavior
    (rest,) = found.procedures
    assert (rest.kind, rest.name, rest.only_stack) == ("action", "rest", "")


def test_a_rule_that_forbids_an_option_has_a_play_that_is_refused(tmp_path: Path) -> None:
    rule = 'rule no-bogs [house] "Nobody rolls into a bog." may_roll forbidden when to is bog\n'
    (found,) = diff_with_option(rule, tmp_path).behavior.rules
    assert (found.rules, found.play.b) == (("no-bogs",), "refused")
    assert "C is at B" in found.play.a


@pytest.mark.parametrize(("action", "condition"), [("rest", "done"), ("roll", "dizzy")])
def test_a_condition_that_an_action_gains_has_a_play_that_is_refused(
    tmp_path: Path, action: str, condition: str
) -> None:
    """No example is in the position; the choices behind the condition are made as well."""
    legal = f"inserts {{ legal mover is not {condition} }} after step choose mover of action {action}"
    found = procedure(diff_with_option(f'rule steady [house] "Not so."\n  {legal}\n', tmp_path).behavior, action)
    assert found.play is not None
    assert found.play.b == "refused"


def test_a_call_that_is_new_has_a_play_in_which_it_has_an_effect(tmp_path: Path) -> None:
    tire = "resolution tire(who: cart) { if who.speed > 7 MP and who is done { unmark who as done } }"
    call = (
        "resolution storm(c: cart) {\n  roll d: die",
        f"{tire}\nresolution storm(c: cart) {{\n  do tire(c)\n  roll d: die",
    )
    storm = procedure(diff_with_edit(call, tmp_path).behavior, "storm")
    assert storm.play is not None
    assert "done" in storm.play.a


def test_an_added_phase_is_a_difference_of_the_sequence(tmp_path: Path) -> None:
    change = (
        "offer roll, rest until yes }",
        'offer roll until yes }\n      phase gazing "Gazing" { offer rest until yes }',
    )
    found = diff_with_edit(change, tmp_path)
    assert [(each.kind, each.name) for each in found.behavior.procedures] == [("sequence", "sequence of play")]
    assert [each.status for each in found.changes if each.label == "sequence"] == ["witness"]


def test_a_changed_cell_that_only_a_resolution_reads_is_reported(tmp_path: Path) -> None:
    luck = LUCK.replace("d: 1..2, is: yes}, {d: 3..6", "d: 1..3, is: yes}, {d: 4..6")
    found = diff_with_edit(("domain die", "domain die"), tmp_path, luck)
    (chart,) = found.charts
    assert chart.chart == "luck"
    assert chart.cells == (
        ("luck[1..2]", "yes", ""), ("luck[3..6]", "no", ""), ("luck[1..3]", "", "yes"), ("luck[4..6]", "", "no")
    )  # fmt: skip
    assert [each.rules for each in found.behavior.rules] == [("luck[1..3]", "luck[3..6]")]


@pytest.mark.parametrize(
    "line",
    [
        "after rolled\n  Only game+option [house], ",
        "/game/option/option.rules:2\n",
        "  Bogs make dizzy.",
        "roll(mover: C, to: B): C is not dizzy under game, C is dizzy under game+option",
        "1 procedure differs; 1 move ends differently, and no question was found",
    ],
)
def test_a_difference_is_printed_as_sentences(tmp_path: Path, line: str) -> None:
    files = layers(BASE, HOOK)
    graphs = compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option")
    data = as_data(behavioral_diff(*graphs), ("game", "game+option"), graphs, tmp_path / "positions") | {"cards": []}
    assert line in difference_text(data)


COUNTING = """
example "carts that may roll" {
  row A, B bog
  piece C: cart of north at A (speed 2 MP)
  piece D: cart of south at A (speed 2 MP)
  let chosen = C
  ask count(c in all cart where c != chosen and may_roll(c, B)) + chosen.speed / 1 MP = 3
}
"""
NOT_ON_BOGS = 'rule no-bogs [house] "Nobody rolls into a bog." may_roll forbidden when to is bog\n'


def test_a_question_of_an_example_that_is_no_single_term_is_printed_as_ask_accepts_it(tmp_path: Path) -> None:
    files = layers(BASE + COUNTING, NOT_ON_BOGS)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    stacks = load_stack("game", [tmp_path]), load_stack("game+option", [tmp_path])
    first, second, read = stacks[0].graph, stacks[1].graph, make_reader(stacks)
    assert first is not None
    assert second is not None
    assert read is not None
    data = as_data(behavioral_diff(first, second), ("game", "game+option"), (first, second), tmp_path / "positions")
    (question,) = data["behavior"]["example_questions"]
    assert (question["a"], question["b"]) == ("3", "2")
    assert [read(which, question["position"], question["act"]) for which in (0, 1)] == ["3", "2"]
