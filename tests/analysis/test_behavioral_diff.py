"""The answers of two stacks are compared, and each difference is attributed to the changes that cause it."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import DifferingTerms, TermDifference, behavioral_diff
from runtime.witness.candidate import MOST_HEXES
from runtime.witness.dependencies import collect_label_changes
from runtime.witness.paired_evaluation import PairedEvaluation
from runtime.witness.structural_difference import structural_difference
from tests.analysis.planted import compiled
from tests.sample import LONG, sampled

BASE = """
measure MP "point"
side north, south
enum build: light, heavy
kind cart has speed: 0..12 MP, build: build
trait cart: wheeled, tall
feature hex: bog, thicket, knoll
status cart: dizzy
track scenario.frost: yes_no = no
value price(mover: cart, to: hex): 0..12 MP
verdict may_enter(mover: cart, to: hex) default allowed
rule open-ground "Open ground costs one."  price is 1 MP
rule bogs "Bogs cost three."  price is 3 MP  exception to open-ground  when to is bog
rule pay "One pays."  may_enter forbidden  when price(mover, to) > mover.speed
value strength(odds: build, die: 1..6): 0..99
rule table-strength "The table has it."  strength is strengths[odds, die]
"""

TABLE = """
table: strengths
cites: house
keys: {odds: build, die: 1..6}
cell: 0..99
columns: [1, 2, 3, 4, 5, 6]
grid:
  light: [1, 2, 3, 4, 5, 6]
  heavy: [2, 3, 4, 5, 6, 7]
"""


FROZEN = """
rule frozen "In frost bogs cost two."
  price is 2 MP
  exception to bogs, open-ground
  when to is bog and scenario.frost
"""


def layers(option: str, tables: str = "") -> dict[str, str]:
    """Return the files of a game and an option of it."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/strengths.yaml": TABLE,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": option,
    }
    return files | ({"game/option/tables.yaml": tables} if tables else {})


def compared(option: str, folder: Path, tables: str = "") -> DifferingTerms:
    """Compare the game without and with an option."""
    files = layers(option, tables)
    return behavioral_diff(compiled(files, folder, "game"), compiled(files, folder, "game+option"))


