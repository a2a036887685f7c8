"""The options of a piece: each reported one is open in play, and each that play allows is reported."""

from functools import cache

import pytest

import rulewright
from rulewright.explain.option_views import open_options
from rulewright.games.scenarios import game_of, load_scenario
from runtime.play.game import Game
from runtime.play.options import PICK, TAKE, Decision
from runtime.play.piece_options import PieceOptions, indices_of, open_to
from runtime.play.playthrough import Playthrough
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import sampled


@cache
def game(card: str, rules: str | None = None) -> Game:
    found = load_scenario(card, rules).graph
    assert found is not None
    return game_of(found)


@cache
def at(card: str, question: str, turn: int = 1, rules: str | None = None) -> Playthrough:
    """Play greedily to the first decision from a turn on whose question has this prefix."""
    played = game(card, rules)
    playthrough = played.start("1")
    assert played.graph.scenario is not None
    seats = seat_players(dict.fromkeys(played.graph.scenario.order, PLAYERS["greedy"]), "1")
    while isinstance(now := played.advance(playthrough), Decision):
        if playthrough.state.turn >= turn and now.question.startswith(question):
            return playthrough
        played.apply(playthrough, now, choose_option(played, playthrough, now, seats))
    raise AssertionError(question)


def decision(played: Game, playthrough: Playthrough) -> Decision:
    now = played.advance(playthrough)
    assert isinstance(now, Decision)
    return now


def movers(played: Game, playthrough: Playthrough) -> list[PieceOptions]:
    now = decision(played, playthrough)
    state = playthrough.state
    pieces = [piece for piece, side in enumerate(state.side) if side == now.side and state.hex[piece] >= 0]
    return [open_to(played, playthrough, now, piece, refused=False) for piece in pieces]


@sampled(1)
@pytest.mark.parametrize(
    ("card", "question"),
    [
        ("before_the_tide", "offer walk"),
        ("hazel_ford", "offer drive"),
        ("bridge_at_millbrook", "offer enter, shift, drive"),
    ],
)
def test_every_route_ends_in_its_hex(card: str, question: str) -> None:
    played, playthrough = game(card), at(card, question)
    before = playthrough.digest()
    found = [each for each in movers(played, playthrough) if each.hexes]
    assert found
    for each in found[:3]:
        assert not each.is_cut
        for reached in (each.hexes[0], each.hexes[-1]):
            copied = playthrough.copy()
            for index in indices_of(played, copied, reached.options):
                now = decision(played, copied)
                played.apply(copied, now, index)
            played.advance(copied)
            assert reached.asks_others or copied.state.hex[each.piece] == reached.hex
            assert reached.route[-1] == reached.hex
            assert reached.cost is None or reached.cost + reached.allowance >= 0
    assert playthrough.digest() == before


def test_the_hexes_of_one_step_are_those_that_play_offers() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    for each in movers(played, playthrough):
        copied = playthrough.copy()
        now = decision(played, copied)
        walk = next(i for i, option in enumerate(now.options) if option.kind == TAKE and option.name == "walk")
        played.apply(copied, now, walk)
        now = decision(played, copied)
        offered = set()
        for index, option in enumerate(now.options):
            if option.kind == PICK and option.value == each.piece:
                played.apply(copied, now, index)
                offered = {option.value for option in decision(played, copied).options}
                break
        assert {reached.hex for reached in each.hexes if len(reached.route) == 1} == offered


@sampled(0)
def test_targets_have_a_preview_with_chances() -> None:
    played, playthrough = game("bridge_at_millbrook"), at("bridge_at_millbrook", "offer shoot_at_one")
    now = decision(played, playthrough)
    state = playthrough.state
    own_pieces = [sheet.name for piece, sheet in enumerate(state.sheets) if state.side[piece] == now.side]
    acts = [act for name in own_pieces for act in open_options(played, playthrough, name, refused=False).acts]
    assert acts
    for act in acts:
        assert act.throws
        assert act.preview is not None
        assert all(sum(chance for _, chance in sheet.chances) == 1 for sheet in act.preview.sheets if sheet.chances)


@sampled(0)
def test_refusals_have_their_rules_and_citations() -> None:
    played, playthrough = game("bridge_at_millbrook"), at("bridge_at_millbrook", "offer shoot_at_one")
    now = decision(played, playthrough)
    own_pieces = [
        sheet.name for piece, sheet in enumerate(playthrough.state.sheets) if playthrough.state.side[piece] == now.side
    ]
    data = [rulewright.open_to(played, playthrough, name) for name in own_pieces]
    refused = [each for one in data if not one["acts"] for each in one["refused"]]
    assert refused
    assert all(each["why"] for each in refused)
    assert any(rule["cites"] for each in refused for rule in each["rules"])
    assert not any("_" in each["does"] for one in data for each in [*one["refused"], *one["acts"]])


def test_an_unknown_piece_is_an_error() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    with pytest.raises(rulewright.UsageError, match=r"there is no piece `elder-9\.9`"):
        rulewright.open_to(played, playthrough, "elder-9.9")
