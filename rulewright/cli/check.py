"""`rulewright check STACK`: compile and prove."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compiler.analysis.effort import MOST_STEPS, limited
from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply

if TYPE_CHECKING:
    from rulewright.library.stacks import Stack


def check(
    stack: StackName,
    packages: list[Path],
    witnesses: Annotated[
        Path | None, typer.Option("--witnesses", metavar="DIR", help="Where to save positions that prove findings.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are warnings, too.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="One line a finding, as compilers print them.")] = False,
    steps: Annotated[
        int,
        typer.Option(
            "--steps", metavar="N", min=1, help="How many steps the proofs of one question or place may take."
        ),
    ] = MOST_STEPS,
) -> Reply:
    """Compile STACK and the cards for it or changed by it, and prove what can be: names, types, collisions, gaps.

    The stacks that examples of its layers name are compiled too, so that `test` can run them.
    """
    from compiler.report.diagnose import diagnose
    from compiler.report.render.line import line
    from rulewright.cli.findings import as_data, as_text, stops, summary
    from rulewright.library.stacks import Shelves, load_stack
    from rulewright.proofs import findings, skipped_checks
    from rulewright.testing import broken_stacks
    from rulewright.witnesses import save_witnesses

    loaded = load_stack(stack, packages)
    texts = loaded.texts
    # What is wrong here is wrong in the stacks above it, too.
    beside = () if loaded.broken else broken_stacks(Shelves(loaded.library, ()), loaded.name)
    new = diagnose([each for each in beside if each not in loaded.problems], texts)
    with limited(steps):
        found = save_witnesses([*findings(loaded), *new], loaded.name, witnesses)
        skipped = skipped_checks(loaded.graph) if loaded.graph is not None and not loaded.broken else ()
    failed = stops(found) or (strict and bool(found))
    data = as_data(found) | {"skipped": [{"check": each.check, "why": each.why} for each in skipped]}
    if lines:
        return Reply(data, "\n".join(line(each) for each in found), findings=failed)
    counted = "\n".join((summary(found), *(f"skipped: {each.check}: {each.why}" for each in skipped)))
    return Reply(data, as_text(found, texts, _last(counted, loaded)), findings=failed)


def _last(counted: str, loaded: "Stack") -> str:
    """Count findings, and what the sources leave open: that is no fault of the rules, but nobody should overlook it."""
    number = len(loaded.graph.disputes) if loaded.graph is not None else 0
    if not number:
        return counted
    said = f"{number} contradiction{'s' if number > 1 else ''} of the sources settled by choice"
    return f"{counted}\n{said}: `disputes {loaded.name}` lists them"
