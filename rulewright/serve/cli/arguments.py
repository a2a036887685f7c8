"""The arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.games.seeds import seed_text
from rulewright.system.errors import UsageError

# The most characters of a search of books, whose time grows with each word.
LONGEST_SEARCH = 1_000


def searched_words(query: str) -> str:
    """Return the words of a search; `UsageError` if they are too many."""
    if len(query) > LONGEST_SEARCH:
        raise UsageError(
            f"a search of the book has {len(query):,} characters, and {LONGEST_SEARCH:,} at most are searched for"
        )
    return query


StackName = Annotated[str, typer.Argument(metavar="STACK", help="game[+option...], or the folder of a layer.")]
ScenarioName = Annotated[str, typer.Argument(metavar="SITUATION", help="A situation by name, or its file.")]
PlayerCodeOption = Annotated[
    list[str] | None,
    typer.Option("--player-code", metavar="MODULE:FUNCTION", help="Run this code as a player named FUNCTION."),
]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="STACK", help="Use these rules instead of those of the situation.")
]
OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where to write.")]
Witnesses = Annotated[
    Path | None, typer.Option("--witnesses", metavar="DIR", help="Save the positions in this folder.")
]
ProofSteps = Annotated[
    int,
    typer.Option("--steps", metavar="N", min=1, help="Limit the steps that the proofs of one question or place take."),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=0, max=512, help="Number of processes; 0: all cores.")]
SeedOption = Annotated[
    str, typer.Option("--seed", metavar="N", callback=seed_text, help="The same seed gives the same games.")
]
