"""Experiments: paired seeds, equal results with any number of workers, and the documented report."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.experiment.plan import HEARD, ExperimentPlan, Row, Seating
from runtime.experiment.processes import WorkerPool, cut_batches, play_range, start_processes
from runtime.experiment.report import experiment_report, game_report
from runtime.experiment.summary import Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, budget_limit
from runtime.graph.digest import graph_digest
from runtime.play.game import FinishedGame, Game
from runtime.players.greedy import greedy_option
from runtime.players.player import play_out, seat_players
from tests.sample import sampled
from tests.toys.hares import BOG_BARS, hares

SIDES = {"red": "red", "blue": "blue"}
SEATING = (("red", "greedy"), ("blue", "random"))
TURNED = (("red", "random"), ("blue", "greedy"))


def plan(*stacks: graph.Graph, seatings: tuple[Seating, ...] = (SEATING,), counted: int = 0) -> ExperimentPlan:
    return ExperimentPlan(tuple(map(pickle.dumps, stacks)), seatings, "x", counted)


def rows(wanted: ExperimentPlan, games: int = 12, pool: WorkerPool | None = None) -> list[Row]:
    return list(play_range(pool or WorkerPool(None, 1), wanted, 0, games))


def summed(found: list[Row], *stacks: str) -> Summary:
    pairings = tuple(StackPair(0, number) for number in range(1, len(stacks)))
    tally = Tally(stacks, pairings, "red", len(found[0]))
    for row in found:
        tally.add(row)
    return summarize_results(tally, ["greedy,random", "random,greedy"][: len(found[0])], SIDES, stopped="", until=None)


@sampled(0)
def test_the_result_does_not_depend_on_the_number_of_processes() -> None:
    wanted = plan(hares(), hares(BOG_BARS), seatings=(SEATING, TURNED), counted=HEARD)
    with start_processes(2) as two:
        assert rows(wanted, pool=two) == rows(wanted)


def test_every_process_respects_the_budget_of_the_plan() -> None:
    wanted = replace(plan(hares()), members=1)
    with start_processes(2) as two:
        found = rows(wanted, games=2, pool=two)
    assert found == rows(wanted, games=2)
    assert all(each.fault for row in found for outcomes in row for each in outcomes)
    assert budget_limit() == MOST_MEMBERS


def test_games_may_be_played_in_parts() -> None:
    wanted = plan(hares(), hares(BOG_BARS))
    alone = WorkerPool(None, 1)
    assert [*play_range(alone, wanted, 0, 5), *play_range(alone, wanted, 5, 12)] == rows(wanted)


class CountingExecutor(Executor):
    """Plays at once, and records the submitted work."""

    def __init__(self) -> None:
        self.submitted: list[object] = []

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Play, and return the finished future."""
        self.submitted.append(given)
        future: Future[Any] = Future()
        future.set_result(work(*given, **named))
        return future


def test_few_batches_are_submitted_ahead() -> None:
    threads = CountingExecutor()
    played = play_range(WorkerPool(threads, 2), plan(hares()), 0, 400)
    next(played)
    del played
    assert len(threads.submitted) < 10


@pytest.mark.parametrize(("first", "end", "workers"), [(0, 1, 4), (0, 7, 2), (3, 400, 3), (5, 16, 2), (8, 8, 2)])
def test_batches_cover_every_game_once(first: int, end: int, workers: int) -> None:
    covered = [n for batch in cut_batches(plan(hares()), first, end, workers) for n in range(batch.first, batch.end)]
    assert covered == list(range(first, end))


def test_equal_stacks_have_no_difference() -> None:
    found = rows(plan(hares(), hares()))
    assert all(first == second for ((first, second),) in found)
    (gap,) = summed(found, "a", "b").differences
    assert gap.wins.estimate == gap.lead.change == gap.turns == 0
    assert gap.wins.interval.low < 0 < gap.wins.interval.high
    assert gap.are_all_equal


def test_the_report_has_the_documented_values() -> None:
    report = experiment_report(summed(rows(plan(hares(), hares(BOG_BARS), counted=HEARD), 20), "hares", "hares+bog"))
    assert [arm["rules"] for arm in report["arms"]] == ["hares", "hares+bog"]
    for arm in report["arms"]:
        assert arm["n"] == 20
        assert arm["interval"][0] <= arm["wins"] / arm["n"] <= arm["interval"][1]
        assert arm["wins"] == arm["won_by"].get("red", 0)
        assert set(arm["levels"]) == {"red", "blue"}
        assert arm["turns"] == 3
        assert arm["lengths"] == {3: 20}
    gap = report["difference"]
    assert gap is not None
    assert gap["interval"][0] <= gap["estimate"] <= gap["interval"][1]
    assert gap["estimate"] == pytest.approx((report["arms"][1]["wins"] - report["arms"][0]["wins"]) / 20)
    lost = [arm["losses"].get("red", {}).get("red_hare", 0) for arm in report["arms"]]
    assert gap["losses"]["red"]["all"] == pytest.approx(lost[1] - lost[0])
    assert report["faults"] == []


def test_a_piece_created_in_play_is_no_loss() -> None:
    ended = [game for ((game,),) in rows(plan(hares()), 20)]
    assert {counter for game in ended for _, counter, _ in game.losses} <= {"red_hare", "blue_hare"}
    assert any(game.losses for game in ended)


def test_a_game_whose_rules_break_is_reported_and_left_out() -> None:
    rules = hares()
    stay = rules.procedures["action:deploy"]
    broken = replace(stay, body=(*stay.body, graph.Choose("", "x", graph.SetOf(()), None, None)))
    odd = replace(rules, procedures={**rules.procedures, "action:deploy": broken})
    odd = replace(odd, hash=graph_digest(odd))
    summary = summed(rows(plan(rules, odd), 3), "hares", "odd")
    assert [(fault.rules, fault.seed) for fault in summary.faults] == [("odd", f"x-{n}") for n in range(3)]
    assert summary.faults[0].message.startswith("there is nothing to choose `x` from in action deploy")
    assert (summary.broken, summary.games) == (3, 3)
    assert summary.arms[0]["n"] == 0
    assert summary.differences == ()


def test_the_memory_of_a_tally_does_not_grow_with_games() -> None:
    (row,) = rows(plan(hares(), hares(BOG_BARS), counted=HEARD), 1)
    tally = Tally(("a", "b"), (StackPair(0, 1),), "red", 1)
    sizes = []
    for number in range(10_000):
        tally.add(row)
        if number in (99, 9_999):
            sizes.append(len(repr(tally)))
    assert tally.games == sum(tally.gaps[0][0].winners.values()) == 10_000
    assert sizes[1] < 1.5 * sizes[0]


def test_the_report_of_one_game() -> None:
    rules = hares()
    game = Game(rules, Interpreter(rules))
    playthrough = game.start("3")
    end = play_out(game, playthrough, seat_players({"red": greedy_option, "blue": greedy_option}, "3"))
    report = game_report(rules, playthrough, end)
    assert report["state_hash"] == playthrough.digest()
    assert report["decisions"] == playthrough.choice_count
    assert set(report["levels"].values()) <= {"nothing", "some", "much"}
    draw = FinishedGame("", None, (), 3, 7)
    assert (game_report(rules, playthrough, draw)["winner"], game_report(rules, playthrough, draw)["level"]) == (
        None,
        None,
    )
