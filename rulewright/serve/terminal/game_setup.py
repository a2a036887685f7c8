"""Set-up of a game: its players, its file, and whether it is new or resumed.

In: a graph with its card, players by name, and a file. Out: the `PlayedGame`. A game with a player at the terminal is
always recorded in a file, by default in the user's cache. A game among policies is recorded only if a file is
specified. No file is overwritten.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from compiler.source.finding import Finding
from rulewright.games.faults import fault_of, fault_of_play
from rulewright.games.journal import Journal, create_journal
from rulewright.games.scenarios import HUMAN, PlayedGame, game_of, known_players, players_of
from rulewright.library import cache
from rulewright.serve.terminal.game_display import Console, GameDisplay
from rulewright.system.errors import UsageError
from runtime.experiment.report import game_report as report
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.game import FinishedGame
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import Player, seat_players
from runtime.trial.interactive_game import InteractiveGame, discard_line
from runtime.trial.nodes import Trial
from runtime.trial.record import play_on
from runtime.trial.replay import mismatch_text, repeat_choices


@frozen_dataclass
class GameSetup:
    """The setup of a game: rules, players (None: those of the trial, or random ones), seed, and file."""

    rules: graph.Graph
    players: str | None
    seed: str
    record: Path | None
    others: Mapping[str, Player]


def play_game(
    setup: GameSetup, console: Callable[[], Console], journal: Journal | None, trial: Trial | None
) -> PlayedGame:
    """Play a new game, or resume a recorded one."""
    names = _names(setup, trial)
    humans = frozenset(side for side, name in names.items() if name == HUMAN)
    if trial and trial.result:
        raise UsageError(f"this game is over: {trial.result.winner or 'nobody'} won; `replay` plays it again")
    game = game_of(setup.rules)
    if humans:
        game.tell_accounts()
    fresh = journal is None
    if journal is None and (humans or setup.record):
        journal = create_journal(setup.record or game_file(setup.rules, setup.seed))
    interactive = InteractiveGame(game, game.start(setup.seed), journal.write if journal else discard_line)
    try:
        if trial:
            _repeat(interactive, trial, setup.rules)
        if fresh:
            interactive.write_heading(names, setup.seed)
        seats = seat_players(_players_by_side(names, setup.others), setup.seed)
        end = GameDisplay(interactive, humans, console()).play(seats) if humans else play_on(interactive, seats)
    except BrokenRules as broken:
        return _failed_game(fault_of_play(broken))
    except Unanswered as unanswered:
        return _failed_game(fault_of(unanswered, interactive.playthrough.state))
    finally:
        if fresh and journal:
            journal.close()
    return _played_game(setup, interactive, end, journal)


def _repeat(interactive: InteractiveGame, trial: Trial, rules: graph.Graph) -> None:
    """Repeat the choices of a trial; raise `UsageError` if one is not open under these rules."""
    divergence = repeat_choices(interactive, trial)
    if divergence:
        raise UsageError(mismatch_text(trial, rules, divergence))


def _played_game(
    setup: GameSetup, interactive: InteractiveGame, end: FinishedGame | None, journal: Journal | None
) -> PlayedGame:
    """Return a game that has ended, or that its player has left."""
    playthrough = interactive.playthrough
    data = report(setup.rules, playthrough, end) if end else None
    unsettled = interactive.game.obligations.unsettled_offers(playthrough)
    return PlayedGame(data, end, None, setup.seed, journal.file if journal else None, unsettled)


def _names(setup: GameSetup, trial: Trial | None) -> dict[str, str]:
    """Return the players by side: those of the setup, otherwise those of the trial, otherwise random ones."""
    others = {**setup.others, HUMAN: _no_player}
    if trial and setup.players is None:
        return players_of(setup.rules, ",".join(f"{s}={name}" for s, name in trial.heading.players.items()), others)
    return players_of(setup.rules, setup.players or "random", others)


def _players_by_side(names: Mapping[str, str], others: Mapping[str, Player]) -> dict[str, Player]:
    """Return the policies by side, without players at the terminal."""
    return {side: known_players(name, others) for side, name in names.items() if name != HUMAN}


def _no_player(*_: object) -> int:
    raise AssertionError("a person is asked at the terminal")


def _failed_game(problem: Finding) -> PlayedGame:
    return replace(PlayedGame(None, None, None), problem=problem)


def games_folder() -> Path:
    """Return the folder of the cache for games without a specified file."""
    try:
        return cache.own_folder() / "games"
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}; name a file for the game with `--record`") from None


def game_file(rules: graph.Graph, seed: str) -> Path:
    """Return an unused file of the cache for a game without a specified file."""
    card, folder = rules.scenario, games_folder()
    number = 1
    while (file := folder / f"{card.name if card else 'game'}-{seed}-{number}.trial").exists():
        number += 1
    return file
