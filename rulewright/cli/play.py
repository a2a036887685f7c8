"""`rulewright play SCENARIO`: play one game."""

from collections.abc import Callable
from pathlib import Path
from typing import IO, Annotated

import typer

from rulewright.cli.arguments import Rules, ScenarioName
from rulewright.cli.console import Reply


def play(
    scenario: ScenarioName,
    packages: list[Path],
    rules: Rules = None,
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Same seed, same game.")] = "1",
    players: Annotated[
        str, typer.Option("--players", metavar="X,Y", help="random, greedy or human; who moves first comes first.")
    ] = "random",
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the game down, for `replay`.")
    ] = None,
) -> Reply:
    """Play one game of SCENARIO and say how it ended."""
    from rulewright.cli.findings import refusal, reply_with
    from rulewright.cli.human import human
    from rulewright.games import load_scenario, players_of
    from rulewright.games import play as play_game

    loaded = load_scenario(scenario, rules, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    others = {"human": human}
    names = players_of(loaded.graph, players, others)
    book = _opened(record)
    try:
        played = play_game(loaded.graph, names, seed, _writer(book), others)
    finally:
        if book:
            book.close()
    if played.data is None:
        return reply_with(played.diagnostics(loaded.texts), loaded.texts)
    won = played.data["winner"]
    result = (
        f"{won} wins" + (f": {played.data['level']}" if played.data["level"] is not None else "") if won else "a draw"
    )
    text = (
        f"{loaded.name}, seed {seed}: {result}\n"
        f"{played.data['turns']} turns, {played.data['decisions']} decisions, {played.data['dice']} dice\n"
        f"state {played.data['state_hash']}"
    )
    return Reply(played.data, text + (f"\nwritten down in {record}" if record else ""))


def _writer(book: IO[str] | None) -> Callable[[str], None] | None:
    """Make what writes a line of the record."""
    if book is None:
        return None
    return lambda line: print(line, file=book)


def _opened(file: Path | None) -> IO[str] | None:
    """Open the file for the record; its lines appear as they are played."""
    return file.open("w", encoding="utf-8", newline="\n", buffering=1) if file else None
