"""The commands as Python functions of the package `rulewright`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.games.scenarios import game_of, load_scenario
from tests.toys.plain_game import plain_game


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game, and return its folder."""
    return plain_game("toy", tmp_path).folder


POSITION = """\
position: edge
stack: toy
board: {rows: [[A, B marsh]]}
pieces: [{name: R, type: runner, side: north, at: A}]
"""


def test_a_game_compiles_answers_and_plays(toy: Path, tmp_path: Path) -> None:
    stack = rulewright.compile_stack(str(toy))
    assert rulewright.check(stack) == []
    (tmp_path / "edge.yaml").write_text(POSITION)
    assert rulewright.ask(stack, tmp_path / "edge.yaml", "entry_cost(R, A, B)")["value"] == 3
    assert rulewright.test(stack)["failed"] == 0
    first = rulewright.play("first_toy", seed=7, packages=[toy])
    assert first == rulewright.play("first_toy", seed=7, packages=[toy])
    assert {"winner", "level", "turns", "decisions", "state_hash"} <= first.keys()
    arms = rulewright.compare("first_toy", ["toy", "toy"], games=3, players="random", packages=[toy])["arms"]
    assert [arm["n"] for arm in arms] == [3, 3]
    assert arms[0]["wins"] == arms[1]["wins"]


def test_mistakes_raise_typed_errors(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(rulewright.UsageError, match="did you mean `toy`"):
        rulewright.compile_stack("toj", [toy])
    (tmp_path / "edge.yaml").write_text(POSITION)
    with pytest.raises(rulewright.RulesError, match="did you mean `entry_cost`"):
        rulewright.ask(rulewright.compile_stack(str(toy)), tmp_path / "edge.yaml", "entri_cost(R, A, B)")
    (toy / "more.rules").write_text('rule a [TOY.1] "x" may_entr forbidden\n')
    with pytest.raises(rulewright.RulesError, match=r"more.rules:1:20: error R0201") as raised:
        rulewright.compile_stack(str(toy))
    assert len(raised.value.diagnostics) == 1


CARD = "before_the_tide"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda api: api.play(CARD, players=["random"]), "`players` must be text, not ['random'] (list)"),
        (lambda api: api.play(CARD, rules=["low_tide"]), "`rules` must be text or None, not ['low_tide'] (list)"),
        (lambda api: api.play(CARD, seed=None), "`seed` must be text or a whole number, not None (NoneType)"),
        (lambda api: api.play(3), "`scenario` must be text, not 3 (int)"),
        (lambda api: api.compare(CARD, "low_tide"), "`rules` must be a list, not 'low_tide' (str)"),
        (lambda api: api.compare(CARD, ["low_tide", 3]), "`rules[1]` must be text, not 3 (int)"),
        (lambda api: api.compare(CARD, ["low_tide"], jobs="2"), "`jobs` must be a whole number, not '2' (str)"),
        (lambda api: api.compile_stack(None), "`stack` must be text, not None (NoneType)"),
        (lambda api: api.compile_stack("low_tide", "rules"), "`packages` must be a list, not 'rules' (str)"),
        (lambda api: api.compile_stack("low_tide", ["rules"]), "`packages[0]` must be a Path, not 'rules' (str)"),
        (lambda api: api.check("low_tide"), "`stack` must be a Stack, not 'low_tide' (str)"),
        (lambda api: api.diff("low_tide", "low_tide"), "`a` must be a Stack, not 'low_tide' (str)"),
    ],
)
def test_an_argument_of_a_wrong_type_is_a_usage_error(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(rulewright.UsageError) as refused:
        call(rulewright)
    assert str(refused.value) == message


LOST = "\ud800"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda api: api.play(CARD, seed=10**6_000), "a seed has 200 digits at most"),
        (lambda api: api.play(CARD, seed=LOST), "characters that cannot be printed"),
        (
            lambda api: api.play(CARD, functions={"f": 3}),
            "`functions['f']` must be a Callable",
        ),
        (lambda api: api.play(CARD, functions={3: len}), "`a key of functions` must be text, not 3 (int)"),
        (lambda api: api.compare(CARD, []), "`rules` is empty"),
        (lambda api: api.compare(CARD, ["low_tide"], 1, jobs=0), "0 jobs: from 1 to 512"),
        (lambda api: api.compile_stack("low_tide", [Path("a\0b")]), "'a\\x00b' is no path of a folder"),
        (lambda api: api.ask(api.compile_stack("low_tide"), "p.yaml", " "), "the question is empty"),
        (lambda api: api.diff(*[api.compile_stack("low_tide")] * 2, "stp_cost"), "there is no term `stp_cost`"),
    ],
)
def test_a_value_out_of_range_is_a_usage_error(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(rulewright.UsageError) as refused:
        call(rulewright)
    assert message in str(refused.value)


def test_a_named_folder_that_is_missing_is_an_error() -> None:
    with pytest.raises(rulewright.RulesError, match="no such folder"):
        rulewright.compile_stack("low_tide", [Path("/nowhere")])


@pytest.mark.parametrize("take", [[[]], [["take"]], [["take", "no_such_action", None]], [[1, 2, 3]]])
def test_a_take_that_is_not_open_is_a_usage_error(take: list[list[Any]]) -> None:
    rules = load_scenario(CARD, None, ()).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("1")
    game.advance(playthrough)
    with pytest.raises(rulewright.UsageError, match=r"is open|by what, name and value"):
        rulewright.indices(game, playthrough, take)
