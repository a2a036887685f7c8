"""`python -m tests.edits --seed N -n 300`: edit the shipped rules at random, and check what `diff` reports.

Each edit is drawn by stack, seed and number: `--only STACK:SEED-NUMBER` runs one again and prints the text of `diff`.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from runtime.witness.change_report import NOT_COMPARABLE, PROVED_SAME, UNKNOWN_EFFECT, WITNESS_FOUND
from tests.edits.edit import Workshop, drawn
from tests.edits.judge import QUIET, RIGHT, Verdict, judge
from tests.edits.oracle import Oracle
from tests.fuzz.packages import open_corpus

# Stacks, with the card on which games are played.
STACKS = {
    "panzer_leader": "bridge_at_millbrook",
    "panzerblitz": "ridge_farm",
    "panzer_grenadier": "hazel_ford",
    "pl1940": "",
    "low_tide": "before_the_tide",
    "panssari_salama": "",
    "panzer_leader+opportunity_fire": "bridge_at_millbrook",
    "panzer_grenadier+pg_smoke": "hazel_ford",
    "panzer_grenadier+pg_overrun": "hazel_ford",
    "panzerblitz+pb_assault": "ridge_farm",
}
QUESTIONS = 10_000


def main() -> int:
    """Draw edits, judge them, and print the verdicts."""
    parser = argparse.ArgumentParser(prog="python -m tests.edits", description=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("-n", type=int, default=300, help="edits in all")
    parser.add_argument("--stacks", nargs="+", default=[*STACKS])
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="random questions about each edit")
    parser.add_argument("--only", default="", help="STACK:SEED-NUMBER: run one edit again")
    parser.add_argument("--text", action="store_true", help="print what diff says of each edit that is not right")
    given = parser.parse_args()
    stacks = [given.only.partition(":")[0]] if given.only else given.stacks
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory() as place:
        corpus = open_corpus(Path(place))
        for number, stack in enumerate(stacks):
            share = given.n // len(stacks) + (number < given.n % len(stacks))
            workshop = Workshop(corpus, stack, STACKS.get(stack, ""))
            oracle = Oracle(workshop.a, workshop.card_a, given.questions)
            on_card = Oracle(workshop.card_a, workshop.card_a, given.questions) if workshop.card_a else None
            wanted = given.only.partition(":")[2]
            for edit in drawn(workshop, given.seed, share, wanted):
                verdict = judge(edit, oracle, on_card)
                verdicts.append(verdict)
                say(f"{verdict.summary()}\n    {verdict.seconds:.1f} s")
                if wanted or (given.text and verdict.verdict not in {RIGHT, QUIET}):
                    say(verdict.text)
    say(table(verdicts))
    return 0


def table(verdicts: list[Verdict]) -> str:
    """Return a table of the verdicts by kind of edit."""
    heads = list(dict.fromkeys(("right cause", *(each.verdict for each in verdicts))))
    kinds = sorted({each.edit.kind for each in verdicts})
    count = Counter((each.edit.kind, each.verdict) for each in verdicts)
    seen = Counter(each.edit.kind for each in verdicts if each.seen.anything)
    lines = [f"{'kind':24}{'edits':>7}{'seen':>6}" + "".join(f"{head:>26}" for head in heads)]
    for kind in kinds:
        total = sum(count[kind, head] for head in heads)
        lines.append(f"{kind:24}{total:7}{seen[kind]:6}" + "".join(f"{count[kind, head]:26}" for head in heads))
    totals = Counter(each.verdict for each in verdicts)
    lines.append(f"{'all':24}{len(verdicts):7}{seen.total():6}" + "".join(f"{totals[head]:26}" for head in heads))
    states = Counter(status for each in verdicts for status, *_ in each.accounts)
    lines.append(
        "accounts of changes: "
        + ", ".join(f"{states[each]} {each}" for each in (WITNESS_FOUND, PROVED_SAME, NOT_COMPARABLE, UNKNOWN_EFFECT))
    )
    lines.append(f"witnesses at fault: {sum(len(each.faults) for each in verdicts)}")
    slow = max(verdicts, key=lambda each: each.seconds, default=None)
    if slow:
        lines.append(f"slowest {slow.seconds:.1f} s: {slow.edit.stack} {slow.edit.seed}")
    return "\n".join(lines)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
