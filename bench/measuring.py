"""The command line of `python3 -m bench`: how fast it is, beside what one would use instead.

Nothing here is asserted in tests: numbers are ratios taken in one run, and a test that times anything fails on
somebody's machine. `--write` puts what was found into docs/performance.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bench.charts import charts
from bench.checking import checking
from bench.commands import commands
from bench.compiled import compiled
from bench.compiling import compiling, growth
from bench.editing import editing
from bench.finding import INTERPRETER, Finding, interpreter
from bench.page import PAGE, page, table
from bench.players import players
from bench.playing import QUICK_PLAYERS, playing
from bench.playouts import playouts
from bench.printing import printing
from bench.profiles import profile
from bench.terms import terms

LOAD = "wanted a core in the minute before"

Section = Callable[[bool], Iterator[Finding]]


def profiles() -> Iterator[Finding]:
    """Profile every player."""
    for player in QUICK_PLAYERS:
        yield from profile(player)


# By what `--only` calls them, in the order in which they run.
SECTIONS: dict[str, Section] = {
    "charts": lambda quick: charts(quick=quick),
    "terms": lambda quick: terms(quick=quick),
    "compiling": lambda quick: compiling(quick=quick),
    "growth": lambda quick: growth(quick=quick),
    "playing": lambda quick: playing(quick=quick),
    "players": lambda quick: players(quick=quick),
    "compiled": lambda quick: compiled(quick=quick),
    "playouts": lambda quick: playouts(quick=quick),
    "printing": lambda quick: printing(quick=quick),
    "editing": lambda quick: editing(quick=quick),
    "checking": lambda quick: checking(quick=quick),
    "commands": lambda quick: commands(quick=quick),
    "profile": lambda _: profiles(),
}


def measured(names: list[str], *, quick: bool) -> list[Finding]:
    """Measure sections, one after the other, and say on the way which. Each begins with the load of the machine."""
    found = [interpreter()]
    for name in names:
        sys.stderr.write(f"{name} ..\n")
        load = busy_processes()
        section = list(SECTIONS[name](quick))
        found += [Finding(section[0].section, LOAD, "processes", load), *section]
    return list(map(marked_quick, found)) if quick else found


def marked_quick(finding: Finding) -> Finding:
    """Say in the heading of a finding that a quick run found it."""
    return finding if finding.section == INTERPRETER else replace(finding, section=f"{finding.section}, a quick run")


def busy_processes() -> float | None:
    """Return how many processes wanted a core in the last minute; None where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def stored_findings(files: list[Path]) -> list[Finding]:
    """Read what earlier runs found; each has a line of its interpreter, of which equal ones are one."""
    data = [each for file in files for each in json.loads(file.read_text(encoding="utf-8"))]
    return list(dict.fromkeys(map(Finding.from_data, data)))


def main() -> int:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure Rulewright beside its peers.")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller sizes")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE} anew")
    parser.add_argument("--only", action="append", choices=sorted(SECTIONS), help="one section; may be repeated")
    parser.add_argument("--found", action="append", type=Path, help="findings of an earlier --json, not measured again")
    options = parser.parse_args()
    found = (
        stored_findings(options.found)
        if options.found
        else measured(options.only or list(SECTIONS), quick=options.quick)
    )
    sys.stdout.write(json.dumps([each.data() for each in found], indent=2) + "\n" if options.json else table(found))
    if options.write:
        place = Path(__file__).parent.parent / PAGE
        place.write_text(page(found), encoding="utf-8")
    return 0
