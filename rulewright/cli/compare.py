"""`rulewright compare SCENARIO --rules A --rules B`: what rules do to balance."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import ScenarioName
from rulewright.cli.console import Reply, progress


def compare(
    scenario: ScenarioName,
    packages: list[Path],
    rules: Annotated[list[str], typer.Option("--rules", metavar="STACK", help="Once for each set of rules.")],
    games: Annotated[int, typer.Option("-n", "--games", min=1, max=1_000_000, help="Games under each.")] = 200,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, max=512, help="Processes; 0: all cores.")] = 0,
    players: Annotated[str, typer.Option("--players", metavar="X,Y", help="random or greedy.")] = "greedy",
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Same seed, same games.")] = "1",
    side: Annotated[
        str | None, typer.Option("--side", help="Whose wins are counted; who moves first, if left out.")
    ] = None,
    dask: Annotated[str | None, typer.Option("--dask", metavar="ADDR", help="A scheduler of `distributed`.")] = None,
) -> Reply:
    """Play SCENARIO many times under each of the rules, game by game with the same dice."""
    from rulewright.cli.comparison import described
    from rulewright.cli.findings import refusal
    from rulewright.errors import UsageError, advice
    from rulewright.games import Comparison, load_scenario, players_of

    loaded = [load_scenario(scenario, stack, packages) for stack in rules]
    graphs = []
    for each in loaded:
        if each.broken or each.graph is None:
            return refusal(each)
        graphs.append(each.graph)
    card = graphs[0].scenario
    order = card.order if card else ()
    asked = side or (order[0] if order else "")
    if asked not in order:
        raise UsageError(f"no side `{asked}` plays here; {advice(asked, order)}")
    names = players_of(graphs[0], players)
    comparison = Comparison(tuple(graphs), tuple(rules), tuple(names.items()), seed, games)
    workers = jobs or min(os.cpu_count() or 1, games)
    with progress(f"{scenario}, {games} games under each of {len(graphs)} rules", games) as moved:
        rows = _on_cluster(comparison, dask, moved) if dask else comparison.run(workers, moved)
    summary, data = comparison.sum_up(rows, asked)
    return Reply(data, described(summary), findings=bool(summary.faults))


def _on_cluster(comparison: Any, address: str, moved: Any) -> Any:
    """Play on the workers of a scheduler."""
    from rulewright.errors import UsageError
    from runtime.experiment.cluster import NoCluster, cluster

    try:
        with cluster(address) as (executor, cores):
            return comparison.run_on(executor, cores, moved)
    except NoCluster as missing:
        raise UsageError(f"`--dask`: {missing}") from None
