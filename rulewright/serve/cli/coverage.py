"""`rulewright coverage [STACK] [--ledger DIR]`: measure the items of sources, or of a ledger, against the examples."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.console import Reply, show_progress
from runtime.graph.document_lines import LineText, listing, reply_block, row_lines
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.records.testing import CoverageRecord
from runtime.graph.words import counted_noun

if TYPE_CHECKING:
    from compiler.report.diagnostic import Diagnostic
    from rulewright.library.example_targets import ExampleTarget
    from rulewright.library.stacks import PackageSet
    from runtime.mutation.source_coverage import Coverage


def coverage(
    packages: list[Path],
    stacks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[STACK...]", help="Measure only these stacks; all that are found, if left out."),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Measure the items of the YAML files in this folder, not those of the sources."
        ),
    ] = None,
) -> Reply[CoverageRecord] | Reply[FindingsRecord]:
    """List which items of the sources are cited, and which examples protect.

    Example: rulewright coverage low_tide
    """
    from compiler.report.diagnose import diagnose
    from rulewright.checks.example_findings import measure_examples
    from rulewright.library.ledger import read_ledger, registered_items
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from rulewright.serve.cli.findings import reply_with
    from rulewright.system.errors import UsageError

    if not (ledger or stacks):
        raise UsageError("name a STACK, or with `--ledger` a folder of items")
    items, ledger_problems = read_ledger(ledger) if ledger else ((), ())
    if ledger_problems:
        return reply_with(diagnose(ledger_problems, {}), {})
    requests = [named_stack(stack) for stack in stacks or []]
    package_set = open_packages([*packages, *(folder for _, folders in requests for folder in folders)])
    names = [name for name, _ in requests]
    for name in names:
        package_set.require_layers(name)
    targets = _targets(package_set, names)
    if not ledger:
        items = registered_items(package_set, [target.stack for target in targets])
    with show_progress(f"mutating {len(targets)} stacks", len(targets)) as moved:
        found, problems, counts = measure_examples(items, targets, package_set, moved)
    broken = diagnose(problems, package_set.library.texts)
    record = _coverage_record(package_set, names, targets, found, counts, broken)
    findings = bool(broken) or record["failed"] > 0 or not record["cases"]
    return Reply(record, lambda record: reply_block(*_coverage_lines(record, broken)), findings=findings)


def _targets(package_set: "PackageSet", names: Sequence[str]) -> list["ExampleTarget"]:
    """Return the named stacks with their cards; all that are found, if none is named."""
    from rulewright.library.example_targets import ExampleTarget, all_targets, card_targets

    chosen = list[ExampleTarget]()
    for name in names:
        chosen += [ExampleTarget(name), *card_targets(package_set, name)]
    return list(dict.fromkeys(chosen or [*all_targets(package_set), *card_targets(package_set)]))


def _coverage_record(
    package_set: "PackageSet",
    stacks: Sequence[str],
    targets: Sequence["ExampleTarget"],
    found: "Coverage",
    counts: tuple[int, int],
    broken: Sequence["Diagnostic"],
) -> CoverageRecord:
    """Return what was measured; `counts` are the numbers of cases that ran, and that failed."""
    from compiler.report.render.json import diagnostic_data
    from rulewright.library.ledger import items_on_cards

    on_cards = items_on_cards(package_set, (target.stack for target in targets)).intersection(found.uncited)
    scenarios = package_set.library.scenarios
    unread = [f"{name} ({file.path})" for name, (file, _) in scenarios.places.items() if name not in scenarios]
    return {
        "total": found.total,
        "executable": found.executable,
        "encoded": len(found.encoded),
        "protected": len(found.protected),
        "missing": list(found.missing),
        "uncited": [item for item in found.uncited if item not in on_cards],
        "on_cards": sorted(on_cards),
        "unread_cards": unread,
        "stacks": [target.name for target in targets],
        "cases": counts[0],
        "failed": counts[1],
        "diagnostics": [diagnostic_data(diagnostic) for diagnostic in broken],
        "encoded_items": list(found.encoded),
        "protected_items": list(found.protected),
        "left_out": _examples_elsewhere(package_set, stacks, targets),
    }


def _coverage_lines(record: CoverageRecord, broken: Sequence["Diagnostic"]) -> Iterator[LineText]:
    """Yield the lines of what was measured; `broken` are the errors in it."""
    from compiler.report.render.line import diagnostic_line

    stack_count, cases = counted_noun(len(record["stacks"]), "stack"), counted_noun(record["cases"], "case")
    executable = record["executable"]
    yield f"{counted_noun(record['total'], 'item')}, {executable} of them executable"
    shares = [(name, str(number), f"{number / executable:.1%}" if executable else "-") for name, number in (
        ("encoded", record["encoded"]), ("protected", record["protected"])
    )]  # fmt: skip
    yield from row_lines(shares)
    failed = f"{record['failed']} failed (failed cases are not counted)" if record["failed"] else "none failed"
    yield f"{cases} of examples ran in {stack_count}; {failed}"
    if elsewhere := record["left_out"]:
        more = f" and {len(elsewhere) - MOST_STACKS} more" if len(elsewhere) > MOST_STACKS else ""
        yield (
            f"left out: {counted_noun(sum(elsewhere.values()), 'example')} of these layers that run under "
            f"{', '.join([*elsewhere][:MOST_STACKS])}{more}; name these stacks, too, to count them"
        )
    unprotected = set(record["missing"]).difference(record["uncited"], record["on_cards"])
    lists = (
        (f"cited nowhere in {stack_count}", record["uncited"]),
        ("cited only by situations or boards, which are not measured", record["on_cards"]),
        ("cited, but not protected", [item for item in record["missing"] if item in unprotected]),
    )
    for heading, items in lists:
        if items:
            yield f"{heading}: {' '.join(items)}"
    if record["unread_cards"]:
        yield f"situations with errors, which are not measured: {', '.join(record['unread_cards'])}"
    if broken:
        yield listing("these errors kept some stacks from being measured:", map(diagnostic_line, broken))


# The most stacks that are named as those of further examples.
MOST_STACKS = 6


def _examples_elsewhere(
    package_set: "PackageSet", stacks: Sequence[str], targets: Sequence["ExampleTarget"]
) -> dict[str, int]:
    """Count the examples of the layers of stacks that run under others, where they protect nothing here, by stack."""
    from rulewright.library.selection import select_examples

    counts: dict[ExampleTarget, int] = {}
    for stack in stacks:
        selection = select_examples(package_set, stack)
        for share in (*selection.run, *selection.skipped_groups):
            if share.target not in targets:
                counts[share.target] = share.examples
    by_stack: dict[str, int] = {}
    for target in sorted(counts, key=lambda target: target.stack):
        by_stack[target.stack] = by_stack.get(target.stack, 0) + counts[target]
    return by_stack
