"""Requirements of a game on its cards.

Each shipped card loses each of its facts in turn; a finding must report it, unless the fact has a usual value.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.analysis.findings.rests_on_nothing import empty_facts, rests_on_nothing
from compiler.compile import compile_stack
from compiler.report.diagnose import sentence_of
from compiler.typed.from_layered import TypedStack
from compiler.typed.situations.required_facts import missing_facts, unfounded_conditions
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.app import run
from runtime.graph import nodes as graph
from tests.analysis.planted import library_of
from tests.sample import first_of_each, sampled

LIBRARY = open_packages([]).library
CARDS = {name: card for name in sorted(LIBRARY.scenarios) if (card := LIBRARY.scenarios.get(name))}

# Facts that a card may omit: their first value has a usual meaning.
USUAL = {
    "names_vehicles", "open_set_up", "allied_riders", "last_landing", "invasion_engineers", "column_rate",  # of rules
    "own_design",  # of a situation of the players' own design
    "attackers", "objectives",  # goals of greedy players; without attackers nobody refuses to attack
    "mud_turns", "snow_turns", "winter", "frozen", "trains", "replacements",  # fair weather, and one of each
}  # fmt: skip


def without(compiled: TypedStack, fact: str) -> Iterator[str]:
    """Yield the facts that are reported missing on a card that omits a fact."""
    node, card = compiled.layered.scenario, compiled.scenario
    assert node is not None
    assert card is not None
    less = replace(node, facts=tuple(each for each in node.facts if each[0].text != fact))
    without_fact = replace(card, facts=tuple(each for each in card.facts if each[0] != f"scenario.{fact}"))
    env, rules = compiled.env, compiled.rules
    yield from (each.fact for each in missing_facts(env, less, without_fact, rules, mapped=True))
    yield from (each.fact for each in unfounded_conditions(env, less, compiled.tracks, rules, compiled.procedures))


@sampled(5)
@pytest.mark.parametrize("name", first_of_each(CARDS, lambda name: CARDS[name].uses.text))
def test_an_omitted_fact_is_reported_or_has_a_usual_value(name: str) -> None:
    card = CARDS[name]
    compiled = compile_stack(LIBRARY, card.uses.text, card)
    assert compiled.typed is not None
    assert compiled.graph is not None
    assert not list(empty_facts(compiled.graph))
    for word, _ in card.facts:
        track = compiled.typed.tracks[f"scenario.{word.text}"]
        if word.text not in without(compiled.typed, word.text):
            assert word.text in USUAL, f"{card.name.text} without `{word.text}`: nobody is told"
            assert track.initial is not None, f"`{word.text}` has no first value"


RULES = """
measure levels "levels"
side north, south
enum ground: dry, wet
kind cart
scale prize in levels: 'none' = 0, 'half' = 1
max reached(owner: side): prize otherwise 'none'
outcome reached from reached
track scenario.number: 0..9 = 0
track scenario.pond: set of hex = {}
track scenario.eager: set of side REQUIRED
track side.left: 0..9 = 0
condition battle() default yes
rule nobody-came "Nobody came."  battle fails  when none(s in scenario.eager where s.left > 0)
rule in-the-pond "In the pond."  reached offers 'half'
  when battle() and count(h in scenario.pond) > 0 and owner.left > 1
action go by player in moving "Go." {
  choose c from all cart
  set c.side.left to 3
}
sequence game { each turn in 1..scenario.turns { each player in {north, south} {
  phase moving "Moving" { offer go until yes } } } }
"""
BOARD = """
board: field
title: The Field
numbering: {style: letter_number, columns: 4, rows: 3}
---
scenario: heights
title: Heights
uses: planted
map: [[field]]
turns: 6
order: [north, south]
facts: {FACTS}
forces:
  - {side: north, units: {dray: 2}, sets_up: {columns: 1..1}}
  - {side: south, units: {dray: 3}, sets_up: {columns: 4..4}}
victory:
  north: {half: "WHEN"}
