"""Interactive games: undo is exact and permitted only if the choice revealed nothing, and games are resumed."""

from collections.abc import Callable

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import first_mismatch, repeat_choices
from runtime.trial.trial_lines import decode_trial
from tests.sample import sampled
from tests.toys.hares import BOG_BARS, hares
from tests.trials.recording import record_game

HARES = Game(hares(), Interpreter(hares()))
NAMES = {"red": "random", "blue": "random"}
SEATS = {side: PLAYERS[name] for side, name in NAMES.items()}


def whole(seed: str) -> list[str]:
    """Return the lines of a game without interruption."""
    lines: list[str] = []
    record_game(HARES, HARES.start(seed), SEATS, NAMES, seed, lines.append)
    return lines


def play_on(
    interactive: InteractiveGame, seed: str, stop: Callable[[Decision], bool] = lambda _: False
) -> Decision | FinishedGame:
    """Continue with the players until `stop` holds or the game is over."""
    seats = seat_players(SEATS, seed)
    while isinstance(now := interactive.ask(), Decision) and not stop(now):
        interactive.choose(now, choose_option(HARES, interactive.playthrough, now, seats))
    return now


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_undo_is_exact_wherever_it_is_permitted(seed: str) -> None:
    lines: list[str] = []
    interactive = InteractiveGame(HARES, HARES.start(seed), lines.append)
    interactive.write_heading(NAMES, seed)
    seats = seat_players(SEATS, seed)
    taken_back = 0
    while isinstance(now := interactive.ask(), Decision):
        before = (
            interactive.playthrough.digest(),
            now,
            len(interactive.taken_choices),
            len(interactive.playthrough.dice),
        )
        index = choose_option(HARES, interactive.playthrough, now, seats)
        interactive.choose(now, index)
        interactive.ask()
        if not interactive.undo_refusal(now.side):
            interactive.undo()
            assert (
                interactive.playthrough.digest(),
                interactive.ask(),
                len(interactive.taken_choices),
                len(interactive.playthrough.dice),
            ) == before
            # The same player makes the same choice again.
            assert choose_option(HARES, interactive.playthrough, now, seats) == index
            interactive.choose(now, index)
            taken_back += 1
    assert taken_back > 5
    interactive.close(now)
    trial, problems = decode_trial(lines)
    assert trial is not None
    assert problems == []
    assert first_mismatch(HARES, trial) is None
    assert decode_trial(whole(seed))[0] == trial


@sampled(0)
def test_undo_is_refused_with_a_reason() -> None:
    assert InteractiveGame(HARES, HARES.start("a")).undo_refusal("red") == "nothing has been chosen yet"
    labels = set()
    for seed in "abcdef":
        interactive = InteractiveGame(HARES, HARES.start(seed))
        seats = seat_players(dict.fromkeys(NAMES, PLAYERS["greedy"]), seed)
        while isinstance(now := interactive.ask(), Decision):
            dice = len(interactive.playthrough.dice)
            interactive.choose(now, choose_option(HARES, interactive.playthrough, now, seats))
            interactive.ask()
            bar = interactive.undo_refusal(now.side)
            labels.add(bar)
            assert (bar == "a die has been thrown since") == (len(interactive.playthrough.dice) > dice)
            assert (
                interactive.undo_refusal("blue" if now.side == "red" else "red") == f"the last choice was {now.side}'s"
            )
    assert labels == {"", "a die has been thrown since", "that was in another phase"}


@pytest.mark.parametrize("at", [0, 1, 7, 20])
def test_a_resumed_game_equals_an_uninterrupted_one(at: int) -> None:
    lines = whole("a")
    trial, _ = decode_trial(lines[: at + 1])
    assert trial is not None
    more: list[str] = []
    interactive = InteractiveGame(HARES, HARES.start("a"), more.append)
    assert repeat_choices(interactive, trial) is None
    end = play_on(interactive, "a")
    assert isinstance(end, FinishedGame)
    interactive.close(end)
    assert [*lines[: at + 1], *more] == lines


def test_an_undo_of_a_missing_choice_is_reported() -> None:
    lines = whole("a")
    trial, problems = decode_trial([*lines[:5], '{"what":"undo","step":4}', *lines[5:]])
    assert trial == decode_trial(lines)[0]
    assert [(problem.line, problem.reason) for problem in problems] == [(6, "there is no choice 4 to take back")]


def test_a_game_under_other_rules_is_not_resumed() -> None:
    trial, _ = decode_trial(whole("b"))
    assert trial is not None
    other = Game(hares(BOG_BARS), Interpreter(hares(BOG_BARS)))
    parted = repeat_choices(InteractiveGame(other, other.start("b")), trial)
    assert parted is not None
    assert parted.kind == "options"
