"""`rulewright coverage [STACK] [--ledger DIR]`: measure the items of sources, or of a ledger, against the examples."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.serve.cli.console import Reply, show_progress

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
) -> Reply:
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
    data = _data(package_set, targets, found, counts, broken)
    text = "\n".join(_lines(data, [*_elsewhere(package_set, names, targets)], found, broken))
    return Reply(data, text, findings=bool(broken) or data["failed"] > 0 or not data["cases"])


def _targets(package_set: "PackageSet", names: Sequence[str]) -> list["ExampleTarget"]:
    """Return the named stacks with their cards; all that are found, if none is named."""
    from rulewright.library.example_targets import ExampleTarget, all_targets, card_targets

    chosen = list[ExampleTarget]()
    for name in names:
        chosen += [ExampleTarget(name), *card_targets(package_set, name)]
    return list(dict.fromkeys(chosen or [*all_targets(package_set), *card_targets(package_set)]))


def _data(
    package_set: "PackageSet",
    targets: Sequence["ExampleTarget"],
    found: "Coverage",
    counts: tuple[int, int],
    broken: Sequence["Diagnostic"],
) -> dict[str, Any]:
    """Return what was measured as data; `counts` are the numbers of cases that ran, and that failed."""
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
    }


def _lines(
    data: Mapping[str, Any], elsewhere: Sequence[str], found: "Coverage", broken: Sequence["Diagnostic"]
) -> Iterator[str]:
    """Yield the lines of what was measured; `elsewhere` is about examples that run under other stacks."""
    from compiler.report.render.line import diagnostic_line
    from runtime.graph.words import counted_noun

    stack_count = counted_noun(len(data["stacks"]), "stack")
    cases = counted_noun(data["cases"], "case")
    yield f"{found.total} items, {found.executable} of them executable"
    for name in ("encoded", "protected"):
        yield f"{name:<10} {_share(data[name], found.executable)}"
    yield f"{cases} of examples ran in {stack_count}; {data['failed']} failed, and count for nothing"
    yield from elsewhere
    lists = (
        (f"cited nowhere in {stack_count}", data["uncited"]),
        ("cited by situation cards or boards alone, which are not measured", data["on_cards"]),
        ("cited, but not protected", [item for item in found.missing if item not in found.uncited]),
    )
    for heading, items in lists:
        if items:
            yield f"{heading}: {' '.join(items)}"
    if data["unread_cards"]:
        yield f"situation cards with errors, which are not measured: {', '.join(data['unread_cards'])}"
    if broken:
        yield "these errors kept some stacks from being measured:"
        yield from map(diagnostic_line, broken)


# The most stacks that are named as those of further examples.
MOST_STACKS = 6


def _elsewhere(package_set: "PackageSet", stacks: Sequence[str], targets: Sequence["ExampleTarget"]) -> Iterator[str]:
    """Yield a line on the examples of the layers of these stacks that run under others: they protect nothing here."""
    from rulewright.library.example_targets import ExampleTarget
    from rulewright.library.selection import select_examples
    from runtime.graph.words import counted_noun

    left_out = dict[ExampleTarget, int]()
    for stack in stacks:
        selection = select_examples(package_set, stack)
        for share in (*selection.run, *selection.skipped_groups):
            if share.target not in targets:
                left_out[share.target] = share.examples
    if left_out:
        others = sorted({target.stack for target in left_out})
        more = f" and {len(others) - MOST_STACKS} more" if len(others) > MOST_STACKS else ""
        yield (
            f"left out: {counted_noun(sum(left_out.values()), 'example')} of these layers that run under "
            f"{', '.join(others[:MOST_STACKS])}{more}; `coverage` counts them where these stacks are named, too"
        )


def _share(part: int, total: int) -> str:
    return f"{part:>5}  {part / total:.1%}" if total else f"{part:>5}"
