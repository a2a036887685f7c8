"""`python -m tests.soak SCENARIO [--rules STACK] [-n N] [--seed S]`: play many games, and print all violations.

Players alternate between random and greedy, or follow `--players`. Without `--rules`, the stacks are that of the card,
that with each option, and that with all options.
"""

import argparse
import sys
import time
from contextlib import suppress

from runtime.graph import nodes as graph
from tests.soak.games import Soak, Tally
from tests.soak.stacks import compiled, package_set, wanted
from tests.soak.unreached import reasons


def main() -> int:
    """Play the games of each stack, and print the results."""
    options = arguments()
    found = package_set()
    card = found.library.scenarios[options.scenario]
    stacks = [options.rules] if options.rules else list(wanted(found, card))
    wrong = 0
    for name in stacks:
        rules = compiled(found, card, name)
        soak = Soak(rules, name, hears=not options.deaf and not options.compiled, compiled=options.compiled)
        began = time.monotonic()
        with suppress(KeyboardInterrupt):  # After an interrupt the games so far are printed.
            for number in range(options.n):
                style = options.players[number % len(options.players)]
                sides = rules.scenario.order if rules.scenario else ()
                soak.play(dict.fromkeys(sides, style), f"{options.seed}-{number}")
        tell(soak.tally, rules, time.monotonic() - began, deaf=options.deaf or options.compiled)
        wrong += len(soak.tally.wrong)
    return 1 if wrong else 0


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("--rules", help="one stack instead of all")
    parser.add_argument("-n", type=int, default=10, help="games of each stack")
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--players", nargs="+", default=["random", "greedy"])
    parser.add_argument("--deaf", action="store_true", help="do not listen to which rules are live; faster")
    parser.add_argument("--compiled", action="store_true", help="play in compiled code, deaf, and watch; faster still")
    return parser.parse_args()


def tell(tally: Tally, rules: graph.Graph, seconds: float, *, deaf: bool) -> None:
    """Print the results of one stack."""
    say(f"== {tally.stack}: {tally.games} games, {tally.decisions} decisions, {seconds:.0f} s")
    for (style, winner), count in sorted(tally.wins.items()):
        say(f"   {style}: {winner} wins {count}")
    for sentence, place in sorted(tally.wrong.items()):
        say(f"   WRONG {sentence}\n         {place}")
    for why, count in tally.by_machine.most_common():
        say(f"   {count} games by the machine: {why}")
    say(f"   actions never taken: {', '.join(tally.never_taken(rules)) or 'none'}")
    if not deaf:
        never = tally.never_live(rules)
        say(f"   rules never live: {len(never)} of {len(rules.rules)}")
        known = reasons()
        for label, why in never:
            say(f"     {label}: {why}. {known.get(label, 'No reason is known.')}")
    sys.stdout.flush()


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
