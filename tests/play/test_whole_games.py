"""Whole games of the hares: one game per seed, exact undo and copies, clocks, hooks, offers that end."""

import subprocess
import sys
from pathlib import Path

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.options import END, STOP, Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.greedy import greedy_option
from runtime.players.player import Player, play_out, seat_players, uniform_option
from runtime.state import change
from tests.sample import sampled
from tests.toys.hares import hares

GRAPH = hares()
GAME = Game(GRAPH, Interpreter(GRAPH))
RANDOM: dict[str, Player] = {"red": uniform_option, "blue": uniform_option}

ELSEWHERE = """
from tests.play.test_whole_games import play
print(play("7").digest())
"""


def play(seed: str, players: dict[str, Player] = RANDOM) -> Playthrough:
    playthrough = GAME.start(seed)
    play_out(GAME, playthrough, seat_players(players, seed))
    return playthrough


def decisions(seed: str) -> list[tuple[Playthrough, Decision]]:
    """Play at random; return each decision with a copy of the playthrough."""
    seen: list[tuple[Playthrough, Decision]] = []

    def watch(game: Game, playthrough: Playthrough, decision: Decision, chance: object) -> int:
        seen.append((playthrough.copy(), decision))
        return uniform_option(game, playthrough, decision, chance)  # type: ignore[arg-type]  # It is a Stream.

    play(seed, {"red": watch, "blue": watch})
    return seen


@sampled(0)
def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    root = Path(__file__).resolve().parents[2]
    output = {
        subprocess.run(
            [sys.executable, "-c", ELSEWHERE],
            cwd=root,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert output == {play("7").digest()}


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_undo_restores_the_state_before_every_choice(seed: str) -> None:
    playthrough = GAME.start(seed)
    seats = seat_players(RANDOM, seed)
    digests = []
    while isinstance(now := GAME.advance(playthrough), Decision):
        digests.append(playthrough.digest())
        GAME.apply(playthrough, now, seats[now.side].choose_option(GAME, playthrough, now))
    assert playthrough.choice_count == len(digests) > 20
    for digest in reversed(digests):
        assert playthrough.undo()
        GAME.advance(playthrough)
        assert playthrough.digest() == digest
    assert not playthrough.undo()
    fresh = GAME.start(seed)
    GAME.advance(fresh)
    assert (playthrough.journal, playthrough.dice) == (fresh.journal, [])


def test_replaying_the_journal_gives_the_same_position() -> None:
    playthrough, second_play = play("5"), GAME.start("5")
    for event in playthrough.journal:
        change.redo(second_play.state, event)
    second_play.dice = playthrough.dice
    assert second_play.position_hash() == playthrough.position_hash()


@pytest.mark.parametrize("seed", ["4", "5"])
def test_copies_do_not_disturb_each_other(seed: str) -> None:
    seen = decisions(seed)
    digests = [playthrough.digest() for playthrough, _ in seen]
    for playthrough, decision in seen[::7]:
        before = playthrough.digest()
        copied = playthrough.copy()
        GAME.apply(copied, decision, len(decision.options) - 1)
        GAME.advance(copied)
        assert playthrough.digest() == before
    assert [playthrough.digest() for playthrough, _ in seen] == digests


def test_every_decision_has_two_options_or_more_in_canonical_order() -> None:
    for _, decision in decisions("8"):
        assert len(decision.options) == len(set(decision.options)) >= 2
        picks = [option.value for option in decision.options if option.kind not in (END, STOP)]
        if decision.member is not None and not isinstance(decision.member, graph.YesNo):
            assert picks == sorted(picks)


def test_set_up_asks_for_every_piece_and_ends_by_itself() -> None:
    questions = [decision for playthrough, decision in decisions("9") if playthrough.state.phase == "setup"]
    assert {decision.question for decision in questions} == {"deploy.u", "deploy.h"}
    assert not any(option.kind == END for decision in questions for option in decision.options)
    later = next(playthrough for playthrough, decision in decisions("9") if playthrough.state.phase == "run")
    assert later.state.reserve() == ()


def test_tracks_and_marks_expire_at_their_moment() -> None:
    lasting = {"run": False, "own_turn": False}
    for playthrough, decision in decisions("10"):
        state = playthrough.state
        if state.phase == "run" and decision.question.startswith("offer hop"):
            lasting["run"] |= any(state.tracks["hare.spent"].values())
            assert all(state.side[hare] == state.player for hare in state.marks["hare.hopped"])
        if state.phase == "bluff":
            assert not any(state.tracks["hare.spent"].values())
            lasting["own_turn"] |= bool(state.marks["hare.hopped"])
    assert all(lasting.values())


def test_the_other_side_may_snap_at_whoever_leaves() -> None:
    questions = [
        d
        for seed in range(20)
        for c, d in decisions(str(seed))
        if d.question == "offer snap" and d.side != c.state.player
    ]
    assert questions


@sampled(0)
def test_the_result_has_the_winner_and_the_level() -> None:
    ends = [GAME.finished_game(play(str(seed), {"red": greedy_option, "blue": uniform_option})) for seed in range(10)]
    assert {end.winner for end in ends} >= {"red"}
    for end in ends:
        levels = dict(end.levels)
        assert (end.winner == "") == (levels["red"] == levels["blue"])
        assert end.level == (max(levels.values()) if end.winner else None)
        assert end.turn == 3


@sampled(0)
def test_greedy_beats_random() -> None:
    wins = [
        GAME.finished_game(play(str(seed), {"red": greedy_option, "blue": uniform_option})).winner for seed in range(12)
    ]
    losses = [
        GAME.finished_game(play(str(seed), {"red": uniform_option, "blue": greedy_option})).winner for seed in range(12)
    ]
    assert wins.count("red") > 3 * max(1, wins.count("blue"))
    assert losses.count("blue") > 3 * max(1, losses.count("red"))


def test_a_decision_of_a_side_without_a_player_is_a_clear_error() -> None:
    with pytest.raises(BrokenRules, match=r"blue is asked deploy\.u, and does not play in action deploy"):
        play("1", {"red": uniform_option})
