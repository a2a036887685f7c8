"""Choices within an action are answered by name, by the side that decides; names that are never asked are errors."""

from collections.abc import Sequence
from pathlib import Path

from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import open_packages
from runtime.examples.run import run_examples

TOY = Path(__file__).parent / "toy"
PLAY = """
resolution wear(owner: side) [house] {
  choose any worn of 0..2 from {b in all bead where b.side = owner} by owner
  for each b in worn { mark b as dull }
}
resolution line_up(owner: side) [house] {
  choose order line from {b in all bead where b.side = owner} by owner
  for each b in line { mark b as dull }
}
resolution pass_it(owner: side) [house] {
  choose b from {b in all bead where b.side = owner} by owner
  mark b as dull
  do pass_on(b)
}
resolution pass_on(a: bead) [house] {
  choose b from {b in all bead where b.side = a.side} by a.side
  mark b as chipped
}
action wear_down by player [house] "Wear." preferring none "it is a toy" { do wear(if player = red then blue else red) }
action form by player [house] "Form." preferring none "it is a toy" { do line_up(player) }
action pick by player [house] "Pick." preferring none "it is a toy" {
  choose any picked of 2..2 from {b in all bead where b.side = player}
  for each b in picked { mark b as dull }
}
reaction scratch by enemy to knocked(b) [house] "Scratch it." preferring none "it is a toy" {
  legal b is not gone
  mark b as dull
}
action rank by player [house] "Rank." preferring none "it is a toy" {
  choose order ranks from {b in all bead where b.side = player}
  for each b in ranks { mark b as dull }
}
"""
SETTING = """
  row A, B
  piece R, S: bead of red at A
  piece P, Q: bead of blue at B
  piece I: ring of blue at B
  piece X, Y: ring
"""
KNOCK = "act knock(striker: R, struck: P, lost: P"
FINE = [
    f"{KNOCK}, lost: S) by red",
    "act knock(striker: R, struck: P, give_up.lost: P, give_up.lost: S) by red",
    "act knock(knock.striker: R, struck: P, lost: P, lost: S, chip.tool: I, polish_up.tool: I) by red",
    f"set game.player to red  {KNOCK}, lost: S)",
    f"{KNOCK}, lost: S) by blue refused by side",
    "act handle_ring(ring: I, rub_it.on: R) by blue  ask R is dull and R is not chipped",
    "remove I  act lay_out(r: X, h: A, r: Y, h: B) by red  ask Y.hex = B",
    "act handle_ring(ring: I, rub_it.on: R, chip_it.on: S) by blue  ask R is dull and S is chipped",
    "act handle_ring(ring: I, rub_it.on: R, rub_it.on: S) by blue  ask R is dull and S is dull",
    "do give_up(red) choosing lost: R  do give_up(red) choosing give_up.lost: S  ask R is gone and S is gone",
    "let lost = R  do give_up(red) choosing lost: S  do give_up(red)  ask R is gone and S is gone",
    "do wear(red) choosing worn: {S}  do wear(blue) choosing worn: {}  ask S is dull and R is not dull",
    "do pass_it(red) choosing pass_it.b: R, pass_on.b: S  ask R is dull and S is chipped",
    "let b = R  do pass_it(red) choosing pass_on.b: S  ask R is dull and S is chipped",
    "move S to B  do roll_back(R) choosing back: B, back: A  ask R.hex = A",
    f"{KNOCK}, lost: S, scratch.player: blue) by red  ask P is gone or S is gone",
    "act knock(striker: R, struck: P, lost: Q, lost: S, scratch.player: blue) by red  ask R is dull",
    "act knock(striker: R, struck: P, lost: Q, lost: S) by red  ask R is not dull",
    "act handle_ring(ring: I, rub_it.player: blue, rub_it.on: R) by blue  ask R is dull",
    "act wear_down(worn: {P}, worn.player: blue) by red  ask P is dull",
    "act rank(ranks: {R, S}, ranks.player: red) by red  ask R is dull",
    "do wear(red) choosing worn: {S}, worn.player: red  ask S is dull",
]
UNKNOWN = {
    f"{KNOCK}, lost: S)": "it is not stated which side acts: there are pieces of red and of blue",
    f"{KNOCK}, lots: P) by red": "`knock` has no choice `lots`",
    f"{KNOCK}, chips: P) by red refused": "`knock` has no choice `chips`",
    "act knock(striker: R, back: A) by red": "`knock` has no choice `back`",
    f"{KNOCK}, roll_back.lost: P) by red": "there is no procedure within knock `roll_back`",
    f"{KNOCK}, lost: S, scratch: yes) by red": "`scratch` is an action, not a choice",
    f"{KNOCK}, lost: S, scratch.player: R) by red": "expected a side, found a bead",
    "act wear_down(worn: {P}, worn.player: P) by red": "expected a side, found a bead",
    "act wear_down(worn: {P}, worm.player: blue) by red": "there is no procedure within wear_down `worm`",
    "do give_up(red) choosing lots: R": "`give_up` has no choice `lots`",
    "do give_up(red) choosing knock.lost: R": "there is no procedure within give_up `knock`",
    "do give_up(red) choosing lost: R refused": "a choice of a `do` line cannot be refused",
}
UNASKED = {
    f"{KNOCK}, lost: S, tool: I) by red": "asked by `chip` and `polish_up`: say whose each is, as `chip.",
    "act handle_ring(ring: I, on: R) by blue": "which of `chip_it` and `rub_it` is taken; `chip_it.on: ..` would",
    f"{KNOCK}, lost: S, lost: R) by red": "asked 2 times",
    "act knock(striker: R, struck: P, lost: Q, lost: S, scratch.player: red) by red": "choose `scratch.player`",
    "act wear_down(worn: {P}, worn.player: red) by red": "`worn` is asked of blue, not of red",
    "do wear(red) choosing worn: {S}, worn.player: blue": "`worn` is asked of red, not of blue",
    "act rank(ranks: {R, S}, ranks.player: blue) by red": "`ranks` is asked of red, not of blue",
    f"{KNOCK}) by red": "P cannot be chosen for `lost`",
    "act knock(striker: R, struck: P, lost: S, lost: P) by red": "S cannot be chosen for `lost`",
    f"{KNOCK}, lost: R, chip.tool: I) by red": "chosen in `chip`, which is refused",
    "remove I  act lay_out(r: X, h: A, r: Y, h: A) by red": "leaves B open for `h`, not what is said here",
    "do give_up(red) choosing lost: R, lost: S": "asked once",
    "let b = R  do pass_it(red)": "`b` is asked by `pass_it` and `pass_on`: say whose each is, as `choosing",
    "do pass_it(red) choosing b: R": "asked by `pass_it` and `pass_on`: say whose each is",
    "do give_up(red) choosing lost: P": "P cannot be chosen for `lost`",
}


