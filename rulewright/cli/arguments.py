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
Steps = Annotated[
    int | None,
    typer.Option(
        "--steps", metavar="N", min=1, help="How many members of sets an answer, or a decision in play, may pass over."
    ),
]


def allow(steps: int | None) -> None:
    """Set the budget of answers, for the processes that this one begins too; None leaves it."""
    from runtime.answer.work import set_limit

    if steps is not None:
        set_limit(steps)
