"""`rulewright play SCENARIO`: play one game."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Rules
from rulewright.cli.console import Reply, note


def play(
    packages: list[Path],
    scenario: Annotated[
        str | None, typer.Argument(metavar="SCENARIO", help="A card by name, or its file; none with --resume.")
    ] = None,
    rules: Rules = None,
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Same seed, same game.")] = "1",
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="X,Y",
            help="human, random, greedy or lookahead[:BUDGET]; who moves first comes first.  [default: random]",
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the game down there, for `replay`.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a game that was left or broken off.")
    ] = None,
    player_code: Annotated[
        list[str] | None,
        typer.Option("--player-code", metavar="MODULE:FUNCTION", help="Run this code as a player named FUNCTION."),
    ] = None,
) -> Reply:
    """Play one game of SCENARIO and say how it ended; with a human player, at this terminal."""
    from rulewright.cli.findings import refusal, reply_with
    from rulewright.errors import UsageError
    from rulewright.games import load_recorded, load_scenario
    from rulewright.journal import reopen
    from rulewright.strangers import bring
    from rulewright.table.opening import Table, sit_down

    if scenario is None and resume is None:
        raise UsageError("name a scenario to begin a game, or `--resume FILE` to go on with one")
    if resume and record:
        raise UsageError("a game goes on in its own file: leave out `--record`")
    others = bring(player_code or [])
    journal, trial, dropped = reopen(resume) if resume else (None, None, "")
    try:
        heading = trial.heading if trial else None
        if heading is None:
            loaded = load_scenario(scenario or "", rules, packages)
        else:
            loaded = load_recorded(heading, packages, rules, scenario)
        if loaded.broken or loaded.graph is None:
            return refusal(loaded)
        if dropped:
            note(dropped)
        table = Table(loaded.graph, players, heading.seed if heading else seed, record, others)
        played = sit_down(table, _terminal, journal, trial)
    finally:
        if journal:
            journal.close()
    if played.problem:
        return reply_with(played.diagnostics(loaded.texts), loaded.texts)
    return _told(loaded.name, played)


def _terminal() -> Any:
    """Open the terminal, if somebody plays there."""
    from rulewright.cli.terminal import Terminal

    return Terminal()


def _told(name: str, played: Any) -> Reply:
    """Say how a game ended, or where it can be taken up again."""
    written = f"\nwritten down in {played.file}" if played.file else ""
    if played.data is None:
        data = {"winner": None, "level": None, "left": True, "file": str(played.file)}
        return Reply(data, f"left; `play --resume {played.file}` goes on from here")
    won = played.data["winner"]
    level = f": {played.data['level']}" if played.data["level"] is not None else ""
    text = (
        f"{name}, seed {played.seed}: {f'{won} wins{level}' if won else 'a draw'}\n"
        f"{played.data['turns']} turns, {played.data['decisions']} decisions, {played.data['dice']} dice\n"
        f"state {played.data['state_hash']}"
    )
    if played.unsettled:
        text += f"\nof {played.unsettled} options too much can follow to tell whether their offer can still be met"
    return Reply(played.data, text + written)
