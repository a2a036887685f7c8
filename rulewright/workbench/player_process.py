"""Players that think long choose in a process of their own, so that the page goes on answering and may end them.

In: a request as JSON on stdin: the trial file of a game, and the packages in reach. Out: a line of JSON for each choice
(`at`: how many there were before it, `option`: its place among those open), until a person is asked or the game is
over. The process only reads the file: what it tells is made, and written down, by the server.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.games import game_of, known_players, load_recorded
from rulewright.journal import read_trial
from rulewright.table.game_setup import HUMAN
from rulewright.workbench.jobs import Job, Jobs
from runtime.play.choices import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import resume

# Players that choose in milliseconds; others may take minutes over a turn.
QUICK = frozenset({"greedy", "random"}) & frozenset(PLAYERS)
MODULE = "rulewright.workbench.player_process"


def needs_process(player: str) -> bool:
    """Return whether a player may take long over one choice."""
    return player not in QUICK and player != HUMAN


@dataclass(slots=True)
class PlayerProcess:
    """The process that chooses in one game; so many of its lines (`lines_read`) have been carried out."""

    job: Job
    lines_read: int = 0

    def choices(self) -> list[tuple[int, int]]:
        """Return the choices that it has told since it was asked last: at which choice of the game, which option."""
        new = self.job.lines[self.lines_read :]
        self.lines_read += len(new)
        told = [json.loads(line) for line in new]
        return [(each["at"], each["option"]) for each in told]


def begin(jobs: Jobs, file: Path, packages: tuple[Path, ...]) -> PlayerProcess:
    """Start a process that goes on with a game."""
    request = {"file": file.as_posix(), "packages": [each.as_posix() for each in packages]}
    return PlayerProcess(jobs.all[jobs.begin_module(MODULE, request)])


def think(file: Path, packages: tuple[Path, ...], tell: Callable[[str], None]) -> None:
    """Choose for all that are no people, from where a trial ends."""
    trial = read_trial(file)
    stack = load_recorded(trial.heading, packages)
    if stack.is_broken or stack.graph is None:
        raise UsageError("the rules of the game have errors")
    game = game_of(stack.graph)
    interactive = InteractiveGame(game, game.start(trial.heading.seed), lambda _: None)
    if resume(interactive, trial):
        raise UsageError("the rules have changed since the game was played")
    names = trial.heading.players
    players = {side: known_players(player, {}) for side, player in names.items() if player != HUMAN}
    seats = seat_players(players, trial.heading.seed)
    while isinstance(now := interactive.ask(), Decision) and now.side in seats:
        option = choose_option(game, interactive.playthrough, now, seats)
        tell(json.dumps({"at": interactive.playthrough.choices, "option": option}))
        interactive.choose(now, option)


def main() -> int:
    """Read the request and choose."""
    request = json.load(sys.stdin)
    try:
        think(Path(request["file"]), tuple(Path(each) for each in request["packages"]), _send)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _send(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
