"""`python -m tests.fuzz TARGET -n 100000 --seed 1`: run mutants of the shipped corpus as input.

TARGET is rules, tables, frames (manifests, registers, boards, cards), position, ask, graph, trial or all. `--only N`
runs mutant N and prints it.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.run_mutants import TARGETS, Range, run_mutants


def main() -> int:
    """Run mutants, and print the failures."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("-n", type=int, default=1000, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this one mutant and print it")
    given = parser.parse_args()
    caught = 0
    for target in TARGETS if given.target == "all" else [given.target]:
        with tempfile.TemporaryDirectory() as place:
            for failure in run_mutants(target, Range(given.n, given.seed, given.only), Path(place)):
                caught += 1
                sys.stdout.write(f"{target} {failure.number}: {failure.what}\n")
                if given.only is not None:
                    sys.stdout.write(failure.mutant + "\n")
                sys.stdout.flush()
    sys.stdout.write(f"{caught} caught\n")
    return min(caught, 1)


if __name__ == "__main__":
    sys.exit(main())
