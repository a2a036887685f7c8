"""`python -m tests.faults --seed N -n 6`: plant faults in the shipped rules, and count by kind which are located."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rulewright.library.stacks import open_packages
from tests.faults import exchanges, prose
from tests.faults.draw import DEVELOP, HELD_OUT, KINDS, drawn
from tests.faults.judge import CAUSE, ELSEWHERE, MISSED, Judge, Verdict


def main() -> int:
    """Plant faults, judge the findings, and print the verdicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("-n", type=int, default=6, help="faults of each kind")
    parser.add_argument("--half", choices=["", DEVELOP, HELD_OUT], default="", help="of which half of the packages")
    parser.add_argument("--texts", action="store_true", help="exchange words of sentences instead, in compiled rules")
    parser.add_argument("--kinds", default="", help="only kinds that begin so")
    given = parser.parse_args()
    if given.texts:
        say(exchanged(given.seed, given.n))
        return 0
    kinds = [kind for kind in KINDS if kind.startswith(given.kinds)]
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory() as place:
        judge = Judge.in_copy(Path(place))
        for fault in drawn(given.seed, given.n, given.half, kinds):
            verdicts.append(judge.judge(fault, prose=fault.kind in prose.READ))
            say(verdicts[-1].summary())
    say(table(verdicts))
    return 0


def exchanged(seed: str, each: int) -> str:
    """Exchange words in sentences of some stacks; return how many exchanges are found, by kind."""
    count: Counter[tuple[str, bool]] = Counter()
    packages = open_packages(())
    for name in exchanges.STACKS:
        stack = packages.compiled(name).graph
        assert stack is not None, name
        known = exchanges.finding_texts(stack)
        for exchange in exchanges.drawn(stack, seed, each):
            found = exchanges.is_found(stack, exchange, known)
            count[exchange.kind, found] += 1
            say(f"{'found' if found else 'missed':7} {exchange.kind:11} {exchange.summary()}")
    kinds = ((kind, count[kind, True], count[kind, False]) for kind in exchanges.KINDS)
    return "\n".join(f"{kind:12} {found:4} of {found + missed:4}" for kind, found, missed in kinds)


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
