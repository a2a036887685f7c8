"""Games of players that are recorded while they are played."""

from collections.abc import Mapping

from rulewright.games.scenarios import game_of, known_players
from runtime.graph import nodes as graph
from runtime.play.game import FinishedGame, Game
from runtime.play.playthrough import Playthrough
from runtime.players.player import Player, seat_players
from runtime.trial.interactive_game import InteractiveGame, Write
from runtime.trial.record import play_on


def record_game(
    game: Game,
    playthrough: Playthrough,
    players: Mapping[str, Player],
    names: Mapping[str, str],
    seed: str,
    write: Write,
) -> FinishedGame:
    """Play a game that was started from this seed, record it, and return its end."""
    interactive = InteractiveGame(game, playthrough, write)
    interactive.write_heading(names, seed)
    return play_on(interactive, seat_players(players, seed))


def record_named(rules: graph.Graph, names: Mapping[str, str], seed: str, write: Write) -> FinishedGame:
    """Play and record a game of players by name."""
    game = game_of(rules)
    players = {side: known_players(name, {}) for side, name in names.items()}
    return record_game(game, game.start(seed), players, names, seed, write)
