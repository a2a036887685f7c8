"""`rulewright new game|variant|ruling NAME`: write the first files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import typer

from rulewright.cli.console import Reply


class What(StrEnum):
    """What can be begun."""

    GAME = "game"
    VARIANT = "variant"
    RULING = "ruling"


def new(
    what: Annotated[What, typer.Argument(metavar="game|variant|ruling", help="What to begin.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Like deep_snow; of a ruling like one-hex-minimum.")],
    packages: list[Path],
    on: Annotated[str | None, typer.Option("--on", metavar="STACK", help="What the variant changes.")] = None,
    place: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Where the folder goes; of a ruling, its layer's folder.")
    ] = Path(),
) -> Reply:
    """Write a commented, working beginning of a game, a variant or a ruling."""
    from rulewright.errors import UsageError
    from rulewright.starting import new_game, new_ruling, new_variant

    match what:
        case What.GAME:
            written = new_game(name, place, packages)
        case What.VARIANT:
            if on is None:
                raise UsageError("a variant stands on something: `--on STACK`")
            written = new_variant(name, on, place, packages)
        case What.RULING:
            written = new_ruling(name, place, packages)
        case _:
            assert_never(what)
    folder = written.folder.as_posix()
    then = folder if "/" in folder or folder == "." else f"./{folder}"
    text = f"wrote {', '.join(written.files)} in {folder}\n  rulewright check {then}\n  rulewright test {then} --mutate"
    return Reply({"folder": folder, "files": list(written.files)}, text)
