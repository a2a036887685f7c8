"""Every feature that a shipped board prints is spoken of by the game that plays on it.

A board may be made for one game and be used by another, and the core has a word for the ground of all games. A feature
counts as spoken of where a rule names it that cites a document of the game, or where a gap of a layer names it; so a
reader is not told a rule of the core with a citation that says nothing of it.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from tests.sample import sampled

CORE = "core"
BOXES = {"PBB": "PB", "PLS": "PL"}  # A summary of rules, and the box of the game that it restates.
CARDS = ("bridge_at_millbrook", "landing_at_mill_cove", "two_valleys", "easthay", "ridge_farm", "koivula", "vaudrey")


@pytest.fixture(scope="module")
def package_set() -> PackageSet:
    return open_packages()


def words(node: object) -> Iterator[str]:
    """Yield all names in a node of the graph."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from words([*node.keys(), *node.values()])
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from words(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from words(getattr(node, field.name))


def documents(cites: tuple[str, ...]) -> set[str]:
    """Return the prefixes of the documents that are cited."""
    return {cite.partition(".")[0] for cite in cites if cite != "house"}


def spoken_of(rules: graph.Graph) -> set[str]:
    """Return the names in rules of the game's own layers, and in those of the core that cite a document of the game."""
    rules_of_the_game = [rule for rule in rules.rules.values() if rule.origin.layer != CORE]
    of_the_game = set().union(*(documents(rule.cites) for rule in rules_of_the_game))
    of_the_game |= {BOXES[document] for document in of_the_game & BOXES.keys()}
    named: set[str] = set()
    for rule in rules.rules.values():
        if rule.origin.layer != CORE or documents(rule.cites) & of_the_game:
            named |= {*words((rule.value, rule.names, rule.guard))}
    return named


@sampled(0)
@pytest.mark.parametrize("name", CARDS)
def test_the_game_has_a_word_for_all_that_its_board_prints(package_set: PackageSet, name: str) -> None:
    card = package_set.library.scenarios[name]
    rules = package_set.compiled(card.uses.text, card).graph
    assert rules is not None
    assert rules.scenario is not None
    board = rules.scenario.board
    printed = {feature for _, _, features in board.hexes.values() for feature in features}
    layers = package_set.library.layers
    gaps = " ".join(gap for layer in rules.layers for gap in layers[layer.name].gaps)
    unsaid = {feature for feature in printed - spoken_of(rules) if feature not in gaps}
    assert not unsaid, f"the rules of {rules.stack} say nothing of what {name} prints"
