"""Citations of base rules, in stacks in which a variant removes the other rules that cite the same."""

from pathlib import Path

import pytest

from compiler.analysis.checks.cites_elsewhere import cites_elsewhere
from compiler.analysis.omissions import ItemElsewhere
from compiler.compile import compile_stack
from tests.analysis.planted import library_of

BASE = "layer: sea\ntitle: Sea\nkind: base\nplayable: yes\ncites: house\n"
SOURCES = "sources: [{prefix: W, title: The winter letter, sections: {SNOW: 4, SEA: 4}}]\n"
VARIANT = "layer: thaw\ntitle: Thaw\nkind: variant\non: [sea]\n"
RULES = """
side north, south
feature hex: marsh, wood
trait cart: tired, wheeled
kind cart has power: 0..9
track scenario.snow: yes_no = no

value salvage(of: side): 0..9 otherwise 0
  reads "what {of} gets for wrecks"
verdict may_enter(c: cart, to: hex) default allowed
  reads "{c} may enter {to}" denied "{c} may not enter {to}"

rule northern-wrecks [W.SEA.02] "Northern salvage is worth three."
  salvage is 3
  when of = north

rule southern-wrecks [W.SEA.02] "Southern salvage is worth two."
  salvage is 2
  when of = south

rule no-wheels-in-snow [W.SNOW.01] "Nobody on wheels enters a marsh in snow."
  may_enter forbidden
  when scenario.snow and to is marsh and c is wheeled

rule no-woods-in-snow [W.SNOW.01] "Nobody on wheels enters a wood in snow."
  may_enter forbidden
  when scenario.snow and to is wood and c is wheeled

rule no-feet-in-snow [W.SEA.02] "Nobody tired enters a wood in snow."
  may_enter forbidden
  when scenario.snow and to is wood and c is tired and c is not wheeled
"""
COMPANION = """
rule no-feet-in-marshes [W.SEA.02] "Nobody tired enters a marsh in snow."
  may_enter forbidden
  when scenario.snow and to is marsh and c is tired and c is not wheeled
"""


def accused(folder: Path, stack: str, rules: str, variant: str = "") -> list[str]:
    """Return the labels of the laws whose items are reported."""
    files = {"layer.yaml": BASE, "sources.yaml": SOURCES, "sea.rules": rules}
    files |= {"thaw/layer.yaml": VARIANT, "thaw/thaw.rules": variant}
    compiled = compile_stack(library_of(files, folder), stack).graph
    assert compiled is not None
    return [problem.law.label for problem in cites_elsewhere(compiled) if isinstance(problem, ItemElsewhere)]


def test_a_law_that_stands_alone_in_its_game_is_reported(tmp_path: Path) -> None:
    assert accused(tmp_path, "sea", RULES) == ["no-feet-in-snow"]


def test_a_law_of_a_game_is_reported_in_the_stack_of_the_game(tmp_path: Path) -> None:
    rules = RULES + "sequence sea [house] { each turn in 1..3 { } }\n"
    assert accused(tmp_path, "sea", rules) == ["no-feet-in-snow"]
    assert accused(tmp_path, "sea+thaw", rules) == []


@pytest.mark.parametrize(
    "relation", ["withdraws no-feet-in-marshes", "may_enter forbidden\n  replaces no-feet-in-marshes"]
)
def test_a_variant_that_withdraws_its_companion_accuses_nobody(relation: str, tmp_path: Path) -> None:
    variant = f'rule warm-marshes [house] "Marshes are warm."\n  {relation}\n'
    assert accused(tmp_path, "sea", RULES + COMPANION) == []
    assert accused(tmp_path, "sea+thaw", RULES + COMPANION, variant) == []
