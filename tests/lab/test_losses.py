"""Both engines count the same losses: what was lost counts also where it came back or was put aside."""

from pathlib import Path

import pytest

from rulewright.games.scenarios import game_of
from rulewright.library.compiled_modules import module_of
from rulewright.library.stacks import open_packages
from runtime.experiment.game_outcome import steps_lost
from runtime.experiment.native_series import NativeSeries
from runtime.graph import nodes as graph
from runtime.state import change

LAYER = "layer: mill\ntitle: Mill\nkind: base\ncites: house\nplayable: yes\n"
CARD = """
board: yard
title: The Yard
numbering: {style: letter_number, columns: 1, rows: 1}
---
scenario: mill_yard
title: The Mill Yard
uses: mill
cites: house
map: [[yard]]
turns: 3
order: [north]
forces:
  - {side: north, placed: [{unit: whole, name: n, at: A1}]}
---
pieces: stone
cites: house
columns: [id, side, weight, back]
rows:
  - [whole, north, 2, worn]
  - [worn, north, 1, "-"]
"""
RULES = """
side north
kind stone has weight: 0..9
value score(s: side): 0..9 reads "what {s} has"
rule nothing-counts [house] "Nothing counts." score is 0
outcome score
sequence game {
  each turn [house] in 1..3 {
    phase milling "Milling" [house] { for each u in all stone + reserve(stone) { do grind(u) } }
  }
}
"""
LOST = {
    "": 0,
    "if u has back { flip u }": 1,
    "flip u restore u": 3,
    "move u off": 0,
    "move u off as lost": 2,
    "if u is not off { move u off as lost } else { for each h in all hex { move u to h } }": 4,
    "flip u move u off as lost restore u for each h in all hex { move u to h }": 6,
    "move u off as lost if game.turn = 3 { remove u }": 2,
    "move u off as lost move u off": 6,
    "remove u": 2,
}


def mill(folder: Path, steps: str) -> graph.Graph:
    """Compile a game that does these steps with its only piece, of two steps, in each of three turns."""
    grinding = f'resolution grind(u: stone) [house] "A stone grinds." {{ {steps} }}\n'
    for name, text in (("layer.yaml", LAYER), ("yard.yaml", CARD), ("mill.rules", RULES + grinding)):
        (folder / name).write_text(text)
    packages = open_packages((folder,))
    stack = packages.compiled("mill", packages.library.scenarios["mill_yard"])
    assert stack.graph is not None, stack.diagnostics
    return stack.graph


@pytest.mark.parametrize("steps", LOST)
def test_losses_of_three_turns(tmp_path: Path, steps: str) -> None:
    game = game_of(mill(tmp_path, steps))
    module = module_of(game)
    assert ("regained" in module.layout.arrays) == ("restore" in steps or "as lost" in steps)
    series = NativeSeries(game, module, logs=False)
    series.seat({"north": "random"})
    lost_steps = LOST[steps]
    expected = (("north", "whole", lost_steps),) if lost_steps else ()
    for seed in ("1", "2"):
        outcome = series.play(seed)
        assert outcome is not None, series.stop_reason
        assert outcome.losses == expected
    playthrough = game.start("1")
    game.advance(playthrough)
    assert steps_lost(playthrough.state, 0) == lost_steps
    for event in reversed(playthrough.journal):
        change.undo(playthrough.state, event)
    assert steps_lost(playthrough.state, 0) == 0
