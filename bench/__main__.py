"""`python -m bench [--quick] [--json] [--write] [--only SECTION]`: how fast it is, beside what one would use instead.

Nothing here is asserted in tests: numbers are ratios taken in one run, and a test that times anything fails on
somebody's machine. `--write` puts what was found into docs/performance.md.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.charts import charts
from bench.compiling import compiling, growth
from bench.finding import Finding
from bench.page import PAGE, page, table
from bench.playing import playing
from bench.printing import printing
from bench.profiles import profile
from bench.terms import terms
from runtime.players.named import PLAYERS

Section = Callable[[bool], Iterator[Finding]]


def profiles() -> Iterator[Finding]:
    """Profile every player."""
    for player in PLAYERS:
        yield from profile(player)


# By what `--only` calls them, in the order in which they run.
SECTIONS: dict[str, Section] = {
    "charts": lambda quick: charts(quick=quick),
    "terms": lambda quick: terms(quick=quick),
    "compiling": lambda quick: compiling(quick=quick),
    "growth": lambda quick: growth(quick=quick),
    "playing": lambda quick: playing(quick=quick),
    "printing": lambda quick: printing(quick=quick),
    "profile": lambda _: profiles(),
}


def main() -> int:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure Rulewright beside its peers.")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller sizes")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE} anew")
    parser.add_argument("--only", action="append", choices=sorted(SECTIONS), help="one section; may be repeated")
    asked = parser.parse_args()
    found = [each for name in asked.only or SECTIONS for each in SECTIONS[name](asked.quick)]
    sys.stdout.write(json.dumps([each.data() for each in found], indent=2) + "\n" if asked.json else table(found))
    if asked.write:
        place = Path(__file__).parent.parent / PAGE
        place.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