def act_messages(folder: Path, acts: Sequence[str]) -> list[str]:
    """Compile an example for each act, run all, and return their failures."""
    (folder / "layer.yaml").write_text("layer: asked\ntitle: Asked\nkind: optional\non: [constructs]\n")
    examples = (
        f'example "asked {at}" under asked {{{SETTING}  {act}\n  ask R is not off\n}}\n' for at, act in enumerate(acts)
    )
    (folder / "asked.rules").write_text(PLAY + "".join(examples))
    stack = open_packages((TOY, folder)).compiled("asked")
    if stack.graph is None:
        return [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    runs = [run for run in run_examples(stack.graph) if run.example.title.startswith("asked")]
    assert len(runs) == len(acts)
    return [f"{each.expected}: {each.actual}" for run in runs for each in run.failures]


def test_choices_within_an_action_are_answered(tmp_path: Path) -> None:
    assert act_messages(tmp_path, FINE) == []


def test_names_that_no_choice_has_are_errors(tmp_path: Path) -> None:
    found = act_messages(tmp_path, list(UNKNOWN))
    assert len(found) == len({*UNKNOWN.values()})
    assert [message for message in UNKNOWN.values() if not any(message in each for each in found)] == []


def test_names_that_are_not_asked_in_the_run_fail(tmp_path: Path) -> None:
    found = act_messages(tmp_path, list(UNASKED))
    assert len(found) == len(UNASKED)
    for each, message in zip(found, UNASKED.values(), strict=True):
        assert message in each