def test_an_exception_to_a_rule_that_asks_another_term_is_a_difference_of_its_own_term(tmp_path: Path) -> None:
    option = 'rule flat "Now always one."  toll is 1 MP  exception to own-toll  when hurry'
    base = """
value toll(mover: cart, hurry: yes_no): 0..12 MP
rule own-toll "As the chart says."  toll is chart_toll(mover)
value chart_toll(mover: cart): 0..12 MP
rule light-toll "The light pay one."  chart_toll is 1 MP
rule heavy-toll "The heavy pay their speed."  chart_toll is mover.speed  exception to light-toll
  when mover.build = heavy
"""
    files = layers(option)
    files["game/game.rules"] += base
    found = behavioral_diff(compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option"))
    assert [(term.term, [group.rules for group in term.groups]) for term in found.terms] == [("toll", [("flat",)])]


def differences_of(name: str, difference: DifferingTerms) -> TermDifference:
    """Return the reported differences of a term."""
    return next(term for term in difference.terms if term.term == name)


def test_a_caller_without_its_own_difference_is_listed(tmp_path: Path) -> None:
    """A term that asks a changed term is listed as its dependent if the search finds no difference of its own."""
    files = layers(FROZEN)
    files["game/game.rules"] += """
verdict is_dear(mover: cart, to: hex) default forbidden
rule dear "What costs more than six is dear."  is_dear allowed  when price(mover, to) > 6 MP
"""
    found = behavioral_diff(compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option"))
    (group,) = differences_of("price", found).groups
    assert (group.follows, group.dependents) == (("may_enter",), ("is_dear",))


def test_an_exception_and_the_terms_that_follow_from_it_are_one_group(tmp_path: Path) -> None:
    found = compared(FROZEN, tmp_path)
    (term,) = found.terms
    assert term.term == "price"
    assert 0 < term.differs <= term.positions
    (group,) = term.groups
    assert (group.rules, group.follows) == (("frozen",), ("may_enter",))
    assert (group.witness.a, group.witness.b) == ("3 points", "2 points")
    assert "In frost bogs cost two." in group.summary
    assert "frost: yes" in group.witness.file
    assert group.witness.file.count("bog") == 1


HAULING = """
sum haul(mover: cart, from: hex, to: hex): 0..12 MP
rule hauling "Hauling costs one."  haul adds 1 MP
rule mired "Out of thickets into bogs the tall pay two more."
  haul adds 2 MP
  when to is bog and from is thicket and mover is tall and scenario.frost
rule planked "Not where there is a knoll."  suppresses mired  when to is knoll
"""


def test_a_rule_that_only_suppresses_another_has_a_witness_where_the_other_applies(tmp_path: Path) -> None:
    files = layers('rule never-mired "No more."  suppresses mired')
    files["game/game.rules"] += HAULING
    found = behavioral_diff(compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option"))
    (group,) = differences_of("haul", found).groups
    assert (group.rules, group.witness.a, group.witness.b) == (("never-mired",), "3 points", "1 point")


def test_a_changed_cell_is_attributed_by_its_keys(tmp_path: Path) -> None:
    found = compared("", tmp_path, "patch: strengths\nset: [{odds: heavy, die: 3, expect: 4, now: 9, cites: house}]\n")
    (term,) = found.terms
    assert (term.term, term.differs, term.positions) == ("strength", 1, 12)
    (group,) = term.groups
    assert group.rules == ("strengths[heavy, 3]",)
    assert (group.witness.question, group.witness.a, group.witness.b) == ("strength(heavy, 3)", "4", "9")


def test_an_override_with_the_same_value_is_idle(tmp_path: Path) -> None:
    found = compared(FROZEN.replace("2 MP", "3 MP"), tmp_path)
    assert found.terms == ()
    assert [(each.label, each.status) for each in found.changes] == [("frozen", "unknown")]


def test_a_term_of_one_stack_only_is_listed(tmp_path: Path) -> None:
    found = compared("value charm(c: cart): 0..9 otherwise 0\n", tmp_path)
    assert found.terms == (TermDifference("charm", 0, 0, (), "b"),)


def test_a_stack_does_not_differ_from_itself(tmp_path: Path) -> None:
    game = compiled(layers(""), tmp_path, "game")
    assert behavioral_diff(game, game) == DifferingTerms(())


def test_a_comparison_of_one_term_reports_no_other(tmp_path: Path) -> None:
    files = layers('rule frozen "Frost."\n  price is 2 MP\n  exception to bogs, open-ground\n  when scenario.frost\n')
    a, b = compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option")
    assert [term.term for term in behavioral_diff(a, b, "may_enter").terms] == ["may_enter"]


@pytest.mark.parametrize("label", ["frozen", "smoky"])
def test_two_changes_are_in_separate_groups(tmp_path: Path, label: str) -> None:
    found = compared(
        """
        status hex: smoky
        rule frozen "Frost." price is 2 MP exception to bogs, open-ground when to is bog and scenario.frost
        rule smoky "Smoke." price is 5 MP exception to open-ground when to is smoky and to is not bog
        """,
        tmp_path,
    )
    groups = differences_of("price", found).groups
    assert [group.rules for group in groups if label in group.rules] == [(label,)]


def test_other_prose_and_citations_are_no_difference_of_answers(tmp_path: Path) -> None:
    game = compiled(layers(""), tmp_path, "game")
    moved = {label: replace(rule, prose="Other words.", cites=("house",)) for label, rule in game.rules.items()}
    structure = structural_difference(game, replace(game, rules=moved))
    assert collect_label_changes(structure).all_labels() == frozenset()
    found = behavioral_diff(game, replace(game, rules=moved))
    assert {each.status for each in found.changes} == {"same"}
    assert replace(found, changes=()) == DifferingTerms(())


def test_a_comparison_drops_words_that_one_stack_does_not_declare(tmp_path: Path) -> None:
    files = layers("status hex: smoky\n")
    a, b = compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option")
    from runtime.witness import candidate as changes  # noqa: PLC0415 -- for this test only

    empty = changes.empty_candidate("game", "north", "", ["A", "B"], width=MOST_HEXES)
    smoky = changes.with_hex_mark(empty, "A", "smoky", present=True)
    candidate = changes.Candidate(smoky.position, (graph.Member("build", "light"), graph.Num(2, "")))  # type: ignore[arg-type]  # an int is a rational
    label_changes = collect_label_changes(structural_difference(a, b))
    found = PairedEvaluation(a, b, label_changes, causes=None).answers_of_pair("strength", candidate)
    assert found is not None
    assert not found.are_different
    assert Interpreter(a).graph is a


@sampled(0)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("panzer_grenadier", "panzer_grenadier+pg_mire+pg_smoke"),
        pytest.param("panzerblitz", "panssari_salama", marks=LONG),
        pytest.param("panzer_leader", "pl1940", marks=LONG),
    ],
)
def test_a_term_that_differs_because_of_a_change_is_not_listed_as_its_dependent(one: str, other: str) -> None:
    packages = open_packages()
    graphs = [packages.compiled(each).graph for each in (one, other)]
    assert graphs[0] is not None
    assert graphs[1] is not None
    found = behavioral_diff(graphs[0], graphs[1])
    because = {term.term: {label for group in term.groups for label in group.rules} for term in found.terms}
    assert any(group.follows or group.dependents for term in found.terms for group in term.groups)
    for group in (group for term in found.terms for group in term.groups):
        assert not [name for name in group.dependents if set(group.rules) & because.get(name, set())]
