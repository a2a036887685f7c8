"""`rulewright compare SCENARIO --rules A --rules B`: what rules do to balance."""

import os
from collections import ChainMap
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.games.seeds import GAME_LIMIT
from rulewright.serve.cli.arguments import Jobs, PlayerCodeOption, ScenarioName, SeedOption
from rulewright.serve.cli.console import Reply, print_note, show_progress, typed_command
from rulewright.serve.cli.engine import engine_of
from rulewright.serve.cli.termination import terminated_as_interrupted
from runtime.graph.records.measuring import ComparisonRecord, DivergencesRecord, PowerRecord

# With a stopping rule, `-n` is only a limit.
GAMES, MOST_GAMES = 200, 5000


def compare(
    scenario: ScenarioName,
    packages: list[Path],
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STACK",
            help="Play under these rules, by default those of the situation; may be repeated: every two are compared.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            min=1,
            max=GAME_LIMIT,
            help="Games under each of the rules; 200, or at most 5000 with --until.",
        ),
    ] = None,
    players: Annotated[
        list[str] | None, typer.Option(metavar="X,Y", help="Who plays, as in `play`; may be repeated.")
    ] = None,
    swap: Annotated[bool, typer.Option("--swap", help="Also play with exchanged sides.")] = False,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTH",
            help="Stop when intervals are this narrow (0.1); or when it is `decided` that the rules differ, when "
            "they are the `same` within the margin, or `settled`: either of the two.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Store every game in this file; continue a run stored there."),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each game to this file, as CSV.")
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="Count the wins of this side; of the first to move, if left out.")
    ] = None,
    jobs: Jobs = 0,
    seed: SeedOption = "1",
    ablate: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL", help="Also play the last rules without this rule, `table[key, key]` or table."),
    ] = None,
    which: Annotated[
        bool,
        typer.Option("--which", help="Also play the last rules without each part that they add to the first."),
    ] = False,
    margin: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Ignore differences below this share.  [default: 5%]")
    ] = None,
    player_code: PlayerCodeOption = None,
    engine: Annotated[
        str,
        typer.Option(
            metavar="native|python",
            help="Compiled code where possible, or Python; the results are the same.  [default: native if it is there]",
        ),
    ] = "",
    heard: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Count in the first N games which rules applied and how the changed ones were used; these games "
            "take about twice as long in compiled code, and several times as long in Python.",
        ),
    ] = 10,
    every: Annotated[
        bool, typer.Option("--all", help="Also show tables, the use of the changes, and what was looked at.")
    ] = False,
    divergence: Annotated[
        list[str] | None,
        typer.Option(metavar="SEED", help="Only tell where the games of this seed diverge, and why; may be repeated."),
    ] = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Only tell which differences so many games can show; with --out by what is stored."
        ),
    ] = False,
) -> Reply[ComparisonRecord] | Reply[DivergencesRecord] | Reply[PowerRecord]:
    """Play SITUATION many times under other rules, with the same dice.

    Example: rulewright compare ridge_farm --rules panzerblitz --rules panzerblitz+pb_mounted_guns -n 50
    """
    from rulewright.games.player_aims import player_aims
    from rulewright.games.player_code import fetch_players
    from rulewright.games.player_limits import player_limits
    from rulewright.lab.changed_parts import stacks_without_parts
    from rulewright.lab.experiment_setup import (
        load_stacks,
        parse_seatings,
        parse_stopping_rule,
        set_up,
    )
    from rulewright.lab.pair_divergences import pair_divergences
    from rulewright.serve.cli.comparison import comparison_block, divergences_block, power_block
    from rulewright.system.errors import UsageError
    from runtime.experiment.processes import start_processes
    from runtime.experiment.report import counter_titles, experiment_report, level_names

    stop = parse_stopping_rule(until, margin)
    stacks, refusals = load_stacks(scenario, rules or [], ablate or [], packages), list[str]()
    if which:
        without, refusals = stacks_without_parts(scenario, rules or [], packages, stacks[0].card, len(rules or []) - 1)
        stacks += tuple(without)
    if stop.rule and len(stacks) < 2:
        raise UsageError("`--until` waits for a difference: name other `--rules`, or a rule to `--ablate`")
    code = fetch_players(player_code or [])
    player_names = players or ["greedy"]
    seating = parse_seatings(stacks, player_names, swaps_sides=swap, player_code=code)
    _tell_of_swap(seating, swap=swap)
    experiment = replace(set_up(stacks, seating, seed, side, code, engine_of(engine)), counted_games=heard)
    if divergence:
        pairs = [pair for each_seed in divergence for pair in pair_divergences(experiment, each_seed)]
        record_of_pairs: DivergencesRecord = {"pairs": pairs}
        return Reply(record_of_pairs, divergences_block)
    game_count = games or (MOST_GAMES if stop.rule else GAMES)
    if plan:
        return Reply(_power(experiment, game_count, stop, out), power_block)
    workers = jobs or min(os.cpu_count() or 1, game_count)
    title = f"{scenario}, {len(experiment.stacks) * len(experiment.seatings)} games each time"
    with (
        _results(out, experiment) as results,
        _row_writer(table, experiment) as on_row,
        start_processes(workers) as pool,
        show_progress(title, game_count) as moved,
        _tell_what_is_kept(results),
    ):
        summary = experiment.run(game_count, pool, moved, stop, results, on_row)
    _tell_of_machine(summary)
    limits = dict.fromkeys(
        limit for stack in experiment.stacks for limit in player_limits(stack.graph, " ".join(player_names))
    )
    record = experiment_report(summary)
    record["player_limits"] = list(limits)
    greedy_sides = {side for seats in experiment.seatings for side, name in seats if name == "greedy"}
    counters = ChainMap(*(stack.graph.counters for stack in experiment.stacks))
    record["counter_titles"] = counter_titles(counters, summary.arms)
    record["level_names"] = level_names(experiment.stacks[-1].graph, summary.arms)
    record["player_aims"] = player_aims(experiment.stacks[-1].graph, greedy_sides) if greedy_sides else []
    for verdict in record["verdicts"]:
        if "seed" in verdict:
            verdict["replay"] = [f"{typed_command()} --divergence {verdict['seed']}"]
    if which:
        record["not_played"] = refusals
    return Reply(record, lambda found: comparison_block(found, every=every), findings=bool(summary.broken))


