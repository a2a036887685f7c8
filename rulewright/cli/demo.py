"""`rulewright demo`: what rulewright does, in two minutes."""

import os
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from rulewright.cli.console import Reply, print_note, show_progress

# The shipped games of the demonstration: two related games, a situation, and rules that change it.
GAME, SISTER = "panzer_leader", "panzerblitz"
SITUATION, OTHER_RULES = "bridge_at_millbrook", "panzer_leader+opportunity_fire"
GAMES, SECONDS = 200, 30.0
WITNESSES = 2


def demo(
    packages: list[Path],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Write the rulebook and the positions to this folder.")
    ] = Path("rulewright-demo"),
) -> Reply:
    """Compile everything, find what two games answer differently, measure a rule's effect, print the book."""
    print_note("Four steps; with an empty cache they take two minutes of processor time, later runs a part of it.")
    compiled = _compiled(packages)
    differences = _differences(packages, out)
    comparison, comparison_text = _comparison(packages)
    book = _book(packages, out)
    data = {"stacks": compiled, "diff": differences, "compare": comparison, "book": book}
    index = Path(book["folder"]) / "index.html"
    last = Text(
        f"\nthe rulebook: {index}\nthe positions: {out / 'positions'}"
        "\nto play a situation, or to ask by clicks: `rulewright open` shows a page in your browser"
    )
    broken = any(each["errors"] for each in compiled)
    return Reply(data, Group(comparison_text, last), findings=broken)


def _compiled(packages: list[Path]) -> list[dict[str, Any]]:
    """Compile every available stack."""
    from rulewright.cli.findings import count_findings
    from rulewright.library.example_targets import all_targets
    from rulewright.library.stacks import open_packages

    start = perf_counter()
    package_set = open_packages(packages)
    targets = all_targets(package_set)
    print_note(f"1. compiling {len(targets)} stacks ...")
    found: list[dict[str, Any]] = []
    with show_progress("compiling", len(targets)) as moved:
        for done_count, target in enumerate(targets):
            moved(done_count, len(targets))
            stack = package_set.compiled(target.stack, package_set.library.scenarios.get(target.scenario))
            rules = stack.graph
            errors = len([each for each in stack.diagnostics if each.severity == "error"])
            found.append({"stack": target.name, "rules": len(rules.rules) if rules else 0, "errors": errors})
            if errors:
                print_note(f"  {target.name}: {count_findings(stack.diagnostics)}; see `rulewright check`")
    largest = max(found, key=lambda each: int(each["rules"]))
    print_note(
        f"compiled {len(found)} stacks in {perf_counter() - start:.1f} s; the largest, {largest['stack']}, "
        f"has {largest['rules']} rules"
    )
    return found


def _differences(packages: list[Path], out: Path) -> dict[str, Any]:
    """Print the differences in answers of two related games."""
    from rulewright.contrast.differences import as_data, difference_of
    from rulewright.library.stacks import load_stack

    print_note(f"\n2. where {GAME} and {SISTER} answer differently (the first time, this takes most of a minute) ...")
    stack, other = load_stack(GAME, packages), load_stack(SISTER, packages)
    if stack.graph is None or other.graph is None:
        print_note("  not shown: one of them has errors")
        return {}
    graphs = stack.graph, other.graph
    with show_progress("comparing, changed rules", 0) as moved:
        difference = difference_of(stack, other, moved=moved)
    data = as_data(difference, (GAME, SISTER), graphs, out / "positions")
    differing = [each for each in data["terms"] if each["differs"]]
    print_note(
        f"  {len(differing)} questions, for {sum(len(each['groups']) for each in differing)} reasons; two of them:"
    )
    for each in sorted(differing, key=lambda each: -each["differs"])[:WITNESSES]:
        group = each["groups"][0]
        print_note(f"\n  {each['term']}: {group['summary']}")
        print_note(f"  {group['question']}: {group['a']} in {GAME}, {group['b']} in {SISTER}, in this position:")
        print_note("\n".join(f"    {line}" for line in group["position"].rstrip().split("\n")))
    return data


def _comparison(packages: list[Path]) -> tuple[dict[str, Any], Any]:
    """Measure the effect of other rules on a situation."""
    from rulewright.cli.comparison import describe_comparison
    from rulewright.errors import BrokenStackError
    from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
    from runtime.experiment.processes import start_processes
    from runtime.experiment.report import experiment_report

    try:
        stacks = load_stacks(SITUATION, (GAME, OTHER_RULES), (), packages)
    except BrokenStackError:
        return {}, Text("the comparison is not shown: the rules have errors")
    experiment = set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", None)
    jobs = os.cpu_count() or 1
    # A few games are timed to choose the number for the comparison, which plays them again.
    start = perf_counter()
    with start_processes(1) as single_process:
        experiment.run(2, single_process, lambda _done, _of: None)
    seconds_per_game = (perf_counter() - start) / 2
    games = max(10, min(GAMES, int(SECONDS * jobs / seconds_per_game)))
    print_note(f"\n3. {SITUATION} under {GAME} and under {OTHER_RULES}, {games} games each with the same dice ...")
    with show_progress("playing, games", games) as moved, start_processes(jobs) as pool:
        summary = experiment.run(games, pool, moved)
    return experiment_report(summary), describe_comparison(summary)


def _book(packages: list[Path], out: Path) -> dict[str, Any]:
    """Write the rulebook of the game, with its differences from the related game."""
    from compiler.rulebook.booklet import Baseline
    from compiler.rulebook.titles import book_title
    from rulewright.book_files import Forms, write_reference
    from rulewright.library.stacks import open_packages

    print_note(f"\n4. writing the rulebook of {GAME} ...")
    package_set = open_packages(packages)
    stack, other = package_set.compiled(GAME), package_set.compiled(SISTER)
    if stack.graph is None:
        return {"folder": str(out), "files": [], "pages": 0, "anchors": 0}
    # The printed differences only; `reference --against` also searches for positions in which answers differ.
    against = Baseline(other.graph, book_title(other.graph)) if other.graph else None
    return {"folder": str(out / "book"), **write_reference(package_set, stack, against, out / "book", Forms()).data}
