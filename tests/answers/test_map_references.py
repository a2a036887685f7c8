"""The references of a condition to the map: hexes, pieces, hexsides, counted pieces and lines, case by case."""

from collections.abc import Callable
from typing import Any

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.answer.map_references import MapReferences, ReferenceAnalysis
from runtime.graph import nodes as graph
from runtime.state.position import State
from tests.toys.bogged import bog
from tests.toys.boggy import random_state
from tests.toys.build import HEX, PIECE, ask, fold, get, op, pieces

STATE = random_state(1)
CARTS = [cart for cart in range(len(STATE.sheets)) if STATE.hex[cart] >= 0 and STATE.sheets[cart].kind == "cart"]
ONE = next(cart for cart in CARTS if STATE.hex.count(STATE.hex[cart]) > 1)  # Another piece is in its hex.
TWO = next(cart for cart in CARTS if STATE.hex[cart] != STATE.hex[ONE])
HERE = STATE.hex[ONE]
THERE = next(place for place in STATE.board.neighbors[HERE] if place >= 0)
NAMES = {"u": ONE, "v": TWO, "a": HERE, "b": THERE}
TYPES: dict[str, graph.Type] = {"u": PIECE, "v": PIECE, "a": HEX, "b": HEX}
TRUE, FALSE = op("=", "a", "a"), op("=", "b", "a")
AT = get("w", "given", "hex", "piece")


def found(condition: graph.Expr, depth: int = 1, state: State = STATE) -> MapReferences:
    """Return the references of a condition."""
    pointer = ReferenceAnalysis(Interpreter(bog()), state)
    pointer.follow_condition(condition, NAMES, TYPES, depth)
    return pointer.references


def hexes(*names: str) -> graph.SetOf:
    """Return a set expression of hexes."""
    return graph.SetOf(tuple(map(graph.Var, names)))


SIDE = STATE.board.side(HERE, THERE)
NEXT_TO = [cart for cart in CARTS if STATE.hex[cart] == HERE]
CASES: dict[str, tuple[graph.Expr, Callable[[MapReferences], Any], Any]] = {
    "variables": (FALSE, lambda f: [*f.hexes], [THERE, HERE]),
    "pieces": (op("=", "u", "v"), lambda f: [*f.pieces], [ONE, TWO]),
    "inside": (op("=", get("u", "given", "hex", "piece"), "b"), lambda f: [*f.pieces], [ONE]),
    "and": (op("and", op("=", "b", "a"), op("=", "u", "v")), lambda f: [*f.hexes], [THERE, HERE]),
    "the second of an or": (op("or", FALSE, op("=", "u", "u")), lambda f: [*f.pieces], [ONE]),
    "not behind what holds": (op("not", op("or", TRUE, op("=", "u", "u"))), lambda f: [*f.pieces], []),
    "not behind what does not": (op("not", op("and", FALSE, op("=", "u", "u"))), lambda f: [*f.pieces], []),
    "yes": (op("=", op("if", TRUE, "u", "v"), "u"), lambda f: [*f.pieces], [ONE]),
    "no": (op("=", op("if", FALSE, "u", "v"), "v"), lambda f: [*f.pieces], [TWO]),
    "some": (fold("some", "w", pieces(), op("=", AT, "a")), lambda f: [*f.counted_pieces], NEXT_TO),
    "every": (
        fold("every", "w", pieces(), None, op("=", AT, "a")),
        lambda f: [*f.counted_pieces],
        [cart for cart in CARTS if cart not in NEXT_TO],
    ),
    "line": (op("=", fold("count", "x", op("line", "a", "b")), 1), lambda f: [*f.lines], [(HERE, THERE)]),
    "a hexside": (op("=", op("between", "a", "b"), op("between", "b", "a")), lambda f: [*f.sides], [SIDE]),
    "crossings": (fold("some", "x", op("line", "a", "b"), TRUE), lambda f: [*f.sides], [SIDE]),
    "the ends of a search": (
        op("in", "b", graph.Search("linked", hexes("a"), hexes("b", "a"), None, None, None, None)),
        lambda f: [*f.hexes],
        [THERE, HERE],
    ),
    "a question's arguments": (ask("may_see", "a", "b"), lambda f: [*f.hexes], [HERE, THERE]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_references_of_a_condition_are_found(case: str) -> None:
    condition, of, expected = CASES[case]
    assert of(found(condition)) == expected


def test_rules_behind_a_question_are_followed_to_the_given_depth() -> None:
    """The one rule of `others` counts the carts in a hex; the question names no cart."""
    question = op(">=", ask("others", "u", "a"), 0)
    assert found(question, depth=0).counted_pieces == {}
    assert [*found(question, depth=1).counted_pieces] == [cart for cart in NEXT_TO if cart != ONE]


def test_a_part_without_an_answer_is_skipped() -> None:
    nowhere = op("=", op("between", "a", "a"), op("between", "a", "b"))
    assert [*found(op("and", nowhere, op("=", "u", "u"))).pieces] == [ONE]
