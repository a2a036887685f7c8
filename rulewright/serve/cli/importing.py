"""`rulewright import SOURCE [SAVE..] --out DIR`: bring boards, counters and cards of a foreign package over."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import OutOption
from rulewright.serve.cli.console import Reply
from runtime.graph.document_lines import reply_block
from runtime.graph.records.packages import ImportRecord

# The most printed notes; the report has all.
SHOWN = 20


def import_(
    source: Annotated[
        Path,
        typer.Argument(metavar="SOURCE", exists=True, help="A file or folder of another program."),
    ],
    out: OutOption,
    saves: Annotated[
        list[Path] | None,
        typer.Argument(metavar="SAVE", exists=True, dir_okay=False, help="Saves or logs of it."),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="A file with other names for foreign words."),
    ] = None,
) -> Reply[ImportRecord]:
    """Convert boards, situations and modules of other programs to a package.

    It reports what is left out, and exits with 1 if anything is. Name the package with `--path`.

    Example: rulewright import my_module.vmod --out my_package
    """
    from rulewright.exchange import NoteSeverity, import_package

    imported_package = import_package(source, out, mapping, saves or [])
    # Without duplicates: a situation is omitted for the reason that a note at the same place states.
    notes_by_span = {
        note.span: note
        for note in (
            *imported_package.omissions,
            *(each for each in imported_package.notes if each.weight is NoteSeverity.BROKEN),
        )
    }
    lines = [note.line() for note in notes_by_span.values()]
    more = [f".. and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    last = f"written to {out}; {out / 'import-report.md'} says what was left out, and why"
    record: ImportRecord = {"out": str(out), **imported_package.record()}
    return Reply(
        record,
        lambda record: reply_block(record["summary"], *lines[:SHOWN], *more, last),
        findings=imported_package.is_incomplete,
    )
