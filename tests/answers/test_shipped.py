"""Interpreter and generated code give equal answers in positions of shipped examples."""

import pytest

from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.state.setup import from_position
from tests.answers.differential import compare
from tests.sample import LONG, first_of_each, sampled

PACKAGES = open_packages()
STACKS = sorted(name for name, layer in PACKAGES.library.layers.items() if layer.kind.text in ("base", "variant"))


def positions(rules: graph.Graph, most: int) -> list[graph.Position]:
    """Return about `most` positions with pieces on a map.

    Examples with rows of cases are left out, because their names are not bound here.
    """
    positions = [e.position for e in rules.examples if not e.names and e.position.pieces and e.position.board.hexes]
    return positions[:: max(1, len(positions) // most)]


@sampled(1)
@pytest.mark.parametrize("most", [2, pytest.param(6, marks=LONG)])
@pytest.mark.parametrize("stack", first_of_each(STACKS, lambda stack: "panzer_leader" if stack == "pl1940" else stack))
def test_a_shipped_stack_has_equal_answers(stack: str, most: int) -> None:
    compiled = PACKAGES.compiled(stack)
    if compiled.graph is None:
        pytest.skip("it does not compile; tests/shipped says why")
    found = [
        compare(compiled.graph, from_position(compiled.graph, position), seed, rounds=2)[1]
        for seed, position in enumerate(positions(compiled.graph, most))
    ]
    assert [difference for differences in found for difference in differences] == []
