"""`python3 -m tests.importing [PLAYERS] [SEED]`: import the public facts, and play twenty cards on two stacks each."""

import sys
import tempfile
from pathlib import Path

from rulewright.exchange import import_package
from tests.importing.situations import TWENTY, find_facts, games


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Play the games and print their results; return 1 if one of them failed."""
    facts = find_facts()
    if facts is None:
        say("no folder of public facts; set RULEWRIGHT_FACTS to one")
        return 2
    players, seed = (sys.argv[1:] + ["random", "1"][len(sys.argv) - 1 :])[:2]
    failed = 0
    with tempfile.TemporaryDirectory() as aside:
        out = Path(aside) / "package"
        say(import_package(facts, out).summary())
        for game in games(TWENTY, out, players.split(","), seed):
            won = f"{game.data.get('winner') or 'nobody'} {game.data.get('level') or ''}".strip()
            message = (
                f"{won}, {game.data['turns']} turns, {game.data['decisions']} decisions"
                if game.data
                else game.message_text
            )
            say(f"{game.name}  {game.rules}  {game.players}: {message}")
            failed += game.code != 0
    say(f"{failed} games did not end")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
