"""Long experiments of the lab, each with a command of its own.

`python3 -m tests.lab kill [-n 200] [-j 1]`: kill `compare` that many times at random moments, and resume it.

`python3 -m tests.lab long [SCENARIO] [--rules STACK].. [-n 10000] [-j 2]`: many games, with memory and throughput.

`python3 -m tests.lab effects [SITUATION].. [--option NAME].. [-n 200] [--most 1600] [-j 1] [--player greedy] [--path
DIR] --out DIR`: what options do to balance and how often they are used, for docs/results.csv; an option that is open
after `-n` games is played further, up to `--most`. `--path` names the boards of the printed cards. `effects
[SITUATION].. [--path DIR] --outdated` plays nothing, and names the recorded rows whose rules have changed.
"""

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.system.errors import UsageError, suggestion_text
from tests.lab import effects
from tests.lab.bench import PACKAGES
from tests.lab.killing import Kills, chain
from tests.lab.long import play_long, say
from tests.lab.pairs import pairs, printed_cards, shipped, situations

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
    long = commands.add_parser("long")
    long.add_argument("scenario", nargs="?", default="skirmish")
    long.add_argument("--rules", action="append")
    long.add_argument("--players", action="append")
    long.add_argument("-n", type=int, default=10_000)
    long.add_argument("-j", type=int, default=2)
    long.add_argument("--ignore_choice", action="store_true", help="do not look at positions; faster")
    long.set_defaults(do=playing)
    play = commands.add_parser("effects")
    play.add_argument("situations", nargs="*")
    play.add_argument("--option", action="append", default=[])
    play.add_argument("-n", type=int, default=200, help="games of each option, at least")
    play.add_argument("--most", type=int, default=1600, help="games of an option that stays open")
    play.add_argument("-j", type=int, default=1)
    play.add_argument("--player", default=effects.GREEDY)
    where = play.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path)
    where.add_argument("--outdated", action="store_true", help="name the rows whose rules have changed")
    play.add_argument("--path", type=Path, action="append", default=[], help="boards that are not shipped")
    play.set_defaults(do=measuring)
    options = parser.parse_args()
    try:
        return int(options.do(options))
    except UsageError as problem:
        parser.error(str(problem))


def measuring(options: argparse.Namespace) -> int:
    """Play options in situations, and write each effect as soon as it is known."""
    if options.outdated:
        return naming_outdated(options)
    schedule = effects.Schedule(
        options.n,
        max(options.n, options.most),
        options.j,
        options.out / options.player.replace(":", "_"),
        datetime.now(UTC).date().isoformat(),
        options.player,
        tuple(options.path),
    )
    for name in _named_situations(options):
        for row in effects.effects(name, options.option, schedule):
            effects.record([row])
            text = effects.page(effects.RESULTS.read_text(encoding="utf-8"), effects.recorded())
            effects.RESULTS.write_text(text, encoding="utf-8")
            say(f"{row.situation}, {row.option}, {row.player}: {row.settled}")
    return 0


def naming_outdated(options: argparse.Namespace) -> int:
    """Print the recorded rows of the situations whose rules have changed since."""
    names = _named_situations(options)
    rows = [row for row in effects.recorded() if row.situation in names]
    for row in rows:
        if effects.outdated(row, options.path):
            say(f"{row.situation}, {row.option}, {row.player}: its rules have changed")
    say(f"{len(rows)} rows looked at")
    return 0


def _named_situations(options: argparse.Namespace) -> list[str]:
    """Return the situations of a command line; without any those whose boards are shipped, with `--path` the others.

    `UsageError` for an unknown situation, and for an option that none of the situations has.
    """
    if unknown := [name for name in options.situations if name not in shipped().scenarios]:
        raise UsageError(f"there is no situation `{unknown[0]}`; {suggestion_text(unknown[0], [*shipped().scenarios])}")
    names = options.situations or [each.name.text for each in (printed_cards() if options.path else situations())]
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


def playing(options: argparse.Namespace) -> int:
    """Play a long experiment, and print throughput, memory and faults."""
    stacks = load_stacks(options.scenario, options.rules or [], [], [PACKAGES])
    experiment = set_up(stacks, parse_seatings(stacks, options.players or ["greedy"], swaps_sides=False), "long", None)
    summary, memory, seconds = play_long(experiment, options.n, options.j, watch=not options.ignore_choice)
    played = sum(arm.n for arm in summary.arms) + summary.broken
    decisions = sum(arm.n * arm.choices for arm in summary.arms)
    say(f"{played} games, {decisions:.0f} decisions in {seconds:.0f} s: {played / seconds:.2f} games a second")
    quarter, end = len(memory.own_memory) // 4, -1
    for whose, held in (("this process", memory.own_memory), ("the workers", memory.workers)):
        say(f"{whose}: {held[quarter]:.0f} MB after a quarter, {held[end]:.0f} MB at the end")
    say(f"{summary.broken} games broke or came to an unlawful position")
    for fault in summary.faults[:5]:
        say(f"  {fault.rules}, seed {fault.seed}: {fault.message}")
    return 1 if summary.broken else 0


if __name__ == "__main__":
    sys.exit(main())
