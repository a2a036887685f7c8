"""Experiments: paired seeds, the same result on any number of processes, and the promised report."""

from dataclasses import replace

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.experiment.plan import Plan, batches, carry_out
from runtime.experiment.report import compared, played
from runtime.experiment.summary import sum_up
from runtime.graph import nodes as graph
from runtime.graph.codec import encode
from runtime.graph.digest import digest
from runtime.play.game import Finished, Game
from runtime.players.greedy import greedy
from runtime.players.player import play_out, seat
from tests.toys.hares import BOG_BARS, hares


def plan(*stacks: graph.Graph, games: int = 12, red: str = "greedy", counts_rules: bool = False) -> Plan:
    texts = tuple(encode(rules) for rules in stacks)
    return Plan(texts, (("red", red), ("blue", "random")), "x", games, counts_rules)


def silent(_: int, __: int) -> None:
    """Show no progress."""


def test_any_number_of_processes_gives_the_same_result() -> None:
    wanted = plan(hares(), hares(BOG_BARS))
    assert carry_out(wanted, 2, silent) == carry_out(wanted, 1, silent)


def test_progress_is_told_as_games_are_done() -> None:
    told: list[tuple[int, int]] = []
    carry_out(plan(hares(), games=5), 1, lambda done, of: told.append((done, of)))
    assert told == [(n, 5) for n in range(1, 6)]


@pytest.mark.parametrize(("games", "jobs"), [(1, 4), (7, 2), (400, 3), (16, 2)])
def test_batches_cover_every_game_once(games: int, jobs: int) -> None:
    covered = [n for batch in batches(replace(plan(hares()), games=games), jobs) for n in range(batch.first, batch.end)]
    assert covered == list(range(games))


def test_the_same_stack_twice_makes_no_difference() -> None:
    rows = carry_out(plan(hares(), hares()), 1, silent)
    assert all(first == second for first, second in rows)
    gap = sum_up(rows, ["a", "b"], "red").difference
    assert gap is not None
    assert gap.estimate == gap.level == 0
    assert gap.interval.low < 0 < gap.interval.high
    assert gap.p == 1


def test_the_report_holds_what_is_promised() -> None:
    rows = carry_out(plan(hares(), hares(BOG_BARS), games=20, counts_rules=True), 1, silent)
    report = compared(sum_up(rows, ["hares", "hares+bog"], "red"))
    assert [arm["rules"] for arm in report["arms"]] == ["hares", "hares+bog"]
    for arm in report["arms"]:
        assert arm["n"] == 20
        assert arm["interval"][0] <= arm["wins"] / arm["n"] <= arm["interval"][1]
        assert arm["wins"] == arm["won_by"].get("red", 0)
        assert set(arm["levels"]) == {"red", "blue"}
        assert arm["turns"] == 3
    gap = report["difference"]
    assert gap["interval"][0] <= gap["estimate"] <= gap["interval"][1]
    assert gap["estimate"] == pytest.approx((report["arms"][1]["wins"] - report["arms"][0]["wins"]) / 20)
    assert report["faults"] == []


def test_rules_that_fire_are_counted_without_changing_the_games() -> None:
    counted = carry_out(plan(hares(), hares(BOG_BARS), counts_rules=True), 1, silent)
    plain = carry_out(plan(hares(), hares(BOG_BARS)), 1, silent)
    assert [tuple(replace(game, fired=()) for game in row) for row in counted] == list(plain)
    fired = dict(sum_up(counted, ["a", "b"], "red").fired)
    assert max(fired["some-glory"]) > 0
    assert "held" not in fired  # It only forbids, so it is never live in what is carried out.


def test_a_game_whose_rules_break_is_reported_and_left_out() -> None:
    rules = hares()
    stay = rules.procedures["action:deploy"]
    broken = replace(stay, body=(*stay.body, graph.Choose("", "x", graph.SetOf(()), None, None)))
    odd = replace(rules, procedures={**rules.procedures, "action:deploy": broken})
    odd = replace(odd, hash=digest(odd))
    summary = sum_up(carry_out(plan(rules, odd, games=3), 1, silent), ["hares", "odd"], "red")
    assert [(fault.rules, fault.seed) for fault in summary.faults] == [("odd", f"x-{n}") for n in range(3)]
    assert summary.faults[0].message.startswith("there is nothing to choose `x` from in action:deploy")
    assert summary.arms[0].n == 0
    assert summary.difference is None


def test_the_report_of_one_game() -> None:
    rules = hares()
    game = Game(rules, Interpreter(rules))
    course = game.start("3")
    end = play_out(game, course, seat({"red": greedy, "blue": greedy}, "3"))
    report = played(rules, course, end)
    assert report["state_hash"] == course.digest()
    assert report["decisions"] == course.choices
    assert set(report["levels"].values()) <= {"nothing", "some", "much"}
    draw = Finished("", None, (), 3, 7)
    assert (played(rules, course, draw)["winner"], played(rules, course, draw)["level"]) == (None, None)
