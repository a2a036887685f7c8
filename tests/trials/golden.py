"""Golden games of the hares; `python -m tests.trials.golden` records them again, for a review of the difference."""

from pathlib import Path

from runtime.answer.generate import GeneratedEvaluator
from runtime.play.game import Game
from runtime.players.player_names import PLAYERS
from tests.toys.hares import hares
from tests.trials.recording import record_game

FOLDER = Path(__file__).parent / "golden"
GAMES = {"random": "golden", "greedy": "golden"}


def written(player: str, seed: str) -> str:
    """Play a game and return the text of its trial."""
    rules = hares()
    game = Game(rules, GeneratedEvaluator(rules))
    lines: list[str] = []
    names = {"red": player, "blue": player}
    record_game(
        game, game.start(seed), {side: PLAYERS[name] for side, name in names.items()}, names, seed, lines.append
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for player, seed in GAMES.items():
        (FOLDER / f"{player}.jsonl").write_text(written(player, seed), encoding="utf-8")