def _power(experiment: Any, game_count: int, stop: Any, out: Path | None) -> PowerRecord:
    """Return what the games can show; stored games tell how many pairs have different winners."""
    from rulewright.lab.results import stored_game_count
    from rulewright.system.errors import UsageError
    from runtime.experiment.differences import interval_error
    from runtime.experiment.power import power_of_experiment
    from runtime.experiment.processes import WorkerPool

    if len(experiment.stacks) < 2:
        raise UsageError("`--plan` is about differences: name other `--rules`, or a rule to `--ablate`")
    error = interval_error(experiment.tally(), experiment.sides())
    stored_share = None
    if out and (stored_count := stored_game_count(out)):
        with _results(out, experiment) as results:
            stored = experiment.run(stored_count, WorkerPool(None, 1), lambda _, __: None, results=results)
        stored_share = max((gap.differing_share for gap in stored.differences), default=None)
    return power_of_experiment(game_count, error, stop.margin, stored_share)


def _tell_of_swap(seating: Any, *, swap: bool) -> None:
    """Print that `--swap` has no effect if one player plays all sides."""
    if swap and all(len({name for _, name in each}) == 1 for each in seating):
        print_note("--swap: one player plays all sides, so nobody changes places")


def _tell_of_machine(summary: Any) -> None:
    """Print how many games the machine played, and why."""
    from rulewright.games.engines import fallback_reasons, machine_games_text

    if summary.reasons:
        left = sum(count for _, count in summary.reasons)
        print_note(f"{machine_games_text(left)}, since {'; '.join(fallback_reasons(dict(summary.reasons)))}")


@contextmanager
def _tell_what_is_kept(results: Any) -> Iterator[None]:
    """Report the stored games if the experiment is interrupted, its workers are lost, or the disk is full."""
    from rulewright.system.errors import UsageError
    from runtime.experiment.processes import WorkersLost

    try:
        with terminated_as_interrupted():
            yield
    except KeyboardInterrupt:
        print_note(f"broken off; {_stored_games_message(results)}")
        raise
    except WorkersLost as gone:
        raise UsageError(f"{gone}; {_stored_games_message(results)}") from None
    except OSError as failed:
        text = f"{failed.strerror or failed}; {_stored_games_message(results)}"
        raise OSError(failed.errno, text, failed.filename) from None


def _stored_games_message(results: Any) -> str:
    """Return a message on the stored games of an interrupted experiment, and the command that resumes it."""
    if results is None:
        return (
            "nothing was kept; with `--out FILE` the games that are played are, and the same command goes on with them"
        )
    return f"{results.stored_game_count()} games are kept in {results.path}; to go on: {typed_command()}"


def _results(out: Path | None, experiment: Any) -> AbstractContextManager[Any]:
    """Open the file of results, if specified."""
    from rulewright.lab.results import Results

    return Results(out, experiment.heading()) if out else nullcontext()


@contextmanager
def _row_writer(file: Path | None, experiment: Any) -> Iterator[Any]:
    """Yield what is called with each row of games: it writes them to a file, if one is specified."""
    from rulewright.lab.game_table import GameTable

    if file is None:
        yield lambda _: None
        return
    with file.open("w", encoding="utf-8", newline="") as opened:
        yield GameTable(opened, experiment).add
