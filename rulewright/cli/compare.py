"""`rulewright compare SCENARIO --rules A --rules B`: what rules do to balance."""

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Jobs, PlayerCodeOption, ScenarioName, SeedOption
from rulewright.cli.console import Reply, print_error, print_note, show_progress, typed_command
from rulewright.cli.engine import engine_of
from rulewright.cli.termination import terminated_as_interrupted
from rulewright.seeds import GAME_LIMIT

# With a stopping rule, `-n` is only a limit.
GAMES, MOST_GAMES = 200, 5000


def compare(
    scenario: ScenarioName,
    packages: list[Path],
    rules: Annotated[
        list[str] | None,
        typer.Option(metavar="STACK", help="Play under these rules; may be repeated; those of the card, if left out."),
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
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write report.md, report.html and their plots.")
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
        typer.Option("--which", help="Then play without the parts that the last rules add, in groups and one by one."),
    ] = False,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone",
            help="With --which: also play each part without the others, even if a part is found without which the "
            "effect is gone.",
        ),
    ] = False,
    margin: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Ignore differences below this share.  [default: 5%]")
    ] = None,
    player_code: PlayerCodeOption = None,
    dice: Annotated[
        str,
        typer.Option(
            metavar="phase|action",
            help="How the two games of a pair share dice: by phase, or by action and its target.",
        ),
    ] = "phase",
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
            "take several times as long, above all where a change affects what can be seen.",
        ),
    ] = 10,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDR", help="The address of a scheduler of `distributed`.")
    ] = None,
) -> Reply:
    """Play SCENARIO many times under other rules, with the same dice.

    Example: rulewright compare ridge_farm --rules panzerblitz --rules panzerblitz+pb_mounted_guns -n 50
    """
    from rich.console import Group

    from rulewright.cli.comparison import describe_comparison
    from rulewright.errors import UsageError
    from rulewright.lab.effect_attribution import EffectAttribution, changed_units
    from rulewright.lab.experiment_setup import (
        load_stacks,
        parse_seatings,
        parse_stopping_rule,
        seed_for_dice,
        set_up,
    )
    from rulewright.lab.report_blocks import may_be_written, write_report
    from rulewright.player_code import fetch_players
    from rulewright.player_limits import player_limits
    from runtime.experiment.report import experiment_report

    if alone and not which:
        raise UsageError("`--alone` belongs to `--which`: name both")
    if which and ablate:
        raise UsageError("`--which` finds what to leave out, `--ablate` names it: one of the two")
    stop = parse_stopping_rule(until, margin)
    stacks = load_stacks(scenario, rules or [], ablate or [], packages)
    if stop.rule and len(stacks) < 2:
        raise UsageError("`--until` waits for a difference: name other `--rules`, or a rule to `--ablate`")
    code = fetch_players(player_code or [])
    player_names = players or ["greedy"]
    seating = parse_seatings(stacks, player_names, swaps_sides=swap, player_code=code)
    _tell_of_swap(seating, swap=swap)
    experiment = replace(
        set_up(stacks, seating, seed_for_dice(seed, dice), side, code, engine_of(engine)), counted_games=heard
    )
    if report:
        may_be_written(report)  # Now, not after hours of play.
    game_count = games or (MOST_GAMES if stop.rule else GAMES)
    workers = jobs or min(os.cpu_count() or 1, game_count)
    changed = changed_units(scenario, rules or [], packages, experiment.card) if which else ()
    title = f"{scenario}, {len(experiment.stacks) * len(experiment.seatings)} games each time"
    with (
        _results(out, experiment) as results,
        _worker_pool(dask, workers) as pool,
        show_progress(title, game_count) as moved,
        _tell_what_is_kept(results),
    ):
        summary = experiment.run(game_count, pool, moved, stop, results)
    _tell_of_machine(summary)
    limits = dict.fromkeys(
        limit for each in experiment.stacks for limit in player_limits(each.graph, " ".join(player_names))
    )
    data = experiment_report(summary) | {"player_limits": list(limits)}
    lines: tuple[str, ...] = ()
    if changed:
        found = EffectAttribution(
            experiment, scenario, stacks[-1].name, packages, _other_experiments(summary, dask, workers)
        )
        with _tell_what_is_kept(results, " the games of the search for causes are not kept, and are played again;"):
            lines = _find_causes(found, changed, summary, data, alone=alone)
    parts: list[Any] = [
        describe_comparison(summary),
        *limits,
        *(["\n" + "\n".join(lines)] if lines else []),
    ]
    is_written = True
    if report:
        try:
            parts.append(f"\nwritten up in {write_report(summary, scenario, report, lines)}")
        except OSError as failed:  # The games are worth more than the report.
            print_error(f"{failed.filename}: {failed.strerror}; the report is not written")
            is_written = False
    return Reply(data, Group(*parts), findings=not is_written or _have_broken(summary, data))


