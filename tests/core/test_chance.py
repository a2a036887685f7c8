"""Random numbers of a compiled module: the same as those of the Python engine, uniform, and independent by stream."""

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("wasmtime")

import wasmtime

import compiler.wasm
from runtime.engine.direct_call import direct_callable
from runtime.play.dice import Stream, draw_below, random_number
from runtime.state.moment import Moment, Phase
from runtime.state.setup import from_position
from tests.analysis.planted import compiled as planted
from tests.core.playing import engines

THROWN = 3_000
# Of numbers below 5 * 10**18 one in five has to be replaced by another, lest some of them be likelier than others.
OPTIONS = (1, 2, 6, 1000, (1 << 32) + 1, 5_000_000_000_000_000_000, (1 << 64) - 1)
ARITHMETIC = """(module {functions}
  (export "random_number" (func $random_number)) (export "draw_below" (func $draw_below)))"""
RULES = """
side north, south
kind cart
resolution one() [house] "One." { for each i in 1..3 { for each j in 1..1000 { roll d: 1..6 } } }
resolution other() [house] "Other." { for each i in 1..3 { for each j in 1..1000 { roll d: 1..6 } } }
sequence game { phase throwing "Throwing" { do one() do other() } }
example "two" {
  row A, B
  piece N: cart of north at A
  ask count(all cart) = 1
}
"""


def chi_squared(counts: Counter[int], cells: int) -> float:
    """Return how far counts are from equal ones, in standard deviations of a chi-squared value."""
    expected = counts.total() / cells
    distance: float = sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected
    deviation: float = (2 * (cells - 1)) ** 0.5
    return (distance - (cells - 1)) / deviation


@pytest.mark.parametrize("seed", ["x", "action/x"])
def test_both_engines_throw_the_same_dice(seed: str, tmp_path: Path) -> None:
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "r.rules": RULES}, tmp_path)
    opening = from_position(rules, rules.examples[0].position)
    pair = engines(rules, 40, 200)
    playthrough = pair.game.start(seed, opening.copy())
    pair.game.advance(playthrough)
    native = pair.native(opening)
    native.start(seed)
    assert native.run() == 0
    faces = [face for _, face in native.dice()]
    assert faces == [die.value for die in playthrough.dice]
    one, other = faces[:THROWN], faces[THROWN:]
    assert set(one) == set(range(1, 7))
    # The dice of one procedure say nothing about those of the other, nor a die about the next.
    for first, second in ((one, other), (one, one[1:])):
        pairs = Counter(6 * a + b - 7 for a, b in zip(first, second, strict=False))
        assert chi_squared(pairs, 36) < 5


def test_both_engines_have_the_same_arithmetic() -> None:
    """The functions of chance.wat for numbers and indices, also for more options than dice have."""
    text = (Path(compiler.wasm.__path__[0]) / "chance.wat").read_text(encoding="utf-8")
    functions, end, _ = text.partition(";; The key below")
    assert end
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, ARITHMETIC.format(functions=functions))
    exports = wasmtime.Instance(store, module, []).exports(store)
    number_function, index_function = exports["random_number"], exports["draw_below"]
    assert isinstance(number_function, wasmtime.Func)
    assert isinstance(index_function, wasmtime.Func)
    number_of, index_of = direct_callable(store, number_function), direct_callable(store, index_function)
    replaced = 0
    for index in range(-3, 300):
        number = random_number(index % 7 << 61, index)
        assert number_of(index % 7 << 61, index) % (1 << 64) == number
        for options in OPTIONS:
            drawn = draw_below(options, number)
            assert 0 <= drawn < options
            assert index_of(options, number) % (1 << 64) == drawn
            replaced += drawn != number * options >> 64
    assert 30 < replaced < 90


@pytest.mark.parametrize("options", [3, 10, 36])
def test_draws_of_choices_and_sides_are_independent(options: int) -> None:
    """Neighboring choices, and the same choice of both sides, are as independent as the draws of one choice."""
    phase, sides = Phase(1, "north", "moving"), [Stream("7", name) for name in ("north", "south")]
    draws: list[list[int]] = []
    for number in range(8_000):
        for stream in sides:
            stream.restart_at(Moment(phase, number))
        draws.append([stream.draw(options) for stream in sides for _ in range(2)])
    joined = zip(*draws, strict=True)
    first, second, other, _ = joined
    for left, right in ((first, second), (first, other), (first, first[1:])):
        pairs = Counter(options * a + b for a, b in zip(left, right, strict=False))
        assert chi_squared(pairs, options**2) < 5


def test_a_number_that_makes_an_index_likelier_is_replaced() -> None:
    """Of four numbers one of three indices would get two: the first number, and none other, is replaced."""
    assert draw_below(3, 0) == draw_below(3, random_number(0, 0))
    assert [draw_below(3, (1 << 64) // 3 * index + 2) for index in range(3)] == [0, 1, 2]
