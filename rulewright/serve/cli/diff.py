"""`rulewright diff A B`: where two stacks answer differently, and what happens otherwise."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import Witnesses
from rulewright.serve.cli.console import Reply, show_progress
from runtime.graph.records.differing import DiffRecord


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A stack or a situation.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another stack or situation.")],
    packages: list[Path],
    term: Annotated[str, typer.Option(metavar="T", help="Compare only the answers to this question.")] = "",
    witnesses: Witnesses = None,
    every: Annotated[bool, typer.Option("--all", help="Complete all lists, and show what changes no answer.")] = False,
) -> Reply[DiffRecord]:
    """Find where A and B answer differently, and where play differs.

    It compares rule by rule, and of two situations forces, areas, turns and victory too.

    Example: rulewright diff panzer_leader panzer_leader+quick_time
    """
    from rulewright.lab.contrast.card_differences import cards_data, load_operand
    from rulewright.lab.contrast.difference_blocks import difference_block
    from rulewright.lab.contrast.differences import as_data, difference_of
    from rulewright.lab.contrast.equal_layers import equal_layers_text
    from rulewright.serve.cli.findings import page_with_paths
    from rulewright.system.errors import UsageError, suggestion_text

    stacks = [load_operand(name, packages) for name in (a, b)]
    rules, other = (stack.rules for stack in stacks)
    known = sorted({*rules.terms, *other.terms})
    if term and term not in known:
        raise UsageError(f"there is no term `{term}`; {suggestion_text(term, known)}")
    with show_progress(f"comparing {a} and {b}", 0) as moved:
        found = difference_of(stacks[0], stacks[1], term, moved)
    data = as_data(found, (a, b), (rules, other), witnesses)
    record: DiffRecord = {
        **data,
        "cards": [card for card in cards_data(*stacks) if term in {"", *card["dependents"]}],
        "equal_layers": equal_layers_text(*stacks) or None,
    }
    page = page_with_paths(record, stacks[0].texts, stacks[1].texts)
    return Reply(record, lambda _: difference_block(page, every=every))
