"""Typical errors of first designs of operational and area games: fractions of odds, spaces, and facts of cards."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from runtime.examples.run import run_row
from runtime.graph.wording import Wording
from tests.analysis.planted import compiled, library_of
from tests.proved import prove

MANIFEST = "layer: planted\ntitle: Planted\nkind: base\nplayable: yes\ncites: house\n"
WORDS = """
side north, south
measure pips
feature space: port
feature connection: strait
kind ship has power: 0..9
domain die = 1..6 pips
scale odds: '1-2' = 1/2, '1-1' = 1, '3-2' = 3/2, '2-1' = 2
track side.stores: 0..9 = 0
"""
CHART = """table: crt
cites: house
keys: {die: die, odds: odds}
cell: 0..9
columns: ['1-2', '1-1', '3-2', '2-1']
grid: {1: [0, 1, 2, 3], 2: [0, 1, 2, 3], 3: [0, 1, 2, 3], 4: [0, 1, 2, 3], 5: [0, 1, 2, 3], 6: [0, 1, 2, 3]}
---
pieces: ship
cites: house
columns: [id, side, power]
rows: [[galley, north, 4], [cog, south, 3]]
"""


def rule_findings(folder: Path, rules: str, **more: str) -> list[tuple[str, str, str]]:
    """List code, message and help of each finding."""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART, **more}
    found = compile_stack(library_of(files, folder), "planted").problems
    texts = {f"{folder.name}/{name}": text for name, text in files.items()}
    return [(each.code, each.message, each.help) for each in diagnose(found, texts)]


@pytest.mark.parametrize(
    ("key", "is_inside"),
    [
        ("odds(r)", False),
        ("clamp(odds(r), '1-2', '2-1')", True),
        ("round_down(odds(r))", False),
        ("clamp(round_down(odds(r)), '1-2', '2-1')", True),
        ("max(p for p in all odds where p <= odds(r) otherwise '1-2')", True),
        ("max(p for p in all odds where p <= odds(r) otherwise odds(r))", False),
        ("least(p in all odds where p >= odds(r) by p otherwise '2-1')", True),
        ("greatest(p in {'1-1', '2-1'} by number(p))", True),
        ("if r > 1 then '2-1' else '1-1'", True),
        ("if r > 1 then odds(r) else '1-1'", False),
    ],
)
def test_keys_that_are_always_places_of_a_scale_are_accepted(key: str, is_inside: bool, tmp_path: Path) -> None:
    rules = f"define hits(r: 0..9): 0..9 [house] = crt[2 pips, {key}]\n"
    named = (
        f'resolution fire(r: 0..9) [house] "Fire." {{ let column = {key} set north.stores to crt[2 pips, column] }}\n'
    )
    for number, text in enumerate((rules, named)):
        found = [code for code, *_ in rule_findings(tmp_path / str(number), text)]
        assert found == ([] if is_inside else ["R0407"])


@pytest.mark.parametrize(
    ("ratio", "down", "up"),
    [("1/2", "'1-2'", "'1-2'"), ("4/3", "'1-1'", "'3-2'"), ("7/4", "'3-2'", "'2-1'"), ("2", "'2-1'", "'2-1'")],
)
def test_odds_are_rounded_to_a_named_place(ratio: str, down: str, up: str, tmp_path: Path) -> None:
    example = f'example "rounded" {{ row A ask below({ratio}) = {down} ask above({ratio}) = {up} }}\n'
    rules = "define below(r: 0..9): odds [house] = round_down(odds(r))\n"
    rules += "define above(r: 0..9): odds [house] = round_up(odds(r))\n" + example
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = compiled(files, tmp_path, "planted")
    assert run_row(found, found.examples[0], 0).has_passed
    rounded = found.rules["below"].value
    assert rounded is not None
    assert "rounded down" in Wording(found).phrase(rounded)


def test_columns_of_an_example_set_features_of_spaces(tmp_path: Path) -> None:
    rules = """define ports(): 0..9 [house] = count(s in all space where s is port)
example "ports" for (ground, here, found) in ({port}, A, 1), ({}, B, 0) {
  spaces A ground, B
  connections A-B
  piece G: galley at here
  ask ports() = found
}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = compiled(files, tmp_path, "planted")
    assert [run_row(found, each, 0).has_passed for each in found.examples] == [True, True]


def test_an_answer_after_a_conjunction_needs_parentheses(tmp_path: Path) -> None:
    rules = 'example "both" { row A piece G: galley at A ask G is ship and G.side = north }\n'
    (found,) = rule_findings(tmp_path, rules)
    assert "not only its last part" in found[1]
    assert found[2] == "put the question in parentheses, `ask (A and B = C)`"


CARD = """scenario: raid
title: Raid
uses: planted
map: [[coast]]
turns: 3
order: [north, south]
facts: {goals: {region: Bay}}
forces: [{side: north, placed: [{unit: galley, at: "0102"}]}]
"""
BOARD = "board: coast\nnumbering: {style: ccrr, columns: 3, rows: 3, shift: right}\nregions: {Bay: ['0101']}\n"
FACTS = """track scenario.order: list of side = {} required "who moves first"
track scenario.turns: 1..9 = 3 required "how long it lasts"
track scenario.goals: set of hex required "what is fought for"
define first(): yes_no [house] = north in scenario.order and scenario.turns > 2 and count(scenario.goals) > 0
"""


def on_card(folder: Path, board: str, card: str = CARD) -> list[str]:
    """List the codes of the findings on a card."""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS + FACTS, "chart.yaml": CHART, "card.yaml": card}
    library = library_of({**files, "board.yaml": board}, folder)
    raid = library.scenarios.get("raid")
    assert raid is not None
    return [each.code.number for each in compile_stack(library, "planted", raid).problems]


def test_order_and_turns_of_a_card_are_required_facts(tmp_path: Path) -> None:
    assert on_card(tmp_path / "a", BOARD) == []
    assert on_card(tmp_path / "b", BOARD, CARD.replace("facts: {goals: {region: Bay}}\n", "")) == ["R0414"]
    far = CARD.replace("{region: Bay}", "{region: Bay, columns: 3..3}")
    assert on_card(tmp_path / "c", BOARD, far)[-1] == "R0414"


def test_a_board_with_errors_causes_no_finding_on_facts(tmp_path: Path) -> None:
    assert "R0414" not in on_card(tmp_path, BOARD.replace("['0101']", "{columns: 1..2}"))


@pytest.mark.parametrize(
    ("filled", "codes"),
    [("set north.stores to 3", []), ("set north.stores to 3 / 2", ["R0521"])],
)
def test_a_track_that_is_set_to_integers_only_is_whole(filled: str, codes: list[str], tmp_path: Path) -> None:
    rules = f"""
resolution fill() [house] "Fill." {{ {filled} }}
resolution use(of: side) [house] "Use one." {{ if of.stores > 0 {{ set of.stores to of.stores - 1 }} }}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = prove(compiled(files, tmp_path, "planted")).problems
    assert [each.code.number for each in found if each.code.number == "R0521"] == codes


def test_spaces_and_connections_have_features_and_spaces_a_status(tmp_path: Path) -> None:
    assert (
        rule_findings(tmp_path, "feature space: fen\nfeature connection: ford\nstatus space: burnt until end of turn\n")
        == []
    )
