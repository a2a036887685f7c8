"""Lines of examples: actions with given choices, refusals, single steps, forced dice."""

from typing import Any

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.perform import execute_steps, perform_action
from runtime.play.playthrough import Playthrough
from runtime.play.refusal_parts import RefusalReason
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import GONE
from runtime.state.setup import from_position
from tests.toys.build import given, num, op
from tests.toys.hares import HARE, board, hares

GRAPH = hares()
GAME = Game(GRAPH, Interpreter(GRAPH))
NAMES = ("Ra", "Rb", "Rc", "Bx", "By")


def piece(name: str, at: str, **tracks: graph.Expr) -> graph.PieceAt:
    side = {"R": "red", "B": "blue"}[name[0]]
    return graph.PieceAt(name, "hare", f"{side}_hare", side, at, "", (), (), (), tuple(tracks.items()))


def playthrough(*dice: int, player: str = "red", **more: graph.Expr) -> Playthrough:
    pieces = (piece("Ra", "B2", **more), piece("Rb", "C3"), piece("Rc", "A1"), piece("Bx", "C2"), piece("By", "E4"))
    position = graph.Position("here", "hares", board(), pieces, (), (), (), (), 1, player, "run")
    return Playthrough(from_position(GRAPH, position), None, dice)


def values(here: Playthrough, **chosen: Any) -> dict[str, Any]:
    """Replace the names of pieces and hexes by their indices."""
    numbers = {**here.state.board.index, **{name: number for number, name in enumerate(NAMES)}}
    return {
        name: tuple(numbers[v] for v in value) if isinstance(value, list) else numbers.get(value, value)
        for name, value in chosen.items()
    }


def act(here: Playthrough, action: str, **chosen: Any) -> RefusalReason | None:
    return perform_action(GAME, here, action, values(here, **chosen))


def test_an_action_is_executed() -> None:
    here = playthrough()
    assert act(here, "hop", mover="Rc", to="B1") is None
    assert here.state.board.names[here.state.hex[2]] == "B1"
    assert here.state.track("hare.spent", 2) == 1
    assert here.state.track("hare.seen", 2) == (here.state.board.index["A1"],)
    assert here.calls == []


def test_a_refusal_has_the_failed_condition_and_changes_nothing() -> None:
    here = playthrough()
    before = here.digest()
    refused = act(here, "hop", mover="Ra", to="C2")
    assert isinstance(refused, RefusalReason)
    assert isinstance(refused.condition, graph.Ask)
    assert refused.condition.term == "may_enter"
    assert refused.names["to"] == here.state.board.index["C2"]
    assert here.digest() == before


def test_a_refusal_has_the_choice_that_is_not_open() -> None:
    assert act(playthrough(), "hop", mover="Bx", to="D2") == RefusalReason(None, "mover", {"player": "red", "mover": 3})
    far = act(playthrough(), "hop", mover="Ra", to="E1")
    assert far is not None
    assert far.choice == "to"


def test_an_action_of_the_other_side() -> None:
    assert act(playthrough(player="blue"), "hop", mover="By", to="D4") is None


def test_a_choice_left_open_is_made_if_only_one_candidate_is_legal() -> None:
    here = playthrough(6, player="blue")
    assert act(here, "snap", prey="Ra") is None
    assert here.state.hex[0] == GONE
    names = {"player": "red", "mover": 2}
    assert act(playthrough(), "hop", mover="Rc") == RefusalReason(
        None, "to", names, unspecified=True, open_values=(1, 5)
    )


def test_forced_dice_are_used_in_order_and_recorded() -> None:
    here = playthrough(4, 5)
    assert act(here, "pounce", prey="Bx", gang=["Ra", "Rb"]) is None
    assert here.state.hex[3] != GONE
    assert [die.value for die in here.dice] == [4]
    assert here.state.partners("chases", "left", 3) == (1,)  # At most one chaser: the second pair replaced the first.
    second_play = playthrough(5)
    assert act(second_play, "pounce", prey="Bx", gang=["Ra", "Rb"]) is None
    assert second_play.state.hex[3] == GONE


def test_too_small_a_set_is_refused() -> None:
    refused = act(playthrough(), "pounce", prey="Bx", gang=["Ra"])
    assert refused is not None
    assert refused.condition == op(">=", "size", 2)


def test_a_die_without_a_valid_forced_value_is_a_clear_error() -> None:
    with pytest.raises(BrokenRules, match=r"a die \(die\) is rolled that no `dice` line foresees in resolution bite"):
        act(playthrough(), "pounce", prey="Bx", gang=["Ra", "Rb"])
    with pytest.raises(BrokenRules, match="the forced die 9 is no die"):
        act(playthrough(9), "pounce", prey="Bx", gang=["Ra", "Rb"])


def test_choices_of_resolutions_are_answered_by_name() -> None:
    here = playthrough()
    names = execute_steps(GAME, here, [graph.Do("bluff", (num(0),))], {"hides": True, "doubts": True}, {})
    assert here.state.fact("game.carrots") == -1
    assert names == {"player": "red", "hides": True, "doubts": True}
    execute_steps(GAME, here, [graph.Do("bluff", (num(0),))], {"hides": True, "doubts": False, "line": (2, 0, 1)}, {})
    assert (here.state.kind[-1], here.state.hex[-1]) == ("carrot", GONE)
    assert here.state.records["snatch"] == ()


def test_steps_bind_names_for_later_steps() -> None:
    here = playthrough()
    names = execute_steps(GAME, here, [graph.Let("where", given("u", "hex"))], {"u": 0}, {"u": HARE})
    names = execute_steps(
        GAME, here, [graph.Move(graph.Var("v"), graph.Var("where"), "")], {**names, "v": 2}, {"v": HARE}
    )
    assert here.state.hex[2] == here.state.hex[0]


def test_moving_a_gone_piece_is_a_clear_error() -> None:
    steps = (graph.Remove(graph.Var("u")), graph.Move(graph.Var("u"), given("v", "hex"), ""))
    with pytest.raises(BrokenRules, match="Ra is moved although it is gone"):
        execute_steps(GAME, playthrough(), steps, {"u": 0, "v": 1}, {"u": HARE, "v": HARE})
