"""`rulewright ladder SCENARIO --players A,B,..`: how strong players are."""

import os
import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Jobs, PlayerCodeOption, Rules, ScenarioName, SeedOption
from rulewright.cli.console import Reply, print_note, show_progress
from rulewright.cli.engine import engine_of
from rulewright.cli.termination import terminated_as_interrupted

GAMES = 60
EVERY = "all"


def ladder(
    scenario: ScenarioName,
    packages: list[Path],
    players: Annotated[
        str, typer.Option(metavar="X,Y", help="Players as in `play`, the weakest first.")
    ] = "random,greedy,lookahead:1000,search:8",
    player_code: PlayerCodeOption = None,
    rules: Rules = None,
    games: Annotated[
        int, typer.Option("-n", "--games", min=2, max=100_000, help="Limit the games of each pair.")
    ] = GAMES,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ACTION",
            help="Measure an action instead: the last player against itself without this action; `all`: each in turn.",
        ),
    ] = None,
    margin: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Ignore gains below this share.  [default: 3%]")
    ] = None,
    jobs: Jobs = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Store every game in files of this folder; continue runs stored there."
        ),
    ] = None,
    seed: SeedOption = "1",
    engine: Annotated[
        str,
        typer.Option(
            metavar="native|python", help="Compiled code where possible, or Python.  [default: native if it is there]"
        ),
    ] = "",
) -> Reply:
    """Measure how strong players are in SCENARIO.

    Each plays the next, with exchanged sides, until the difference is decided.

    Example: rulewright ladder before_the_tide --players random,greedy,lookahead
    """
    from rich.console import Group

    from rulewright.errors import UsageError
    from rulewright.games import load_scenario, separate_names
    from rulewright.lab.experiment_setup import parse_stopping_rule
    from rulewright.ladder_run import MARGIN, SIDES, LadderPlan, rung_data
    from rulewright.player_code import fetch_players
    from runtime.experiment.processes import WorkersLost, start_processes
    from runtime.graph.steps import offered_actions

    engine = engine_of(engine)
    margin_share = MARGIN if margin is None else parse_stopping_rule(None, margin).margin
    loaded = load_scenario(scenario, rules, packages)
    game = loaded.rules
    names = separate_names(players)
    forbidden = offered_actions(game) if EVERY in (without or ()) else (without or [])
    odd = games % SIDES
    games -= odd
    plan = LadderPlan(game, names, seed, games, engine, margin_share, forbidden, fetch_players(player_code or []))
    pairs = len(forbidden or names[1:])
    if odd:
        print_note(f"-n {games + odd}: {games} games of each pair at most, since each seed is played from both sides")
    with (
        start_processes(jobs or os.cpu_count() or 1, print_note) as pool,
        show_progress(f"{scenario}, at most {games} games of each pair", pairs * games) as moved,
    ):
        try:
            with terminated_as_interrupted():
                rungs = list(plan.play_steps(pool, lambda experiment, name: _kept(out, experiment, name), moved))
        except KeyboardInterrupt:
            print_note(f"broken off; {_stored_games_text(out)}")
            raise
        except WorkersLost as gone:
            raise UsageError(f"{gone}; {_stored_games_text(out)}") from None
        except OSError as failed:
            failure = f"{failed.strerror or failed}; {_stored_games_text(out)}"
            raise OSError(failed.errno, failure, failed.filename) from None
    _tell_of_machine(rungs)
    data = {"rungs": [rung_data(rung) for rung in rungs]}
    heading = f"{scenario}, seed {seed}; a pair is one seed with places changed; intervals hold whenever one looks"
    text = Group(heading, _table(rungs), *_notes(rungs))
    return Reply(data, text, findings=any(rung.faults for rung in rungs))


def _stored_games_text(out: Path | None) -> str:
    from rulewright.lab.results import stored_game_count

    if out is None:
        return "nothing was kept: `--out DIR` keeps what is played"
    is_any_stored = any(map(stored_game_count, out.glob("*.jsonl")))
    return f"what was played is kept in {out}" if is_any_stored else "nothing was played"


def _kept(out: Path | None, experiment: Any, name: str) -> AbstractContextManager[Any]:
    """Open the file of the results of two players, if specified."""
    from rulewright.lab.results import Results

    if out is None:
        return nullcontext()
    return Results(out / (re.sub(r"\W+", "-", name) + ".jsonl"), experiment.heading())


def _table(rungs: Any) -> Any:
    """Return the table of duels and their results."""
    from rich.table import Table

    columns = ("player", "against", "games", "won-lost-drawn", "pairs won-lost-drawn", "gain in points", "verdict")
    table = Table(*columns, box=None)
    for rung in rungs:
        table.add_row(*rung_cells(rung))
    return table


def rung_cells(rung: Any) -> tuple[str, ...]:
    """Return the cells of a table row: the two players, the counts of games and pairs, the gain, and the verdict."""
    low, high = rung.gain_interval
    return (
        rung.player,
        rung.opponent,
        str(rung.games),
        f"{rung.won}-{rung.lost}-{rung.drawn}",
        f"{rung.blocks.better}-{rung.blocks.worse}-{rung.blocks.equal}",
        f"{100 * rung.gain:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})",
        rung_verdict(rung),
    )


def rung_verdict(rung: Any) -> str:
    """Return the statistical conclusion about two players."""
    if rung.is_restricted and 0 < rung.games == rung.faults:
        return "not measured: the rules broke in every game"
    within = f"less than {100 * rung.margin:g} points"
    if rung.is_equivalent:
        return f"differs by {within}"
    if rung.is_decided:
        return "weaker" if rung.gain < 0 else "stronger"
    if rung.is_gain_small:
        return f"gains {within}" + (f"; its loss is not settled in {rung.games} games" if rung.is_restricted else "")
    return f"not settled in {rung.games} games"


def _tell_of_machine(rungs: Any) -> None:
    """Print how many games of this run the machine played, and why; those of stored games are not known."""
    from rulewright.engines import machine_games_text

    for rung in rungs:
        for reason, count in rung.reasons.items():
            print_note(f"{machine_games_text(count, f' of {rung.player} and {rung.opponent}')}, since {reason}")


def _notes(rungs: Any) -> list[str]:
    """Return notes on faults of rules, and on offers that the budget did not decide."""
    from rulewright.unsettled_offers import unsettled_sentence

    return [_fault_text(rung) for rung in rungs if rung.faults] + [
        f"{rung.player} and {rung.opponent}: {unsettled_sentence(offer)}" for rung in rungs for offer in rung.unsettled
    ]


def _fault_text(rung: Any) -> str:
    """Return a note on the games of a duel in which the rules broke, and on those that are therefore not played."""
    from rulewright.ladder_run import FAULTS

    how_many = "1 game" if rung.faults == 1 else f"{rung.faults} games"
    text = f"in {how_many} of {rung.player} and {rung.opponent} the rules broke, which counts for nobody"
    if rung.exhausted:
        text += (
            ", and no more were played, now or when this is continued: each may take as long, and more `--steps` need"
        )
        text += " another `--out`"
    elif rung.faults >= FAULTS:
        text += ", and no more were played"
    return f"{text}; the first: {rung.first_fault}"
