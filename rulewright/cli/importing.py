"""`rulewright import SOURCE --out DIR`: bring boards, counters and cards of a foreign package over."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.arguments import Out
from rulewright.cli.console import Reply

# What people read at once; the report has the rest.
SHOWN = 20


def import_(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", exists=True, file_okay=False, help="A module of OpenPanzerBlitz, or plain facts."
        ),
    ],
    out: Out,
    mapping: Annotated[
        Path | None,
        typer.Option("--mapping", metavar="FILE", exists=True, dir_okay=False, help="Other names for foreign words."),
    ] = None,
) -> Reply:
    """Write SOURCE as a package for `--path`, and a report of all that could not be carried over."""
    from rulewright.importing import Weight, bring_in

    done = bring_in(source, out, mapping)
    broken = [note for note in done.notes if note.weight is Weight.BROKEN]
    lines = [f"{note.span.file}:{note.span.line}:{note.span.column}: {note.subject}: {note.text}" for note in broken]
    more = [f".. and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    text = "\n".join([*lines[:SHOWN], *more, done.summary(), f"written to {out}; read {out / 'import-report.md'}"])
    return Reply({"out": str(out), **done.data()}, text, findings=bool(broken))
