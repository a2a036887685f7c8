"""A procedure that nothing starts is a finding, unless an option removed the step that starts it."""

from pathlib import Path

from compiler.analysis.findings.never_runs import NeverRuns, never_runs
from tests.analysis.planted import compiled


def test_a_procedure_whose_start_an_option_withdraws_is_no_finding(tmp_path: Path) -> None:
    """The withdrawn resolution runs without the option; the one that no stack starts is still found."""
    game = """
side north, south
kind cart
status cart: wet until end of turn, dry until end of turn
resolution rain() [house] "It rains." { for each c in all cart { mark c as wet } }
resolution wind() [house] "It blows." { for each c in all cart { mark c as dry } }
sequence game { each turn in 1..2 { do rain()  phase moving "Moving" {} } }
"""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\nplayable: yes\n",
        "game/game.rules": game,
        "option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "option/option.rules": 'rule no-rain [house] "It never rains." withdraws step do rain of sequence\n',
    }
    found = list(never_runs(compiled(files, tmp_path, "game+option")))
    assert [each.procedure.label for each in found if isinstance(each, NeverRuns)] == ["resolution wind"]
