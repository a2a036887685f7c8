"""`python -m tests.faults --seed N -n 6`: plant faults in the shipped rules, and count by kind which are located."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.faults import prose
from tests.faults.draw import DEVELOP, HELD_OUT, KINDS, drawn
from tests.faults.judge import CAUSE, ELSEWHERE, MISSED, Judge, Verdict


def main() -> int:
    """Plant faults, judge the findings, and print the verdicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("-n", type=int, default=6, help="faults of each kind")
    parser.add_argument("--half", choices=["", DEVELOP, HELD_OUT], default="", help="of which half of the packages")
    parser.add_argument("--kinds", default="", help="only kinds that begin so")
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if kind.startswith(given.kinds)]
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory() as place:
        judge = Judge.in_copy(Path(place))
        for fault in drawn(given.seed, given.n, given.half, kinds):
            verdicts.append(judge.judge(fault, prose=fault.kind in prose.READ))
            say(verdicts[-1].summary())
    say(table(verdicts))
    return 0


def table(verdicts: list[Verdict]) -> str:
    """Return a table of the verdicts by kind of fault."""
    count = Counter((each.fault.kind, each.outcome) for each in verdicts)
    count.update(("all", each.outcome) for each in verdicts)
    heads = (CAUSE, ELSEWHERE, MISSED)
    kinds = [*dict.fromkeys(each.fault.kind for each in verdicts), "all"]
    lines = [f"{'kind':20}" + "".join(f"{head:>14}" for head in heads)]
    lines += [f"{kind:20}" + "".join(f"{count[kind, head]:14}" for head in heads) for kind in kinds]
    return "\n".join(lines)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
