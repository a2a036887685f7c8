"""A finding about a step has the place of the step in the source, also in a phase that another layer inserts."""

from pathlib import Path

from compiler.analysis.problems import DeadStep
from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.report.written_places import with_written_place
from tests.analysis.planted import library_of
from tests.proved import prove

RULES = """side north, south
kind cart
status cart: tired until end of turn
verdict may_go(c: cart) default allowed
rule tired-stay "The tired stay."  may_go forbidden  when c is tired
action go by player in moving "Go." {
  choose c from {c in all cart where may_go(c)}
  mark c as tired
}
sequence game { each turn in 1..3 { each player in {north, south} {
  phase moving "Moving" { offer go until yes }
} } }
"""
RESTING = """
insert phase resting "Resting" {
  for each c in all cart { if c is tired { unmark c as tired } }
  if 1 > 2 { for each c in all cart { unmark c as tired } }
  for each c in {c in all cart where c.side = north and c.side = south} { mark c as tired }
} after moving
"""


def test_a_step_of_an_inserted_phase(tmp_path: Path) -> None:
    files = {
        "planted/layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "planted/rules.rules": RULES,
        "rest/layer.yaml": "layer: rest\ntitle: Rest\nkind: variant\non: [planted]\ncites: house\n",
        "rest/rest.rules": RESTING,
    }
    library = library_of(files, tmp_path)
    rules = compile_stack(library, "planted+rest").graph
    assert rules is not None
    found = [each for each in diagnose(prove(rules).problems, library.texts) if each.code == "R0529"]
    places = [
        (Path(each.spans[0].span.file).name, each.spans[0].span.line, each.spans[0].span.column) for each in found
    ]
    assert places == [("rest.rules", 4, 6), ("rest.rules", 5, 3)]
    assert found[0].message.startswith("in `phase resting`, ")


def test_a_step_with_a_place_keeps_it_beside_a_phase_of_the_same_name(tmp_path: Path) -> None:
    other = RULES.replace("offer go until yes", "offer go until no")
    files = {
        "another/layer.yaml": "layer: another\ntitle: Another\nkind: base\ncites: house\n",
        "another/rules.rules": RULES,
        "planted/layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "planted/rules.rules": other,
    }
    library = library_of(files, tmp_path)
    rules = compile_stack(library, "planted").graph
    assert rules is not None
    [found] = [each for each in prove(rules).problems if isinstance(each, DeadStep)]
    placed = with_written_place(found, library.texts)
    assert placed.procedure.origin.line == other[: other.index("offer go")].count("\n") + 1
    assert with_written_place(placed, library.texts) == placed
