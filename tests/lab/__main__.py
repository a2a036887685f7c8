"""Long experiments of the lab, each with a command of its own.

`python3 -m tests.lab kill [-n 200] [-j 1]`: kill `compare` that many times at random moments, and resume it.

`python3 -m tests.lab tables [TABLE].. --out DIR [--situation NAME].. [--option NAME].. [-n 200] [--most 400] [-j 1]
[--path DIR] [--again]`: play what docs/results.md, options.md and strength.md have. Rows whose rules have changed are
dropped, and what has no row is played; with `--again` everything is. An option that is open after `-n` games is played
further, up to `--most`; players who meet play up to `--pairs`. `--path` names the boards of the printed cards.
"""

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from rulewright.system.errors import UsageError, suggestion_text
from tests.lab import tables
from tests.lab.killing import Kills, chain
from tests.lab.pairs import pairs, printed_cards, shipped, situations
from tests.lab.schedule import GREEDY, Schedule

# The kills of one experiment before it may finish.
CHAIN = 5


def main() -> int:
    """Run the command of the command line."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.lab", description=__doc__)
    commands = parser.add_subparsers(required=True)
    kill = commands.add_parser("kill")
    kill.add_argument("-n", type=int, default=200)
    kill.add_argument("-j", type=int, default=1)
    kill.set_defaults(do=killing)
    play = commands.add_parser("tables")
    play.add_argument("tables", nargs="*", help="all, without a name")
    play.add_argument("--situation", action="append", default=[])
    play.add_argument("--option", action="append", default=[])
    play.add_argument("-n", type=int, default=200, help="games of each row, at least")
    play.add_argument("--most", type=int, default=400, help="games of an option that stays open")
    play.add_argument("--pairs", type=int, default=30, help="pairs of games of two players, at most")
    play.add_argument("-j", type=int, default=1)
    play.add_argument("--player", default=GREEDY)
    play.add_argument("--out", type=Path, required=True)
    play.add_argument("--path", type=Path, action="append", default=[], help="boards that are not shipped")
    play.add_argument("--again", action="store_true", help="play rows again whose rules have not changed")
    play.set_defaults(do=measuring)
    options = parser.parse_args()
    try:
        return int(options.do(options))
    except UsageError as problem:
        parser.error(str(problem))


def measuring(options: argparse.Namespace) -> int:
    """Drop old rows, play what is missing, and write each row as soon as it is known."""
    if unknown := [name for name in options.tables if name not in tables.TABLES]:
        raise UsageError(f"there is no table `{unknown[0]}`; {suggestion_text(unknown[0], [*tables.TABLES])}")
    names = _named_situations(options)
    schedule = Schedule(
        options.n,
        max(options.n, options.most),
        options.pairs,
        options.j,
        options.out,
        datetime.now(UTC).date().isoformat(),
        options.player,
        tuple(options.path),
    )
    for name in options.tables or tables.TABLES:
        tables.play_table(name, names, options.option, schedule, is_repeated=options.again, say=say)
    return 0


def _named_situations(options: argparse.Namespace) -> list[str]:
    """Return the situations of a command line; without any those whose boards are shipped, with `--path` the others.

    `UsageError` for an unknown situation, and for an option that none of the situations has.
    """
    wanted = options.situation
    if unknown := [name for name in wanted if name not in shipped().scenarios]:
        raise UsageError(f"there is no situation `{unknown[0]}`; {suggestion_text(unknown[0], [*shipped().scenarios])}")
    names = wanted or [card.name.text for card in (printed_cards() if options.path else situations())]
    known = sorted({option for situation, option in pairs() if situation in names})
    if missing := [option for option in options.option if option not in known]:
        raise UsageError(f"no situation here has the option `{missing[0]}`; {suggestion_text(missing[0], known)}")
    return names


def killing(options: argparse.Namespace) -> int:
    """Kill experiments until `-n` kills are counted, and print the differences from an uninterrupted run."""
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(Path(folder), options.j)
        say(f"an undisturbed run takes {kills.seconds:.2f} s")
        number = 0
        while kills.done < options.n:
            chain(kills, f"chain{number}", min(CHAIN, options.n - kills.done))
            number += 1
            came = f"{kills.playing} between two games, {kills.torn} left a torn line, {kills.unhurt} came too late"
            say(f"{kills.done} kills, {came}, {len(kills.differences)} experiments differ")
    return 1 if kills.differences else 0


def say(line: str) -> None:
    """Print a line without buffering."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
