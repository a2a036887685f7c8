"""Procedures beside those of the rules: one offer for a side, of which several may be open at once."""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.play.added_procedures import begin_offer
from runtime.play.options import END, TAKE, Decision
from runtime.play.playthrough import OFFER_TAKEN, Playthrough
from tests.play.test_whole_games import GAME, decisions

OFFERS = [step for step in GAME.programs.entries["sequence"].steps if isinstance(step, graph.Offer)]


def offered(offer: graph.Offer, side: str = "red") -> tuple[Playthrough, Decision]:
    playthrough = GAME.start("7")
    playthrough.calls = []
    return playthrough, GAME.decide(playthrough, begin_offer(GAME, playthrough, offer, {"player": side}))


def test_a_side_is_offered_what_the_sequence_offers_it() -> None:
    compared = 0
    for playthrough, decision in decisions("7"):
        call = playthrough.calls[-1]
        if isinstance(step := GAME.step_of(call), graph.Offer):
            names = {name: value for name, value in call.names.items() if name != OFFER_TAKEN}
            assert GAME.decide(playthrough, begin_offer(GAME, playthrough, step, names)).options == decision.options
            compared += 1
    assert compared


def test_two_offers_are_open_at_once_and_end() -> None:
    until = graph.Truth(value=True)
    first, second = (replace(OFFERS[0], actions=(action,), by=None, until=until) for action in two_actions())
    (playthrough, decision), (other, other_decision) = offered(first), offered(second)
    assert {each.name for each in decision.options if each.kind == TAKE} <= {first.actions[0][0]}
    assert GAME.decide(playthrough, playthrough.calls[-1]) == decision
    assert GAME.decide(other, other.calls[-1]) == other_decision
    for each, options in ((playthrough, decision.options), (other, other_decision.options)):
        GAME.take(each, next(option for option in options if option.kind == END))
        assert GAME.run(each) is None
        assert not each.calls


def two_actions() -> list[tuple[str, tuple[graph.Expr, ...]]]:
    actions = [action for step in OFFERS for action in step.actions]
    assert len({name for name, _ in actions}) > 1
    return [actions[0], next(each for each in actions if each[0] != actions[0][0])]


def test_equal_offers_share_one_procedure() -> None:
    offer = replace(OFFERS[0], by=None, until=graph.Truth(value=True))
    offered(offer)
    before = len(GAME.programs.entries)
    first, second = offered(replace(offer))[0], offered(offer, "blue")[0]
    assert len(GAME.programs.entries) == before
    assert first.calls[0].key == second.calls[0].key