def _find_causes(search: Any, changed: Any, summary: Any, data: dict[str, Any], *, alone: bool) -> tuple[str, ...]:
    """Search for causes, with each part alone if removal does not tell; return lines, and add them to the data."""
    from rulewright.lab.attribution_report import alone_sentences, attribution_sentences, causes_data, needs_each_alone

    data["causes"] = data["causes_alone"] = []
    if (summary.stacks[-1], summary.arms[-1].players) in {(rules, players) for rules, _, players in summary.unknown}:
        return ("which of the changed rules it was: nothing to search, as the rules broke in each pair of games",)
    causes = list(search.attribute(changed, summary))
    data["causes"] = causes_data(causes)
    lines = tuple(attribution_sentences(causes, summary))
    if not (alone or needs_each_alone(causes, summary)):
        return lines
    each_alone = list(search.attribute_alone(changed, summary))
    data["causes_alone"] = causes_data(each_alone, "alone")
    return (*lines, *alone_sentences(each_alone, summary))


def _have_broken(summary: Any, data: Mapping[str, Any]) -> bool:
    """Return whether the rules broke in a game, including those without a part.

    A part alone may break because it depends on others, which is no fault.
    """
    return bool(summary.broken) or any(each["broken"] for each in data.get("causes", ()))


def _tell_of_swap(seating: Any, *, swap: bool) -> None:
    """Print that `--swap` has no effect if one player plays all sides."""
    if swap and all(len({name for _, name in each}) == 1 for each in seating):
        print_note("--swap: one player plays all sides, so nobody changes places")


def _other_experiments(summary: Any, dask: str | None, workers: int) -> Any:
    """Return a function that runs other experiments with the number of games of a summary."""

    def play(experiment: Any, title: str) -> Any:
        with _worker_pool(dask, workers) as pool, show_progress(title, summary.games) as moved:
            return experiment.run(summary.games, pool, moved)

    return play


def _tell_of_machine(summary: Any) -> None:
    """Print how many games the machine played, and why."""
    from rulewright.engines import fallback_reasons, machine_games_text

    if summary.reasons:
        left = sum(count for _, count in summary.reasons)
        print_note(f"{machine_games_text(left)}, since {'; '.join(fallback_reasons(dict(summary.reasons)))}")


@contextmanager
def _tell_what_is_kept(results: Any, but: str = "") -> Iterator[None]:
    """Report the stored games if the experiment is interrupted, its workers are lost, or the disk is full."""
    from rulewright.errors import UsageError
    from runtime.experiment.processes import WorkersLost

    try:
        with terminated_as_interrupted():
            yield
    except KeyboardInterrupt:
        print_note(f"broken off; {stored_games_message(results, but)}")
        raise
    except WorkersLost as gone:
        raise UsageError(f"{gone}; {stored_games_message(results, but)}") from None
    except OSError as failed:
        text = f"{failed.strerror or failed}; {stored_games_message(results, but)}"
        raise OSError(failed.errno, text, failed.filename) from None


def stored_games_message(results: Any, but: str) -> str:
    """Return a message on the stored games of an interrupted experiment, and the command that resumes it."""
    if results is None:
        return (
            "nothing was kept; with `--out FILE` the games that are played are, and the same command goes on with them"
        )
    return f"{results.stored_game_count()} games are kept in {results.path};{but} to go on: {typed_command()}"


def _results(out: Path | None, experiment: Any) -> AbstractContextManager[Any]:
    """Open the file of results, if specified."""
    from rulewright.lab.results import Results

    return Results(out, experiment.heading()) if out else nullcontext()


@contextmanager
def _worker_pool(address: str | None, jobs: int) -> Iterator[Any]:
    """Yield the worker pool: the workers of a scheduler, or processes of this machine."""
    from rulewright.bootstrap import command_for, require_extra
    from rulewright.errors import UsageError
    from runtime.experiment.cluster import ClusterNotInstalled, NoCluster, connect_cluster
    from runtime.experiment.processes import start_processes

    if address is None:
        with start_processes(jobs, print_note) as pool:
            yield pool
        return
    require_extra("cluster")
    try:
        with connect_cluster(address, print_note) as pool:
            yield pool
    except ClusterNotInstalled:
        raise UsageError(f"`--dask` needs distributed, which is not here: {command_for('cluster')}") from None
    except NoCluster as missing:
        raise UsageError(f"`--dask`: {missing}") from None
