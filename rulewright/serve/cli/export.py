"""`rulewright export WHAT --module MODULE --out SAVE`: write a position or a game for another program."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.records.packages import ExportRecord
from runtime.graph.words import counted_noun


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="SITUATION|POSITION|TRIAL", help="A situation by name, or a file: a position or a game."
        ),
    ],
    module: Annotated[Path, typer.Option(metavar="MODULE", exists=True, help="The module of the other program.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The save to write, whose ending names the program.",
        ),
    ],
    packages: list[Path],
    mapping: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The file of names that an import wrote."),
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="SAVE", exists=True, dir_okay=False, help="A save to change; everything else in it stays."
        ),
    ] = None,
    rules: Rules = None,
) -> Reply[ExportRecord] | Reply[FindingsRecord]:
    """Write a position, or the end of a recorded game, as a save of VASSAL.

    It exits with 1 if anything is left out.

    Example: rulewright export position.yaml --module game.vmod --out position.vsav
    """
    from rulewright.explain.views.shown_scenes import RenderedScene
    from rulewright.serve.cli.exported_state import find_exporter, state_of
    from rulewright.serve.cli.findings import reply_with
    from rulewright.system.atomic_files import save_bytes

    exporter = find_exporter(out)
    state = state_of(what, rules, packages)
    if isinstance(state, RenderedScene):
        return reply_with(state.diagnostics, state.texts)
    exported_save = exporter.export_state(state, module, mapping, base)
    save_bytes(out, exported_save.content)
    notes = exported_save.notes.entries
    record: ExportRecord = {
        "out": str(out),
        "pieces": exported_save.piece_count,
        "notes": [note.record() for note in notes],
    }

    def block(record: ExportRecord) -> DocumentBlock:
        lines = dict.fromkeys(note.line() for note in notes)
        return reply_block(f"{counted_noun(record['pieces'], 'piece')} written to {out}", *lines)

    return Reply(record, block, findings=bool(notes))
