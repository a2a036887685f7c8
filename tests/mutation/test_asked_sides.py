"""A mutant that asks another side for a choice is detected only by an example that states the side."""

from pathlib import Path

import pytest

from rulewright.checks.mutation.mutant_text import alteration_text
from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import run_own_mutants
from rulewright.library.stacks import open_packages

GAME = """
side red, blue
status unit: lost until end of game
kind unit

action strike by player [T.1] "The owner loses one of his." {
  choose at from {u.side for u in all unit where u.side != player}
  choose loss from {u in all unit where u.side = at} by at
  mark loss as lost
}

example "a loss" {
  row A
  piece R: unit of red at A
  piece P, Q: unit of blue at A
  act strike(at: blue, loss: Q) by red
  ask Q is lost and P is not lost
}
"""


@pytest.mark.parametrize(("stated", "unnoticed"), [("", True), (", loss.player: blue", False)])
def test_a_mutant_with_another_choosing_side_is_detected_where_the_example_states_the_side(
    stated: str, unnoticed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    (tmp_path / "layer.yaml").write_text("layer: toy\ntitle: Toy\nkind: base\n")
    (tmp_path / "sources.yaml").write_text("sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1]}\n")
    (tmp_path / "toy.rules").write_text(GAME.replace("loss: Q)", f"loss: Q{stated})"))
    found = run_own_mutants(open_packages([tmp_path]), "toy", [tmp_path], MutationLimits())
    lines = [alteration_text(each.mutant, each.rules) for each in found.survivors]
    assert any("whoever acts" in line for line in lines) == unnoticed, lines
