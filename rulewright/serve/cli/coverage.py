"""`rulewright coverage [STACK] [--ledger DIR]`: measure the items of sources, or of a ledger, against the examples."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.serve.cli.console import Reply, show_progress


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
    from compiler.report.render.json import diagnostic_data
    from compiler.report.render.line import diagnostic_line
    from rulewright.checks.example_findings import measure_examples
    from rulewright.library.example_targets import ExampleTarget, all_targets, card_targets
    from rulewright.library.ledger import items_on_cards, read_ledger, registered_items
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from rulewright.serve.cli.findings import reply_with
    from rulewright.system.errors import UsageError
    from runtime.graph.words import counted_noun

    if not (ledger or stacks):
        raise UsageError("name a STACK, or with `--ledger` a folder of items")
    items, ledger_problems = read_ledger(ledger) if ledger else ((), ())
    if ledger_problems:
        return reply_with(diagnose(ledger_problems, {}), {})
    named = [named_stack(stack) for stack in stacks or []]
    reach = [*packages, *(folder for _, folders in named for folder in folders)]
    package_set = open_packages(reach)
    for name, _ in named:
        package_set.require_layers(name)
    chosen = [each for name, _ in named for each in (ExampleTarget(name), *card_targets(package_set, name))]
    targets = list(dict.fromkeys(chosen or [*all_targets(package_set), *card_targets(package_set)]))
    items = items if ledger else registered_items(package_set, [each.stack for each in targets])
    with show_progress(f"mutating {len(targets)} stacks", len(targets)) as moved:
        found, problems, (ran, failed) = measure_examples(items, targets, package_set, moved)
    broken = diagnose(problems, package_set.library.texts)
    on_cards = items_on_cards(package_set, (each.stack for each in targets)).intersection(found.uncited)
    uncited = [each for each in found.uncited if each not in on_cards]
    scenarios = package_set.library.scenarios
    unread = [f"{name} ({file.path})" for name, (file, _) in scenarios.places.items() if name not in scenarios]
    data = {
        "total": found.total,
        "executable": found.executable,
        "encoded": len(found.encoded),
        "protected": len(found.protected),
        "missing": list(found.missing),
        "uncited": uncited,
        "on_cards": sorted(on_cards),
        "unread_cards": unread,
        "stacks": [each.name for each in targets],
        "cases": ran,
        "failed": failed,
        "diagnostics": [diagnostic_data(each) for each in broken],
        "encoded_items": list(found.encoded),
        "protected_items": list(found.protected),
    }
    lines = [
        f"{found.total} items, {found.executable} of them executable",
        *(f"{name:<10} {_share(len(part), found.executable)}" for name, part in (
            ("encoded", found.encoded), ("protected", found.protected))),
    ]  # fmt: skip
    stack_count = counted_noun(len(targets), "stack")
    lines.append(
        f"{counted_noun(ran, 'case')} of examples ran in {stack_count}; {failed} failed, and count for nothing"
    )
    lines += _elsewhere(package_set, [name for name, _ in named], targets)
    lines += [
        f"{name}: {' '.join(part)}"
        for name, part in (
            (f"cited nowhere in {stack_count}", uncited),
            ("cited by situation cards or boards alone, which are not measured", sorted(on_cards)),
            ("cited, but not protected", tuple(each for each in found.missing if each not in found.uncited)),
        )
        if part
    ]
    if unread:
        lines.append(f"situation cards with errors, which are not measured: {', '.join(unread)}")
    if broken:
        lines += ["these errors kept some stacks from being measured:", *map(diagnostic_line, broken)]
    return Reply(data, "\n".join(lines), findings=bool(broken) or failed > 0 or not ran)


# The most stacks that are named as those of further examples.
MOST_STACKS = 6


def _elsewhere(package_set: Any, stacks: Sequence[str], targets: Sequence[Any]) -> Iterator[str]:
    """Yield a line on the examples of the layers of these stacks that run under others: they protect nothing here."""
    from rulewright.library.selection import select_examples
    from runtime.graph.words import counted_noun

    selections = (select_examples(package_set, stack) for stack in stacks)
    shares = (share for each in selections for share in (*each.run, *each.skipped_groups))
    found = {share.target: share.examples for share in shares if share.target not in targets}
    if found:
        others = sorted({target.stack for target in found})
        more = f" and {len(others) - MOST_STACKS} more" if len(others) > MOST_STACKS else ""
        yield (
            f"left out: {counted_noun(sum(found.values()), 'example')} of these layers that run under "
            f"{', '.join(others[:MOST_STACKS])}{more}; `coverage` counts them where these stacks are named, too"
        )


def _share(part: int, total: int) -> str:
    return f"{part:>5}  {part / total:.1%}" if total else f"{part:>5}"
