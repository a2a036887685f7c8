"""Choices on the way of an action are answered by name, each by whoever is asked; what nobody asks for is an error."""

from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.render.line import line
from rulewright.library.stacks import open_shelves
from runtime.examples.run import run_examples

TOY = Path(__file__).parent / "toy"
SETTING = """
  row A, B
  piece R, S: bead of red at A
  piece P, Q: bead of blue at B
  piece I: ring of blue at B
"""


def told(folder: Path, act: str) -> list[str]:
    """Compile an example with one act, and run it; tell what is wrong."""
    layer = folder / "asked"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: asked\ntitle: Asked\nkind: optional\non: [constructs]\n")
    (layer / "asked.rules").write_text(f'example "asked" under asked {{{SETTING}  {act}\n  ask R is not gone\n}}\n')
    stack = open_shelves((TOY, layer)).compiled("asked")
    if stack.graph is None:
        return [line(each) for each in diagnose(stack.problems, stack.texts)]
    runs = [run for run in run_examples(stack.graph) if run.example.title == "asked"]
    return [f"{failure.expected}: {failure.actual}" for run in runs for failure in run.failures]


KNOCK = "act knock(striker: R, struck: P, lost: P"


@pytest.mark.parametrize(
    "act",
    [
        "act knock(striker: R, struck: P, lost: P, lost: S) by red",
        "act knock(striker: R, struck: P, give_up.lost: P, give_up.lost: S) by red",
        "act knock(knock.striker: R, struck: P, lost: P, lost: S, chip.tool: I, polish_up.tool: I) by red",
        "set game.player to red  act knock(striker: R, struck: P, lost: P, lost: S)",
        "act knock(striker: R, struck: P, lost: P, lost: S) by blue refused by side",
        "act handle_ring(ring: I, rub_it.on: R) by blue  ask R is dull and R is not chipped",
        "act handle_ring(ring: I, rub_it.on: R, chip_it.on: S) by blue  ask R is dull and S is chipped",
        "act handle_ring(ring: I, rub_it.on: R, rub_it.on: S) by blue  ask R is dull and S is dull",
    ],
)
def test_choices_on_the_way_are_answered(act: str, tmp_path: Path) -> None:
    assert told(tmp_path, act) == []


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (f"{KNOCK}, lost: S)", "who acts is not said: the pieces are of red and of blue"),
        (f"{KNOCK}, lots: P) by red", "there is no choice of knock `lots`"),
        (f"{KNOCK}, lots: P) by red refused", "there is no choice of knock `lots`"),
        (f"{KNOCK}, back: A) by red", "there is no choice of knock `back`"),
        (f"{KNOCK}, roll_back.lost: P) by red", "there is no procedure on the way of knock `roll_back`"),
        (f"{KNOCK}, lost: S, tool: I) by red", "asked by `chip` and `polish_up`: say whose each is"),
        ("act handle_ring(ring: I, on: R) by blue", "which of `chip_it` and `rub_it` is taken; `chip_it.on: ..` would"),
        (f"{KNOCK}, lost: S, lost: R) by red", "asked 2 times"),
        (f"{KNOCK}) by red", "P cannot be chosen for `lost`"),
        ("act knock(striker: R, struck: P, lost: S, lost: P) by red", "S cannot be chosen for `lost`"),
        (f"{KNOCK}, lost: R, chip.tool: I) by red", "chosen in `chip`, which is refused"),
    ],
)
def test_what_nobody_asks_for_is_told(act: str, said: str, tmp_path: Path) -> None:
    (found, *_) = told(tmp_path, act)
    assert said in found
