"""Analysis of choices that move a piece: in a procedure, in a resolution that it runs, in an action that it offers."""

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.movement import moves_by_procedure
from runtime.play.game import Game
from runtime.players.orders import movements_of
from tests.toys.build import HEX, given
from tests.toys.hares import HARE, hares, procedure

PIECE, TO = graph.Var("piece"), graph.Var("to")


def test_each_destination_is_mapped_to_the_moved_piece() -> None:
    game = Game(hares(), GeneratedEvaluator(hares()))
    found = movements_of(game.programs.entries)
    assert found["action:hop"].mover == {"to": "mover"}
    assert found["action:hop"].at_once == {"mover": True}
    assert found["action:deploy"].mover == {"h": "u"}
    assert not found["action:pounce"].mover
    assert found["action:pounce"].pieces == {"prey"}


def test_movements_are_found_through_resolutions_branches_and_offers() -> None:
    procedures = {
        "resolution:go": procedure("resolution", "go", (graph.Move(PIECE, TO, ""),), piece=HARE, to=HEX),
        "action:step": procedure(
            "action",
            "step",
            (
                graph.Choose("", "h", graph.All(HEX), None, None),
                graph.Branch(graph.Truth(value=True), (graph.Do("go", (graph.Var("u"), graph.Var("h"))),), ()),
            ),
            u=HARE,
        ),
        "action:drive": procedure("action", "drive", (graph.Offer((("step", (graph.Var("m"),)),), None, None),)),
        "action:lift": procedure("action", "lift", (graph.Move(graph.Var("x"), given("piece", "hex"), ""),)),
    }
    found = moves_by_procedure(procedures)
    assert found["action:step"] == {("u", "h")}
    assert found["action:drive"] == {("m", "")}
    assert not found["action:lift"]
