"""`rulewright test STACK`: run the examples; with `--mutate` see what they protect."""

import os
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply

# Minutes for trying alterations, unless an option sets them: the largest shipped game takes fifteen.
MINUTES = 30


def test(
    stack: StackName,
    packages: list[Path],
    mutate: Annotated[
        bool,
        typer.Option("--mutate", help="Alter all there is, a place at a time, and see whether an example notices."),
    ] = False,  # noqa: PT028 -- a command named test, not a test
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="REV",
            help="Try without each change since a revision of git, else the last commit; with --mutate: alter no more.",
        ),
    ] = "",  # noqa: PT028 -- as above
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="PLACE", help="With --mutate: only this file, folder, rule or procedure."),
    ] = None,  # noqa: PT028 -- as above
    budget: Annotated[
        float,
        typer.Option("--budget", metavar="MINUTES", min=0, help="With --mutate: stop then (0: never)."),
    ] = MINUTES,  # noqa: PT028 -- as above
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=1, help="With --mutate: one in N, always the same ones.")
    ] = 1,  # noqa: PT028 -- as above
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, help="With --sample: which of the N samples, none in two.")
    ] = 0,  # noqa: PT028 -- as above
    jobs: Annotated[
        int, typer.Option("-j", "--jobs", min=0, max=512, help="With --mutate: processes; 0: all cores.")
    ] = 0,  # noqa: PT028 -- as above
    here: Annotated[
        bool, typer.Option("--here", help="Only the examples for exactly this stack; say which others there are.")
    ] = False,  # noqa: PT028 -- as above
    alone: Annotated[bool, typer.Option("--alone", help="Ask neither git nor checksums what has changed.")] = False,  # noqa: PT028 -- as above
    coverage: Annotated[
        bool, typer.Option("--uncovered", help="Name the rules, actions and steps that no example comes by.")
    ] = False,  # noqa: PT028 -- as above
) -> Reply:
    """Run the examples that the layers of STACK have, each under the stack it names.

    Where git keeps the rules, what fails is tried without each change since the last commit; where nothing fails,
    changes are told that no example notices.

    Exits with 1 if one fails, if a stack that one names does not compile, if there is none, and with --mutate if
    something is unprotected or time was up.
    """
    from compiler.report.diagnose import Problem, diagnose
    from compiler.report.steps import placed
    from rulewright.cli.findings import as_text, refusal
    from rulewright.cli.mutation import mutation_reply, time_limit
    from rulewright.cli.uncovered import as_data as uncovered_data
    from rulewright.cli.uncovered import lines as uncovered_lines
    from rulewright.errors import UsageError
    from rulewright.examples import (
        clarified_elsewhere,
        unplayed_readings,
        unplayed_rulings,
    )
    from rulewright.failures import merged_failures, search_failures
    from rulewright.git import HEAD
    from rulewright.library.stacks import named_stack, open_packages
    from rulewright.mutation.trying import Limits
    from rulewright.revisions.regressions import Regressions
    from rulewright.tallies import as_data, failure_data, lines
    from rulewright.testing import run_tests, unnoticed_changes

    if not mutate and (within or budget != MINUTES or jobs or sample > 1 or seed):
        raise UsageError("`--in`, `--budget`, `--sample`, `--seed` and `--jobs` go with `--mutate`")
    if alone and since:
        raise UsageError("`--since` and `--alone` exclude each other")
    name, folders = named_stack(stack)
    package_set = open_packages((*packages, *folders))
    package_set.require_layers(name)
    loaded = package_set.compiled(name)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    within_reach = (*packages, *folders)
    none = Regressions(within_reach, ())
    regressions = none if alone or mutate else Regressions.since(since or HEAD, package_set, name, within_reach)
    tested = run_tests(package_set, name, here=here, regressions=regressions)
    limits = Limits(since, time_limit(budget), jobs or os.cpu_count() or 1, sample, seed, tuple(within or ()))
    found, stale = mutation_reply(package_set, name, within_reach, limits) if mutate else (None, ())
    problems = [each for group in tested.groups for each in group.problems]
    failed = [placed(each, loaded.texts) for group in tested.groups for each in group.failed]
    otherwise = [each for group in tested.groups for each in group.otherwise]
    runs = tested.own(name)
    elsewhere = clarified_elsewhere(loaded.graph, runs)
    unplayed = unplayed_rulings(loaded.graph, runs)
    readings = unplayed_readings(package_set, loaded.graph)
    mending: tuple[Problem, ...] = (*otherwise, *elsewhere, *unplayed, *readings, *stale)
    unnoticed = [] if problems or failed else unnoticed_changes(tested, regressions, loaded)
    diagnostics = diagnose((*problems, *merged_failures(failed), *mending, *unnoticed), loaded.texts)
    mend = len(mending)
    also = f", {mend} to mend" if mend else ""
    passed_by = tested.uncovered(loaded.graph)
    told = (
        *search_failures(failed),
        *uncovered_lines(passed_by, loaded.graph, loaded.texts, by_name=coverage),
        *lines(tested, name),
    )
    text = as_text(diagnostics, loaded.texts, last="\n".join(told) + also)
    if found:
        text.append(f"\n{found.text}")
    data = {
        **as_data(tested),
        "failures": [failure_data(each) for each in failed],
        "clarified_elsewhere": [
            {"ruling": each.ruling, "clarifies": each.label, "file": each.origin.file, "line": each.origin.line}
            for each in elsewhere
        ],
        "refused_otherwise": [
            {
                "example": each.example, "action": each.action, "named": each.named, "reasons": list(each.reasons),
                "file": each.origin.file, "line": each.origin.line,
            }
            for each in otherwise
        ],
        "unnoticed": [
            {"was": each.was, "now": each.now, "file": each.span.file, "line": each.span.line} for each in unnoticed
        ],
        "unplayed": [*(each.ruling for each in unplayed), *(each.reading for each in readings)],
        "uncovered": uncovered_data(passed_by),
        **(found.data if found else {"unprotected": [], "unprotected_at": []}),
    }  # fmt: skip
    bad = len(diagnostics) > len(unnoticed) or not sum(tested.cases) or bool(found and found.findings)
    return Reply(data, text, findings=bad)
