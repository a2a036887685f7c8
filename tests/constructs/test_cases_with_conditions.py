"""A case with a condition: its rules apply only where the condition holds."""

from pathlib import Path

from compiler.compile import compile_stack
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.state.setup import from_position
from runtime.witness.candidate import MOST_HEXES, empty_candidate, with_fact
from tests.analysis.planted import compiled, library_of

GAME = """
side north, south
track scenario.number: 0..20 = 0
feature hex: bog
verdict may_go(to: hex) default allowed
verdict may_rest(to: hex) default allowed
rule no-rest [house] "Nobody rests." may_rest forbidden
case ten "Situation 10" when scenario.number = 10 {
  rule nowhere [house] "Nobody goes." may_go forbidden
  case bogs "Bogs" { rule but-bogs [house] "But into bogs one does." exception to nowhere when to is bog }
  dispute resting [house] "Does one rest?" {
    reading yes-one-does [house] default "Kindness." { rule rest [house] "One rests." exception to no-rest }
    reading never [house] { }
  }
  ruling nowhere-it-is [house] clarification, none asks "Nowhere?" answers "Nowhere." clarifies nowhere
}
"""
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


def allowed(rules: graph.Graph, term: str, number: int) -> bool:
    """Ask a term about an empty hex, with a number of the scenario."""
    empty = empty_candidate("planted", "north", "", ["A"], width=MOST_HEXES)
    candidate = with_fact(empty, "scenario.number", graph.Num(number, ""))  # type: ignore[arg-type]  # an int is a rational
    state = from_position(rules, candidate.position)
    return bool(Interpreter(rules).ask(state, term, (0,)).value)


def test_rules_of_a_case_apply_only_where_its_condition_holds(tmp_path: Path) -> None:
    rules = compiled({"layer.yaml": LAYER, "game.rules": GAME}, tmp_path)
    assert [allowed(rules, "may_go", number) for number in (9, 10)] == [True, False]
    assert [allowed(rules, "may_rest", number) for number in (9, 10)] == [False, True]
    assert rules.rules["nowhere"].guard == rules.rules["rest"].guard
    assert rules.rules["nowhere-it-is"].guard is None


def test_a_rule_in_a_case_has_both_conditions(tmp_path: Path) -> None:
    rules = compiled({"layer.yaml": LAYER, "game.rules": GAME}, tmp_path)
    match rules.rules["but-bogs"].guard:
        case graph.Op("and", (first, graph.Is())):
            assert first == rules.rules["nowhere"].guard
        case other:
            raise AssertionError(other)


def test_an_error_in_the_condition_of_a_case_is_reported_once(tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "game.rules": GAME.replace("when scenario.number", "when scenario.numbre")}
    problems = compile_stack(library_of(files, tmp_path), "planted").problems
    assert len({(type(each), each.span) for each in problems if hasattr(each, "span")}) == 1
