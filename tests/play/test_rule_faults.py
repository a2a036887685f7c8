"""Rules that cannot continue stop the game with a message that names the procedure."""

from dataclasses import replace

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play import machine, rule_faults
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from tests.toys.build import fold, num, op
from tests.toys.hares import ALL, HARE, hares, procedure


def game(*steps: graph.Step, **actions: tuple[graph.Step, ...]) -> tuple[Game, Playthrough]:
    """Start a game whose sequence is these steps, under the rules of the hares, with additional actions."""
    return game_under(hares(), *steps, **actions)


def game_under(rules: graph.Graph, *steps: graph.Step, **actions: tuple[graph.Step, ...]) -> tuple[Game, Playthrough]:
    """Start a game whose sequence is these steps, under the given rules, with additional actions."""
    more = {f"action:{name}": procedure("action", name, body) for name, body in actions.items()}
    start = procedure("sequence", "odd", (graph.Phase("run", "Run", steps),))
    rules = replace(rules, procedures={**rules.procedures, **more, "sequence": start})
    machine = Game(rules, Interpreter(rules))
    playthrough = machine.start("1")
    for hare in range(len(playthrough.state.hex)):
        playthrough.state.hex[hare] = hare
    return machine, playthrough


def run(game_and_playthrough: tuple[Game, Playthrough]) -> Decision | None:
    return game_and_playthrough[0].run(game_and_playthrough[1])


def test_an_offer_without_open_actions_that_may_not_end() -> None:
    offer = graph.Offer((("deploy", ()),), None, graph.Truth(value=False))
    with pytest.raises(BrokenRules, match=r"no action is open and the offer may not end in sequence \(turn 1, run\)"):
        run(game(offer))


def test_a_number_outside_of_its_declared_range() -> None:
    carrots = graph.GameTrack("game", "carrots")
    with pytest.raises(BrokenRules, match=r"`game.carrots` is set to 10, but is declared -9..9 in sequence"):
        run(game(graph.Assign(carrots, num(10))))
    assert run(game(graph.Assign(carrots, num(9)))) is None


def test_a_choice_without_candidates() -> None:
    nobody = fold("gather", "u", ALL, where=False)
    with pytest.raises(BrokenRules, match="there is nothing to choose `u` from in sequence"):
        run(game(graph.Choose("", "u", nobody, None, None)))
    assert (
        run(game(graph.Choose("any", "u", nobody, None, None), graph.Choose("order", "v", nobody, None, None))) is None
    )


def test_an_offer_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "OFFER_CAP", 5)
    monkeypatch.setattr(rule_faults, "OFFER_CAP", 5)
    other_machine, playthrough = game(graph.Offer((("idle", ()),), None, None), idle=(graph.Let("x", op("+", 1, 1)),))
    with pytest.raises(BrokenRules, match="more than 5 actions were taken in one offer, the last of them `idle`"):
        always_the_first(other_machine, playthrough)


def always_the_first(machine: Game, playthrough: Playthrough) -> None:
    while isinstance(now := machine.advance(playthrough), Decision):
        machine.apply(playthrough, now, 0)


def test_a_condition_that_no_set_meets_closes_the_action() -> None:
    crowd = fold("gather", "h", graph.All(graph.Hex()))
    wanted = op("=", fold("sum", "h", "some", body="h"), -1)
    never = (graph.Choose("any", "some", crowd, None, None), graph.Legal(wanted))
    assert run(game(graph.Offer((("never", ()),), None, None), never=never)) is None


def test_an_event_inside_a_reaction_opens_no_reactions() -> None:
    rules = hares()
    tell = graph.Tell("leaving", (graph.Fold("least", "u", ALL, None, graph.Var("u"), None), op("*", 0, 1)))
    echo = (graph.Add(graph.Var("to"), graph.Get(graph.Var("mover"), "track", "hare", "seen")),)
    react = (graph.Offer((("answer", ()),), None, None),)
    more = {
        "action:answer": procedure("action", "answer", (tell,)),
        "hook:leaving#1": procedure("hook", "leaving", react, "leaving", mover=HARE, to=graph.Hex()),
        "hook:leaving#2": procedure("hook", "leaving", echo, "leaving", mover=HARE, to=graph.Hex()),
        "sequence": procedure("sequence", "odd", (tell,)),
    }
    rules = replace(rules, procedures={**rules.procedures, **more})
    machine = Game(rules, Interpreter(rules))
    playthrough = machine.start("1")
    playthrough.state.hex[0] = 0
    first = machine.advance(playthrough)
    assert isinstance(first, Decision)
    machine.apply(playthrough, first, 0)
    second_decision = machine.advance(playthrough)
    # The answer emitted the event: the echo ran, the reaction did not; then the first offer continues.
    assert isinstance(second_decision, Decision)
    assert playthrough.state.track("hare.seen", 0) == (0,)
    assert [call.key for call in playthrough.calls] == ["sequence", "hook:leaving#2", "hook:leaving#1"]
