"""`rulewright new game|variant|ruling|board NAME`: write the first files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import typer

from rulewright.serve.cli.console import Reply
from rulewright.system.shell_words import shell_word
from runtime.graph.document_lines import listing, reply_block
from runtime.graph.records.packages import NewFilesRecord


class _PackageKind(StrEnum):
    """A kind of package that can be generated."""

    GAME = "game"
    VARIANT = "variant"
    RULING = "ruling"
    BOARD = "board"


def new(
    what: Annotated[_PackageKind, typer.Argument(metavar="game|variant|ruling|board", help="What to create.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name like deep_snow; for a ruling, like one-hex-minimum.")
    ],
    packages: list[Path],
    on: Annotated[
        str | None, typer.Option(metavar="STACK", help="What the variant changes, or the board is for.")
    ] = None,
    place: Annotated[
        Path,
        typer.Option("--dir", metavar="DIR", help="Where to create the folder; for a ruling, the folder of its layer."),
    ] = Path(),
    size: Annotated[str, typer.Option(metavar="COLUMNSxROWS", help="For a board: how many hexes.")] = "12x9",
) -> Reply[NewFilesRecord]:
    """Write the first files of a game, a variant, a ruling or a board.

    Example: rulewright new variant deep_mud --on low_tide
    """
    from rulewright.library.stack_names import named_stack
    from rulewright.system.errors import UsageError
    from rulewright.write.board_file import new_board, read_size
    from rulewright.write.new_packages import new_game, new_ruling, new_variant

    match what:
        case _PackageKind.GAME:
            written = new_game(name, place, packages)
        case _PackageKind.VARIANT:
            if on is None:
                raise UsageError("a variant stands on something: `--on STACK`")
            written = new_variant(name, on, place, packages)
        case _PackageKind.RULING:
            written = new_ruling(name, place)
        case _PackageKind.BOARD:
            if on is None:
                raise UsageError("a board is made of what a stack declares: `--on STACK`")
            written = new_board(name, on, place, read_size(size), packages)
        case _:
            assert_never(what)
    folder = written.folder.as_posix()
    record: NewFilesRecord = {"folder": folder, "files": list(written.files)}
    if what is _PackageKind.BOARD:
        file = (written.folder / written.files[0]).as_posix()
        commands = [f"rulewright show {shell_word(file)} --rules {shell_word(on or '')}"]
        return Reply(record, lambda _: reply_block(listing(f"wrote {file}", commands)))
    folder_argument = shell_word(folder if "/" in folder or folder == "." else f"./{folder}")
    # The layers below the variant may be in folders that only `--on` specifies.
    more = "".join(f" --path {shell_word(each)}" for each in (*packages, *(named_stack(on)[1] if on else ())))
    commands = [f"rulewright check {folder_argument}{more}"]
    if what is not _PackageKind.VARIANT:  # A variant without changes has no examples yet.
        commands.append(f"rulewright test {folder_argument} --mutate{more}")
    return Reply(record, lambda _: reply_block(listing(f"wrote {', '.join(written.files)} in {folder}", commands)))
