"""The arguments that several commands share, described once."""

from pathlib import Path
from typing import Annotated

import typer

StackName = Annotated[str, typer.Argument(metavar="STACK", help="game[+option...], or the folder of a layer.")]
ScenarioName = Annotated[str, typer.Argument(metavar="SCENARIO", help="A card by name, or its file.")]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="STACK", help="Play under these rules, not those of the card.")
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where to write.")]
