"""The distance of an offer from its obligation, and completions that are reused from the previous decision."""

from fractions import Fraction
from pathlib import Path

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.goal_search import GoalSearch
from runtime.play.obligations import GoalDistance
from runtime.play.options import Decision
from runtime.state.setup import from_position
from tests.play.test_obligations import SEARCHED, game_at_example, rules


def test_goal_distance_counts_the_missing_members(tmp_path: Path) -> None:
    """Two foes that are not fought and two own carts that are not engaged make 4.

    `not`, `every`, `=` and `or` follow.
    """
    game = Game(found := rules(tmp_path, SEARCHED), GeneratedEvaluator(found))
    (example,) = (each for each in found.examples if each.title == "one each")
    state = from_position(found, example.position)
    offer = next(
        step
        for program in game.programs.entries.values()
        for step in program.steps
        if isinstance(step, graph.Offer) and step.must and step.actions[0][0] == "fight"
    )
    assert isinstance(offer.until, graph.Op)
    north = {"player": "north"}
    assert GoalDistance(offer.until, game.evaluator.evaluator.value_function)(state, north) == 4
    foes, _ = offer.until.arguments
    assert isinstance(foes, graph.Fold)
    carts = graph.Fold("count", foes.var, foes.source, None, None, None)
    for other, far in (
        (graph.Op("not", (graph.Fold("some", foes.var, foes.source, None, None, None),)), 2),
        (graph.Fold("every", foes.var, foes.source, None, graph.Truth(value=False), None), 2),
        (graph.Fold("every", foes.var, foes.source, None, graph.Truth(value=True), None), 0),
        (graph.Op("=", (carts, graph.Num(Fraction(0), ""))), 2),
        (graph.Op("=", (carts, graph.Num(Fraction(1), ""))), 1),
        (graph.Op("or", (foes, foes)), 1),
        (graph.Truth(value=True), 0),
    ):
        assert GoalDistance(other, game.evaluator.evaluator.value_function)(state, north) == far


def test_a_known_completion_saves_trials(tmp_path: Path) -> None:
    """With the known completions the search needs one trial for the option that continues one of them, else several."""
    game = Game(found := rules(tmp_path, SEARCHED), GeneratedEvaluator(found))
    playthrough = game_at_example(game, "one each, and two apart", 1)
    while isinstance(now := game.advance(playthrough), Decision) and playthrough.state.phase == "moving":
        game.apply(playthrough, now, -1)
    tried: list[int] = []

    class Counted(GoalSearch):
        def run(self, *given: object) -> object:  # type: ignore[override]
            tried[-1] += 1
            return super().run(*given)  # type: ignore[arg-type]

    obligations = game.obligations
    (offer,) = (step for step in obligations.offers.values() if step.actions[0][0] == "fight")
    for known in (True, False):
        tried.append(0)
        routes = obligations.routes_by_offer[offer].copy() if known else []
        assert routes or not known
        search = Counted(game, offer, 0, obligations.make_goal(offer), routes, obligations.spend_trial)
        assert isinstance(now, Decision)
        assert search.can_be_met_after(playthrough, now.options[0], 1)
    assert tried[0] == 1
    assert tried[1] > 1
