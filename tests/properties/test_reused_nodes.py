"""Nodes of the graph that a stack reuses from an earlier compilation: all with the same meaning, and no others.

A small game is compiled with options that insert phases, add rules with exceptions and extend its words: in any order,
and with edits in between. Each result must equal that of an unused database.
"""

import random
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.source.package import discover_layers
from rulewright.library.shipped_folders import rules_folder
from runtime.graph import nodes as graph
from runtime.graph.canonical import node_text
from tests.parsed import unused_database
from tests.sample import LONG, sampled

GAME = "low_tide"
LAYERS = {
    "gulls": """\
status walker: wary until end of own_turn

action chase by player [LT.10] "Chase a gull away." reads "{w} chases a gull" {
  choose w from {w in all walker where w.side = player}
  mark w as wary
}

offer chase beside gather

rule gulls-first [LT.4] "Who chases gulls goes nowhere." may_step forbidden when w is wary
""",
    "calls": """\
action call by player [LT.10] "Call out." reads "{w} calls" {
  choose w from {w in all walker where w.side = player and w is wary}
  unmark w as wary
}

offer call beside chase
""",
    "ebb": """\
insert phase ebb "The sea goes" { if turn = 2 { set game.water to max(0, game.water - 1) } } after tide

rule slack [LT.12] "Twice in a row it does not rise." rise is 0 exception to tide-rises when d = 4
""",
    "stakes": """\
feature hex: staked

rule along-the-stakes [LT.2] "Stakes show where mud is firm."
  exception to mud-clings, mud-and-a-basket when to is staked

rule keep-off [LT.4] "Nobody steps on a stake with a basket." may_step forbidden when to is staked and w is laden
""",
    "reeds": """\
define hidden(w: walker) [house] = w.hex is mud and not under_water(w.hex)
  reads "{w} is hidden"

rule reeds-hold [LT.3] "Reeds hold a basket back." cost is 4 steps exception to mud-and-a-basket when hidden(w)
""",
}
ON = {"calls": "gulls"}
# Edits of declarations that other files use, and of rules that others refer to.
EDITS = (
    ("play.rules", "each player in scenario.order", "each player in {north, south}"),
    ("play.rules", '  phase tide "Tide" { do tide() }\n  }', '}\n  phase tide "Tide" { do tide() }'),
    ("play.rules", "phase foraging", "phase gathering"),
    ("play.rules", "offer walk, gather, land", "offer walk, land, gather"),
    ("play.rules", "if d >= 4", "if d >= 5"),
    ("play.rules", "rise is (if", "rise is 1 - (if"),
    ("flats.rules", "rule mud-clings", "rule mud-holds"),
    ("flats.rules", "    cost is 2 steps\n    exception to firm-sand\n", "    may_step forbidden\n"),
    ("flats.rules", "  exception to mud-clings, firm-sand\n", "  exception to firm-sand\n"),
    ("flats.rules", "  else 4\n", "  else 5\n"),
    ("words.rules", "track game.water: 0..8 = 0", "track game.water: 0..9 = 1"),
    ("words.rules", "laden marker", "loaded marker"),
    ("words.rules", "condition under_water(h: hex) default no", "condition under_water(h: hex) default yes"),
    ("words.rules", "value cost(w: walker, to: hex): 1..6 steps", "value cost(w: walker, to: hex): 1..6 baskets"),
    ("words.rules", "verdict may_step(w: walker, to: hex)", "verdict may_step(w: walker, to: hex, again: hex)"),
)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Copy the game, and write the options beside it."""
    shutil.copytree(rules_folder() / "games" / GAME, tmp_path / "rules" / GAME)
    for name, text in LAYERS.items():
        (tmp_path / "rules" / name).mkdir()
        manifest = f"layer: {name}\ntitle: {name.title()}\nkind: optional\non: [{ON.get(name, GAME)}]\n"
        (tmp_path / "rules" / name / "layer.yaml").write_text(manifest, encoding="utf-8")
        (tmp_path / "rules" / name / "said.rules").write_text(text, encoding="utf-8")
    return tmp_path / "rules"


def stacks() -> list[str]:
    """List the stacks of the game with every subset of its options."""
    names = sorted(LAYERS)
    return ["+".join((GAME, *some)) for size in range(len(names) + 1) for some in combinations(names, size)]


def outcome(folder: Path, stack: str, database: Database) -> tuple[str, str, str]:
    """Compile a stack; return its graph as text, the order of counters and kinds, and its problems."""
    library, found = discover_layers([folder], database)
    compiled_stack = compile_stack(library, stack)
    if compiled_stack.graph is None:
        return "", "", repr((*found, *compiled_stack.problems))
    order = (list(compiled_stack.graph.counters), list(compiled_stack.graph.vocabulary.kinds))
    return node_text(compiled_stack.graph), repr(order), repr((*found, *compiled_stack.problems))


@sampled(0)
def test_options_in_any_order(rules: Path) -> None:
    expected = {stack: outcome(rules, stack, unused_database()) for stack in stacks()}
    assert all(whole for whole, *_ in expected.values()), [each for each in expected.values() if not each[0]][:1]
    for seed in range(3):
        database, names = unused_database(), stacks() * 2
        random.Random(seed).shuffle(names)
        for stack in names:
            assert outcome(rules, stack, database) == expected[stack], (seed, stack)


ALL = "+".join(sorted(LAYERS))


@sampled(0)
@pytest.mark.parametrize(
    "stack",
    [GAME, f"{GAME}+ebb+stakes", *(pytest.param(f"{GAME}+{each}", marks=LONG) for each in ("calls", ALL))],
)
def test_edits_below_options(rules: Path, stack: str) -> None:
    database = unused_database()
    whole = outcome(rules, stack, database)
    for name, old, new in EDITS:
        file = rules / GAME / name
        before = file.read_text(encoding="utf-8")
        assert old in before, old
        file.write_text(before.replace(old, new, 1), encoding="utf-8")
        for each in (GAME, stack):
            assert outcome(rules, each, database) == outcome(rules, each, unused_database()), (each, new)
        file.write_text(before, encoding="utf-8")
        assert outcome(rules, stack, database) == whole


def test_unchanged_rules_terms_and_phases_are_the_same_objects(rules: Path) -> None:
    """All rules, all but two terms, and an unchanged phase are identical objects in both graphs."""
    database = unused_database()
    library, _ = discover_layers([rules], database)
    below, above = (compile_stack(library, stack).graph for stack in (GAME, f"{GAME}+calls+ebb"))
    assert below is not None
    assert above is not None
    others = {label for label, rule in below.rules.items() if above.rules[label] is not rule}
    assert others == set()
    assert {name for name, term in below.terms.items() if above.terms[name] is not term} == {"may_step", "rise"}
    assert phases(above)["tide"] is phases(below)["tide"]
    assert phases(above)["foraging"] is not phases(below)["foraging"]


def phases(rules: graph.Graph) -> dict[str, graph.Phase]:
    """Return the phases of the sequence at any depth."""
    todo: list[object] = [*rules.procedures["sequence"].body]
    found = {}
    while todo:
        step = todo.pop()
        if isinstance(step, graph.Phase):
            found[step.name] = step
        elif isinstance(step, graph.Each):
            todo += step.body
    return found
