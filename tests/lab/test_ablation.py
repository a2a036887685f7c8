"""Ablation: a stack without a rule has the replaced rule, the printed cell and the earlier price again."""

from pathlib import Path

import pytest

from rulewright.games.scenarios import load_scenario
from rulewright.lab.experiment_setup import load_stacks
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from tests.toys.plain_game import plain_game

MINE = {
    "layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
    "sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1]}\n",
    "cells.yaml": "patch: price\ncites: V.1\nset:\n  - {ground: meadow, gait: foot, expect: 1, now: 2}\n",
    "mine.rules": """
rule dear-marsh [V.1] "Marshes are dearer."
  replaces cell price[marsh, foot] = 3 MP by 5 MP

rule fresh-legs [V.1] "Nobody is ever tired."
  exception to tired-legs

case strolling "Strolling" {
  rule new-price [V.1] "Ground has one price."
    entry_cost is 1 MP
    replaces price-of-ground
}

ruling strollers [V.1] clarification, none
  asks    "Do strollers get tired?"
  answers "No."
  clarifies fresh-legs

example "strollers" {
  row A, B
  piece R: runner of north at A
  ask entry_cost(R, A, B) = 1 MP because new-price
}
""",
}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Write the toy, and a variant with each kind of change."""
    plain_game("toy", tmp_path)
    (tmp_path / "mine").mkdir()
    for name, text in MINE.items():
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path


def compiled(packages: Path, stack: str, left_out: str = "") -> graph.Graph:
    loaded = load_scenario("first_toy", stack, [packages], (left_out,) if left_out else ())
    assert loaded.graph is not None, [each.message for each in loaded.diagnostics]
    return loaded.graph


def prices(rules: graph.Graph) -> dict[str, graph.Expr | None]:
    return {str(row.keys): row.value for row in rules.tables["price"].rows}


def changed(one: graph.Graph, other: graph.Graph) -> int:
    return sum(here != there for here, there in zip(prices(one).values(), prices(other).values(), strict=True))


def test_a_patch_by_a_rule_is_reverted(packages: Path) -> None:
    base, package = compiled(packages, "toy"), compiled(packages, "mine")
    assert changed(base, package) == 2
    assert changed(base, compiled(packages, "mine", "dear-marsh")) == 1


@pytest.mark.parametrize("cell", ["price[meadow, foot]", "price[meadow,foot]"])
def test_a_patched_cell_is_reverted(cell: str, packages: Path) -> None:
    assert changed(compiled(packages, "toy"), compiled(packages, "mine", cell)) == 1


def test_all_patches_of_a_table_are_reverted(packages: Path) -> None:
    assert changed(compiled(packages, "toy"), compiled(packages, "mine", "price")) == 0


@pytest.mark.parametrize("label", ["new-price", "strolling"])
def test_a_replaced_rule_is_restored(label: str, packages: Path) -> None:
    assert "price-of-ground" not in compiled(packages, "mine").rules
    without = compiled(packages, "mine", label)
    assert "price-of-ground" in without.rules
    assert "new-price" not in without.rules


def test_an_exception_is_removed_with_its_rule(packages: Path) -> None:
    assert "tired-legs" in compiled(packages, "mine", "fresh-legs").rules
    without = compiled(packages, "mine", "tired-legs").rules
    assert "tired-legs" not in without
    assert "fresh-legs" not in without


def test_an_unknown_part_cannot_be_left_out(packages: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `dear-marsh`"):
        load_scenario("first_toy", "mine", [packages], ("dear-marhs",))


def test_each_ablation_is_compared_with_the_whole_stack(packages: Path) -> None:
    stacks = load_stacks("first_toy", ["toy", "mine"], ["dear-marsh", "new-price"], [packages])
    assert [(stack.name, stack.baselines) for stack in stacks] == [
        ("toy", ()),
        ("mine", (0,)),
        ("mine without dear-marsh", (1,)),
        ("mine without new-price", (1,)),
    ]
    assert len({stack.graph.hash for stack in stacks}) == 4
