"""`python -m tests.table [KILLS]`: kill processes during play, 200 times by default, and check their journals."""

import random
import sys
import tempfile
from pathlib import Path

from tests.table.killing import Killer, whole


def main() -> int:
    """Kill the processes, and print the counts."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    chance = random.Random("kill")
    kills = torn = games = 0
    with tempfile.TemporaryDirectory() as folder:
        while kills < wanted:
            seed = f"killed-{games}"
            killer = Killer(Path(folder) / f"{seed}.trial", seed, chance)
            killer.play(whole(seed), min(12, wanted - kills))
            kills, torn, games = kills + killer.kills, torn + killer.torn, games + 1
            sys.stdout.write(f"{kills} kills, {torn} torn lines, {games} games: nothing acknowledged is lost\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
