"""`rulewright test STACK`: run the examples; with `--mutate` see what they protect."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply

if TYPE_CHECKING:
    from rich.text import Text

    from rulewright.checks.revisions.regressions import Regressions
    from rulewright.checks.testing import ExampleFindings, ExampleReport
    from rulewright.library.stacks import PackageSet, Stack
    from runtime.examples.coverage import CoverageReport

# The default time limit in minutes for mutants: the largest shipped game takes fifteen.
MINUTES = 30
# The data of a test without mutants.
UNMUTATED: dict[str, Any] = {"unprotected": [], "unprotected_at": []}


def test(
    stack: StackName,
    packages: list[Path],
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Change one place at a time, and list the changes that no example notices.")
    ] = False,  # noqa: PT028 -- a command named test, not a test
    since: Annotated[
        str,
        typer.Option(
            metavar="REV",
            help="Consider changes since this git revision, not the last commit; with --mutate: mutate only what "
            "changed.",
        ),
    ] = "",  # noqa: PT028 -- as above
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="PLACE", help="With --mutate: mutate only this file, folder, rule or procedure."),
    ] = None,  # noqa: PT028 -- as above
    budget: Annotated[
        float, typer.Option(metavar="MINUTES", min=0, help="With --mutate: stop after this time (0: no limit).")
    ] = MINUTES,  # noqa: PT028 -- as above
    sample: Annotated[
        int, typer.Option(metavar="N", min=1, help="With --mutate: try one mutant in N, always the same ones.")
    ] = 1,  # noqa: PT028 -- as above
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="With --sample: which of the N disjoint samples.")] = 0,  # noqa: PT028 -- as above
    jobs: Annotated[
        int, typer.Option("-j", "--jobs", min=0, max=512, help="With --mutate: number of processes; 0: all cores.")
    ] = 0,  # noqa: PT028 -- as above
    here: Annotated[
        bool, typer.Option("--here", help="Run only the examples for exactly this stack, and list the others.")
    ] = False,  # noqa: PT028 -- as above
    alone: Annotated[bool, typer.Option("--alone", help="Use neither git nor checksums to find what changed.")] = False,  # noqa: PT028 -- as above
    coverage: Annotated[
        bool, typer.Option("--uncovered", help="List the rules, actions and other parts that no example reaches.")
    ] = False,  # noqa: PT028 -- as above
) -> Reply:
    """Run the examples of the layers of STACK.

    Each runs under the stack that it names.

    Where git keeps the rules, `test` names for each failure the change since the last commit without which the example
    passes; where nothing fails, it lists changes that no example notices.

    Exits with 1 if an example fails, if there is none, if a stack that one names does not compile, and with --mutate
    if something is unprotected or the time is up.

    Example: rulewright test low_tide --mutate
    """
    from rulewright.checks.mutation.mutant_trials import MutationLimits
    from rulewright.checks.mutation.protect import package_place, require_places
    from rulewright.checks.testing import findings_of, run_tests
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import load_from, open_packages
    from rulewright.serve.cli.mutation import mutation_reply, time_limit
    from rulewright.system.errors import UsageError

    if not mutate and (within or budget != MINUTES or jobs or sample > 1 or seed):
        raise UsageError("`--in`, `--budget`, `--sample`, `--seed` and `--jobs` go with `--mutate`")
    if alone and since:
        raise UsageError("`--since` and `--alone` exclude each other")
    name, folders = named_stack(stack)
    within_reach = (*packages, *folders)
    package_set = open_packages(within_reach)
    loaded = load_from(package_set, name)
    rules = loaded.rules
    places = tuple(package_place(place, package_set.texts()) for place in within or ())
    require_places(places, loaded)
    regressions = _regressions(package_set, name, within_reach, since, asks_git=not (alone or mutate))
    tested = run_tests(package_set, name, here=here, regressions=regressions)
    limits = MutationLimits(since, time_limit(budget), jobs or os.cpu_count() or 1, sample, seed, places)
    mutation, stale = mutation_reply(package_set, name, within_reach, limits) if mutate else (None, ())
    found = findings_of(tested, package_set, loaded, rules, regressions, stale)
    passed_by = tested.coverage_report(rules)
    text = _text(tested, found, passed_by, loaded, by_name=coverage)
    if mutation:
        text.append(f"\n{mutation.builder}")
    data = {**_data(tested, found, passed_by), **(mutation.record if mutation else UNMUTATED)}
    fails = found.problems or found.failed or found.repairs or not sum(tested.cases)
    return Reply(data, text, findings=bool(fails or (mutation and mutation.findings)))


def _regressions(
    package_set: "PackageSet", name: str, within_reach: tuple[Path, ...], since: str, *, asks_git: bool
) -> "Regressions":
    """Return the changes since a revision, by default the last commit, that may be causes; none without git."""
    from rulewright.checks.revisions.regressions import Regressions
    from rulewright.checks.revisions.revision_texts import layer_folders, require_revision
    from rulewright.system.git import HEAD

    if not asks_git:
        return Regressions(within_reach, ())
    if since:
        require_revision(layer_folders(package_set.library, name), since)
    return Regressions.since_revision(since or HEAD, package_set, name, within_reach)


def _text(
    tested: "ExampleReport", found: "ExampleFindings", passed_by: "CoverageReport", stack: "Stack", *, by_name: bool
) -> "Text":
    """Format the findings, the uncovered parts, and the number of passing cases."""
    from compiler.report.diagnose import diagnose
    from rulewright.checks.tallies import tally_lines
    from rulewright.serve.cli.coverage_lines import coverage_lines as uncovered_lines
    from rulewright.serve.cli.findings import as_text

    summary = (
        *uncovered_lines(passed_by, stack.texts, by_name=by_name),
        *tally_lines(tested, stack.name),
    )
    repair_text = f", {len(found.repairs)} to mend" if found.repairs else ""
    return as_text(diagnose(found.all_findings(), stack.texts), stack.texts, last="\n".join(summary) + repair_text)


def _data(tested: "ExampleReport", found: "ExampleFindings", passed_by: "CoverageReport") -> dict[str, Any]:
    """Return the results as data."""
    from rulewright.checks.tallies import as_data, failure_data
    from rulewright.serve.cli.coverage_lines import as_data as uncovered_data

    return {
        **as_data(tested),
        "failures": [failure_data(each) for each in found.failed],
        "unnoticed": [
            {"was": change.old_text, "now": change.new_text, "file": change.span.file, "line": change.span.line}
            for change in found.unnoticed_changes
        ],
        "unplayed": [reading.reading for reading in found.readings],
        "uncovered": uncovered_data(passed_by),
    }
