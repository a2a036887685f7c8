"""The house grows no further: each figure is at most the one that was recorded last.

`python3 -m tests tests/tidy/test_measures.py --reset` records figures that have fallen, totals of tokens rounded up to
thousands; a higher one is written by hand, with the reason in the message of the commit.
"""

import json
from pathlib import Path

from tests.sample import sampled
from tests.tidy.check import ROOT, modules, plant
from tests.tidy.measures import edges, files_naming, measures, names_used_once, size

RECORD = Path(__file__).with_name("measures.json")
# A small house: two rooms, one of which imports from the other and names two effects.
GAME = '''\
"""Games."""


def begin(turn: int) -> int:
    """Return the next turn."""
    return turn + 1
'''
MOVES = """\
from runtime.graph.game import begin


def moved(at: int) -> int:
    # one on
    return begin(at)
"""
STEPS = """\
import runtime.graph.nodes as graph

STEPS = (graph.Move, graph.Mark)
"""
SMALL = {"runtime/graph/game.py": GAME, "runtime/play/moves.py": MOVES, "runtime/play/steps.py": STEPS}


def ceiling(name: str, figure: float) -> float:
    """Return the figure to record: totals of tokens may vary within a thousand."""
    return -(-figure // 1000) * 1000 if name.startswith("tokens") and figure > 1000 else figure


@sampled(0)
def test_no_figure_rises(reset: bool) -> None:
    figures = measures(ROOT)
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    if reset:
        lower = {name: ceiling(name, figure) for name, figure in figures.items()}
        recorded = {name: min(figure, recorded.get(name, figure)) for name, figure in lower.items()}
        RECORD.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    assert recorded.keys() == figures.keys()
    risen = [
        f"{name}: {figure:,}, was {recorded[name]:,}" for name, figure in figures.items() if figure > recorded[name]
    ]
    assert risen == []


def test_size_leaves_out_comments_and_docstrings(tmp_path: Path) -> None:
    # Ten tokens of the function's head and four of its body.
    assert size(plant(tmp_path, SMALL), "runtime/graph") == (14, 2)


def test_edges_lead_from_room_to_room(tmp_path: Path) -> None:
    code = [*modules(plant(tmp_path, SMALL), "runtime")]
    assert edges(code) == {("runtime/play", "runtime/graph")}


def test_names_of_one_file_and_lists_of_nodes_are_told(tmp_path: Path) -> None:
    small = plant(tmp_path, SMALL)
    assert names_used_once(small) == {"moved"}
    code = [*modules(small, "runtime")]
    assert files_naming(code, {"Move", "Mark", "Flip"}, 2) == ["runtime/play/steps.py"]
    assert files_naming(code, {"Move", "Mark", "Flip"}, 3) == []