---
pieces: cart
cites: house
columns: [id]
rows: [[dray]]
"""


def card_findings(
    folder: Path, facts: str, *, required: str = "", when: str = "north.left > 1", more: str = ""
) -> list[str]:
    """Return the messages on a small card with these facts, under these rules."""
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = RULES.replace("REQUIRED", required) + more
    board = BOARD.replace("FACTS", facts).replace("WHEN", when)
    library = library_of({"layer.yaml": layer, "rules.rules": rules, "board.yaml": board}, folder)
    compiled = compile_stack(library, "planted", library.scenarios.get("heights"))
    base = compile_stack(library, "planted").graph
    found = [*compiled.problems, *(empty_facts(compiled.graph) if compiled.graph else ())]
    return [sentence_of(each).message for each in (*found, *(rests_on_nothing(base) if base else ()))]


PLAIN = "number: 3, pond: [A1]"

EAGER = 'required "who is to come"'


@pytest.mark.parametrize("outcome", ["outcome reached", ""])
def test_victory_conditions_without_an_outcome_that_collects_them_are_reported(tmp_path: Path, outcome: str) -> None:
    library = library_of(
        {
            "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
            "rules.rules": RULES.replace("REQUIRED", "").replace("outcome reached from reached", outcome),
            "board.yaml": BOARD.replace("FACTS", PLAIN).replace("WHEN", "north.left > 1"),
        },
        tmp_path,
    )
    found = [
        sentence_of(each).message
        for each in compile_stack(library, "planted", library.scenarios.get("heights")).problems
    ]
    assert found == ["victory conditions have no effect here, as no `outcome` of `planted` uses levels"]


def test_a_card_without_a_required_fact_is_reported(tmp_path: Path) -> None:
    assert card_findings(tmp_path, f"{PLAIN}, eager: [north]", required=EAGER) == []
    missing = "the situation `heights` lacks the required fact `eager`: who is to come"
    assert card_findings(tmp_path, PLAIN, required=EAGER) == [missing]
    empty = card_findings(tmp_path, f"{PLAIN}, eager: []", required=EAGER)
    assert empty == ["the situation `heights` has nothing in the required fact `eager`: who is to come"]


@pytest.mark.parametrize(
    ("condition", "is_question"),
    [
        ("when scenario.number in {1, 3}", True),
        ("when scenario.number = 2", False),
        ("when scenario.number >= 3 and not (scenario.number = 4)", True),
        ("when scenario.pond != {}", True),
        ("when scenario.turns > 6", False),
        ("when north in scenario.order", True),
        ("when scenario has eager or scenario.number = 9", False),
        ("for left", True),
        ("for pond", False),
        ("when scenario.number = 2 for left", False),
    ],
)
def test_a_conditional_requirement_applies_to_some_cards(tmp_path: Path, condition: str, *, is_question: bool) -> None:
    found = card_findings(tmp_path, PLAIN, required=f"{EAGER} {condition}")
    assert any("required fact `eager`" in each for each in found) is is_question, found


def test_a_layer_requires_a_fact_of_another(tmp_path: Path) -> None:
    more = '\nrequires scenario.pond "where it is wet" when scenario.number = 3\n'
    found = card_findings(tmp_path, "number: 3, eager: [north]", required=EAGER, more=more)
    assert found == ["the situation `heights` lacks the required fact `pond`: where it is wet"]


def test_a_fact_in_a_victory_condition_of_the_card_is_required(tmp_path: Path) -> None:
    found = card_findings(tmp_path, "eager: [north]", required=EAGER, when="count(h in scenario.pond) > 0")
    assert [each.partition(":")[0] for each in found] == ["the situation `heights` lacks the required fact `pond`"]


def test_a_winner_that_depends_on_an_absent_fact_is_reported(tmp_path: Path) -> None:
    assert card_findings(tmp_path, PLAIN) == [
        "the winner depends on `eager`, which is empty in the situation `heights`",
        "the winner depends on `eager`, which a situation may leave out",
    ]
    assert card_findings(tmp_path, f"{PLAIN}, eager: [north]", required="= {}") == []
    assert card_findings(tmp_path, PLAIN, required="= {}") == [
        "the winner depends on `eager`, which is empty in the situation `heights`"
    ]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('requires side.left "x"', "only facts of the scenario can be required"),
        ('requires scenario.ponds "x"', "the scenario has no track `ponds`"),
        ('requires scenario.pond "x" for rigt', "there is no question or track `rigt`"),
        (
            'requires scenario.pond "x" when battle()',
            "the condition of a required fact may use only facts of the situation",
        ),
    ],
)
def test_invalid_requirements_are_reported(tmp_path: Path, more: str, message: str) -> None:
    assert message in card_findings(tmp_path, f"{PLAIN}, eager: [north]", required=EAGER, more=f"\n{more}\n")


def test_a_position_must_have_the_facts_required_for_its_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "p.yaml"
    text = "position: p\nstack: panzerblitz\nboard: {rows: [[A]]}\npieces: [{name: T, type: t34, at: A}]\n"
    place.write_text(text, encoding="utf-8")
    assert run(["ask", "panzerblitz", "-p", str(place), "controls(russian, A)"]) == 0
    capsys.readouterr()
    assert run(["ask", "panzerblitz", "-p", str(place), "overall(russian)"]) == 1
    assert "the position `p` lacks the required fact `aggressors`" in capsys.readouterr().out
    place.write_text(f"{text}game: {{aggressors: [russian]}}\n", encoding="utf-8")
    assert run(["ask", "panzerblitz", "-p", str(place), "overall(russian)"]) == 0


def test_the_graph_contains_the_requirements() -> None:
    graphs = compile_stack(LIBRARY, "panzerblitz").graph
    assert graphs is not None
    demand = graphs.vocabulary.tracks["scenario.aggressors"].required[0]
    assert isinstance(demand, graph.Requirement)
    assert demand.why.startswith("who has to attack")


@pytest.mark.parametrize(
    ("condition", "is_reported"),
    [
        ("some(c in all cart where c is swift)", False),
        ("(some(c in all cart where c is swift) or some(c in all cart where c is swift and c.side = south))", False),
        ("some(c in all cart where c.side = south)", True),
        ("(some(c in all cart where c is swift) or some(c in all cart where c.side = south))", True),
    ],
)
def test_a_rule_about_a_trait_of_no_counter_reads_no_fact(tmp_path: Path, condition: str, *, is_reported: bool) -> None:
    more = (
        "\ntrait cart: swift\ntrack scenario.meadow: set of hex = {}\n"
        f'rule hay "Hay."  battle fails  when {condition} and count(h in scenario.meadow) = 0\n'
    )
    found = card_findings(tmp_path, f"{PLAIN}, eager: [north]", required=EAGER, more=more)
    assert any("depends on `meadow`" in each for each in found) is is_reported, found
