"""Slow players choose in a separate process, so that the page remains responsive and can cancel them.

In: a request as JSON on stdin: the trial file of a game, and the packages. Out: a line of JSON for each choice
(`at`: the number of choices before it, `option`: its index), until a decision of a human player or the end of the game.
The process only reads the file: the server makes and records the choices.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulewright.games.journal import read_trial
from rulewright.games.scenarios import HUMAN, game_of, known_players, load_recorded
from rulewright.serve.workbench.jobs import Job, Jobs
from rulewright.system.errors import UsageError
from rulewright.system.worker import end_with_starter
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import mismatch_text, repeat_choices

# The players that choose in milliseconds; others may take minutes for a turn.
QUICK = frozenset({"greedy", "random"}) & frozenset(PLAYERS)
MODULE = "rulewright.serve.workbench.player_process"


def needs_process(player: str) -> bool:
    """Return whether a player may need a long time for a choice."""
    return player not in QUICK and player != HUMAN


@dataclass(slots=True)
class PlayerProcess:
    """The process that chooses in a game; `lines_read` is the number of its lines that have been applied."""

    job: Job
    lines_read: int = 0

    def choices(self) -> list[tuple[int, int]]:
        """Return the new choices, as (number of choices before, option)."""
        new = self.job.lines[self.lines_read :]
        self.lines_read += len(new)
        messages = [json.loads(line) for line in new]
        return [(message["at"], message["option"]) for message in messages]


def start_player(jobs: Jobs, file: Path, packages: tuple[Path, ...]) -> PlayerProcess:
    """Start a process that continues a game."""
    request = {"file": file.as_posix(), "packages": [package.as_posix() for package in packages]}
    return PlayerProcess(jobs.all[jobs.begin_module(MODULE, request)])


def _choose_options(file: Path, packages: tuple[Path, ...], tell: Callable[[str], None]) -> None:
    """Choose for all players except humans, from the end of a trial on."""
    trial = read_trial(file)
    rules = load_recorded(trial.heading, packages).rules
    game = game_of(rules)
    interactive = InteractiveGame(game, game.start(trial.heading.seed), lambda _: None)
    if parted := repeat_choices(interactive, trial):
        raise UsageError(mismatch_text(trial, rules, parted))
    names = trial.heading.players
    players = {side: known_players(player, {}) for side, player in names.items() if player != HUMAN}
    seats = seat_players(players, trial.heading.seed)
    while isinstance(decision := interactive.ask(), Decision) and decision.side in seats:
        option = choose_option(game, interactive.playthrough, decision, seats)
        tell(json.dumps({"at": interactive.playthrough.choice_count, "option": option}))
        interactive.choose(decision, option)


def main() -> int:
    """Read the request, and print choices."""
    end_with_starter()
    request = json.load(sys.stdin)
    try:
        _choose_options(Path(request["file"]), tuple(Path(each) for each in request["packages"]), _send)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _send(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
