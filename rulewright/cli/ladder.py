"""`rulewright ladder SCENARIO --players A,B,..`: how strong players are."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.arguments import ScenarioName, Seed
from rulewright.cli.console import Reply

GAMES = 60


def ladder(
    scenario: ScenarioName,
    packages: list[Path],
    players: Annotated[
        str, typer.Option("--players", metavar="X,Y", help="Players as in `play`, the weaker ones first.")
    ] = "random,greedy,lookahead:1000,search:8",
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="STACK", help="Other rules than those of the card.")
    ] = None,
    games: Annotated[
        int, typer.Option("-n", "--games", min=2, max=100_000, help="Games of each pair, at most.")
    ] = GAMES,
    seed: Seed = "1",
    engine: Annotated[
        str,
        typer.Option("--engine", metavar="native|python", help="Compiled code, as far as it goes, or the machine."),
    ] = "native",
) -> Reply:
    """Let each player meet the next in SCENARIO, places changed, until it is decided who is the stronger."""
    from rich.console import Group
    from rich.table import Table

    from rulewright.bootstrap import bring
    from rulewright.cli.console import progress
    from rulewright.cli.findings import refusal
    from rulewright.engines import NATIVE, known_engine
    from rulewright.games import load_scenario
    from rulewright.ladder import FAULTS, rung_data
    from rulewright.ladder import ladder as climb

    if known_engine(engine) == NATIVE:
        bring("native")
    loaded = load_scenario(scenario, rules, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    names = [name.strip() for name in players.split(",") if name.strip()]
    with progress(f"{scenario}, at most {games} games of each pair", max(1, len(names) - 1) * games) as moved:
        rungs = list(climb(loaded.graph, names, seed, games, engine, moved))
    table = Table(
        "player",
        "against",
        "games",
        "won-lost-drawn",
        "pairs won-lost-drawn",
        "wins of 100 decided pairs",
        "verdict",
        box=None,
    )  # fmt: skip
    for rung in rungs:
        low, high = rung.share
        stronger = "stronger" if rung.blocks.second > rung.blocks.first else "weaker"
        table.add_row(
            rung.player, rung.before, str(rung.games), f"{rung.won}-{rung.lost}-{rung.drawn}",
            f"{rung.blocks.second}-{rung.blocks.first}-{rung.blocks.neither}", f"{100 * low:.0f} to {100 * high:.0f}",
            stronger if rung.is_decided else f"not decided in {rung.games} games",
        )  # fmt: skip
    notes = [
        f"{count} games of {rung.player} and {rung.before} were played by the machine, since {why}"
        for rung in rungs
        for why, count in rung.reasons.items()
    ]
    notes += [
        f"in {rung.faults} games of {rung.player} and {rung.before} the rules broke: they count for nobody"
        f"{', and no more were played' if rung.faults >= FAULTS or rung.exhausted else ''}"
        for rung in rungs
        if rung.faults
    ]
    heading = f"{scenario}, seed {seed}; a pair is one seed with places changed; intervals hold whenever one looks"
    told = Group(heading, table, *notes)
    return Reply({"rungs": [rung_data(rung) for rung in rungs]}, told, findings=any(rung.faults for rung in rungs))
