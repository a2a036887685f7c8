"""A finding about a step has the place of the step in the source, also in a phase that another layer inserts."""

from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.findings.dead_steps import DeadStep
from compiler.compile import compile_stack
from compiler.report import written_places
from compiler.report.diagnose import diagnose
from compiler.report.written_places import MOST_CHARACTERS, ParsedTexts, with_written_place
from compiler.source.parse import parse_rules
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
    placed = with_written_place(found, ParsedTexts(library.texts))
    assert placed.procedure.origin.line == other[: other.index("offer go")].count("\n") + 1
    assert with_written_place(placed, ParsedTexts(library.texts)) == placed


def test_a_file_is_parsed_once_for_all_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 40
    body = " or ".join(f"m.pace = {each}" for each in range(count))
    rules = f'rule idle "Idle." idle holds when {body}\n'
    parsed_files: list[str] = []

    def parse_counted(text: str, file: str) -> Any:
        parsed_files.append(file)
        return parse_rules(text, file)

    monkeypatch.setattr(written_places, "parse_rules", parse_counted)
    texts = ParsedTexts({"a.rules": rules})
    spans = [span for each in range(count) for span in texts.conditions("a.rules", 1, 6)[f"m.pace={each}"]]
    assert [span.column for span in spans] == [1 + rules.index(f"m.pace = {each} ".rstrip()) for each in range(count)]
    assert parsed_files == ["a.rules"]


def test_a_condition_is_looked_for_up_to_a_length() -> None:
    names = [f"longest_name_of_all_{each}" for each in range(MOST_CHARACTERS // 20)]
    rules = f'rule idle "Idle." idle holds when {" or ".join(names)}\n'
    conditions = ParsedTexts({"a.rules": rules}).conditions("a.rules", 1, 6)
    assert {*names} <= conditions.keys()
    assert all(0 < len(each) <= MOST_CHARACTERS for each in conditions)
