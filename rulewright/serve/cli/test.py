"""`rulewright test STACK`: run the examples; with `--mutate` see what they protect."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import LineText
from runtime.graph.records.testing import MutationRecord, ReachedPartsRecord, TestedStackRecord, TestRecord
from runtime.graph.words import counted_noun, list_text

if TYPE_CHECKING:
    from rulewright.checks.revisions.regressions import Regressions
    from rulewright.checks.testing import ExampleFindings, ExampleReport
    from rulewright.library.stacks import PackageSet
    from runtime.examples.coverage import CoverageReport

# The default time limit in minutes for mutants: the largest shipped game takes fifteen.
MINUTES = 30
# The most stacks in one line; the record has all.
MOST_LISTED = 4


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
            help="Consider changes since this git revision, not the last commit.",
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
) -> Reply[TestRecord]:
    """Run the examples of the layers of STACK.

    Each runs under the stack that it names.

    Where git keeps the rules, `test` names for each failure the change since the last commit without which the example
    passes; where nothing fails, it lists changes that no example notices.

    Exits with 1 if an example fails, if there is none, if a stack that one names does not compile, and with --mutate
    if something is unprotected or the time is up.

    Example: rulewright test low_tide --mutate
    """
    from compiler.report.diagnose import diagnose
    from rulewright.checks.mutation.mutant_trials import MutationLimits
    from rulewright.checks.mutation.protect import package_place, require_places
    from rulewright.checks.testing import findings_of, run_tests
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import load_from, open_packages
    from rulewright.serve.cli.findings import findings_block
    from rulewright.serve.cli.mutation import is_finding, mutate_stack, mutation_lines, time_limit
    from rulewright.system.errors import UsageError

    if not mutate and (within or budget != MINUTES or jobs or sample > 1 or seed):
        raise UsageError("`--in`, `--budget`, `--sample`, `--seed` and `--jobs` go with `--mutate`")
    if since and (alone or mutate):
        raise UsageError(f"`--since` and `--{'alone' if alone else 'mutate'}` exclude each other")
    name, folders = named_stack(stack)
    within_reach = (*packages, *folders)
    package_set = open_packages(within_reach)
    loaded = load_from(package_set, name)
    rules = loaded.rules
    places = tuple(package_place(place, package_set.texts()) for place in within or ())
    require_places(places, loaded)
    regressions = _regressions(package_set, name, within_reach, since, asks_git=not (alone or mutate))
    tested = run_tests(package_set, name, here=here, regressions=regressions)
    limits = MutationLimits(time_limit(budget), jobs or os.cpu_count() or 1, sample, seed, places)
    mutation, stale = mutate_stack(package_set, name, within_reach, limits) if mutate else (None, ())
    found = findings_of(tested, package_set, loaded, rules, regressions, stale)
    record = _test_record(tested, found, tested.coverage_report(rules), mutation)

    def block(record: TestRecord) -> DocumentBlock:
        diagnostics = diagnose(found.all_findings(), loaded.texts)
        uncovered = _uncovered_lines(record["uncovered"], record["passed"] + record["failed"], loaded.texts, coverage)
        mutants = mutation_lines(mutation, name, limits, package_set.texts()) if mutation else ()
        repairs = f"{len(found.repairs)} to mend" if found.repairs else ""
        return findings_block(diagnostics, loaded.texts, *uncovered, *_tally_lines(record, name), repairs, *mutants)

    fails = found.problems or found.failed or found.repairs or not sum(tested.cases)
    return Reply(record, block, findings=bool(fails or (mutation and is_finding(mutation))))


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


def _test_record(
    tested: "ExampleReport", found: "ExampleFindings", reached: "CoverageReport", mutation: MutationRecord | None
) -> TestRecord:
    """Return the results; the keys of mutants are there if there are any."""
    from rulewright.checks.tallies import failure_record, tally_record

    record: TestRecord = {
        **tally_record(tested),
        "failures": [failure_record(each) for each in found.failed],
        "unnoticed": [
            {"was": change.old_text, "now": change.new_text, "file": change.span.file, "line": change.span.line}
            for change in found.unnoticed_changes
        ],
        "unplayed": [reading.reading for reading in found.readings],
        "uncovered": {
            kind: {
                "of": reached.counts[kind],
                "uncovered": [
                    {"name": place.name, "file": place.origin.file, "line": place.origin.line}
                    for place in reached.places
                    if place.kind == kind
                ],
            }
            for kind in reached.counts
        },
        "unprotected": [],
        "unprotected_at": [],
    }
    return cast("TestRecord", {**record, **mutation}) if mutation else record


def _uncovered_lines(
    parts: Mapping[str, ReachedPartsRecord], cases: int, texts: Mapping[str, str], by_name: bool
) -> Iterator[str]:
    """Yield the numbers of parts that no example reaches; with `by_name` the parts, and what was looked at."""
    from rulewright.serve.cli.findings import path_from_here

    places = sorted(
        (part["file"], part["line"], kind, part["name"]) for kind in parts for part in parts[kind]["uncovered"]
    )
    for file, line, kind, name in places if by_name else ():
        yield f"uncovered: {path_from_here(file, texts)}:{line}: {_part_kind(kind, 1)} {name}"
    missed = [f"{len(part['uncovered'])} of {part['of']} {kind}" for kind, part in parts.items() if part["uncovered"]]
    if missed:
        yield f"no example reaches {list_text(missed)}{'' if by_name else '; --uncovered lists them'}"
    if not by_name:
        return
    reached = [
        f"{part['of']} {_part_kind(kind, part['of'])}"
        for kind, part in parts.items()
        if part["of"] and not part["uncovered"]
    ]
    if reached:
        yield f"examples reach every one of {list_text(reached)}"
    yield (
        f"looked at: {counted_noun(cases, 'case')} that ran; not looked at: layers of a game below, layers below "
        "whose examples are left out, rules that only overrule or amend others, single steps; whether an example "
        "would notice a change, --mutate tells"
    )


def _part_kind(kind: str, number: int) -> str:
    """Return the name of a kind of parts for a number of them."""
    head, _, rest = kind.partition(" of ")
    return kind if number != 1 else f"{head.removesuffix('s')}{' of a chart' if rest else ''}"


def _tally_lines(record: TestRecord, stack: str) -> Iterator[LineText]:
    """Yield the results by stack, unless there is only the requested one; what was left out; and the totals."""
    if [group["stack"] for group in record["stacks"] if not group["errors"]] != [stack] or record["stacks"][1:]:
        yield from _stack_lines(record["stacks"])
    here = [share for share in record["left_out"] if share["why"] == "here"]
    below = [share for share in record["left_out"] if share["why"] == "below"]
    if here:
        phrases = [
            f"{counted_noun(share['examples'], 'example')} under {share['stack']}" for share in here[:MOST_LISTED]
        ]
        if rest := here[MOST_LISTED:]:
            more = sum(share["examples"] for share in rest)
            phrases.append(f"{more} more under {counted_noun(len(rest), 'other stack')}")
        yield f"left out, as they are for other stacks: {list_text(phrases)}; without --here they run"
    if below:
        layers = sorted({layer for share in below for layer in share["layers"]})
        number = sum(share["examples"] for share in below)
        have, they = "has" if len(layers) == 1 else "have", "it" if number == 1 else "them"
        yield (
            f"left out: {counted_noun(number, 'example')} that {list_text(layers)} below {have} for other stacks; "
            f"`test {'+'.join(layers)}` runs {they}"
        )
    yield _total_text(record) if record["stacks"] else _no_examples_text(record["files"], stack, here=bool(here))


def _stack_lines(groups: Sequence[TestedStackRecord]) -> Iterator[str]:
    """Yield the results of each stack; of those without a failure only the first few."""
    sound = [group for group in groups if not group["errors"] and not group["failed"]]
    rest = sound[MOST_LISTED:]
    for group in groups:
        if group["errors"]:
            yield f"{group['stack']}: {counted_noun(group['not_run'], 'example')} not run, as it does not compile"
        elif group not in rest:
            yield f"{group['stack']}: {group['passed']} passed, {group['failed']} failed"
    if rest:
        yield f"{counted_noun(len(rest), 'other stack')}: {sum(group['passed'] for group in rest)} passed, 0 failed"


def _total_text(record: TestRecord) -> str:
    """Format the numbers of all cases, and of examples if these are fewer."""
    cases, examples = record["passed"] + record["failed"], record["examples"]["passed"] + record["examples"]["failed"]
    total = f"{record['passed']} passed, {record['failed']} failed"
    if cases != examples:
        total += f" ({cases} cases of {counted_noun(examples, 'example')})"
    not_run = sum(group["not_run"] for group in record["stacks"])
    return f"{total}, {counted_noun(not_run, 'example')} not run" if not_run else total


def _no_examples_text(files: int, stack: str, *, here: bool) -> str:
    """Return why there are no examples to run."""
    if here:
        return f"no examples: none of those in {stack} is for exactly this stack"
    if not files:
        return f"no examples: {stack} has no rules files"
    if files == 1:
        return f"no examples: the one rules file of {stack} has none"
    return f"no examples: none of the {files} rules files of {stack} has one"
