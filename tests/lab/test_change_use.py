"""Uses of changes by players: exact counts, independent of engine and earlier games, and first in the verdict."""

import gc
import json
import weakref
from bisect import bisect_left
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.lab.results import Results
from rulewright.write.new_packages import new_game
from runtime.experiment.change_use import (
    NEVER_ASKED,
    NEVER_IN_PLAY,
    NEVER_LIVE,
    NEVER_OFFERED,
    NEVER_TAKEN,
    USED,
    ChangeUse,
)
from runtime.experiment.change_use_text import change_count_text
from runtime.experiment.plan import Row, prepare_plan
from runtime.experiment.processes import play_range, start_processes
from runtime.experiment.reachable_changes import GraphChange, changes_of
from runtime.experiment.report import experiment_report
from runtime.experiment.verdict import judge_differences
from runtime.graph.budget import limited_budget
from tests.commands.planting import say
from tests.lab.bench import ALONE, race, run, silent
from tests.lab.verdict_lines import verdict_paragraphs
from tests.sample import sampled
from tests.toys.hares import BOG_BARS, hares

RULES = """
insert phase sulking "Sulking" { offer sulk, vanish until yes } after movement

insert phase vanishing "Vanishing" { offer vanish until yes } after sulking

action sulk by player in sulking [house] "Do hardly anything." reads "{u} sulks" {
  choose u from {u in all unit where u.side = player and u is not sad}
  mark u as sad
}
action vanish by player in sulking, vanishing [house] "Nobody ever can." reads "{u} vanishes" {
  choose u from {u in all unit where u.side = player and u is tired and u is not tired}
  remove u
}
status unit: sad marker "Sad" until end of turn

rule sad-legs [house] "Who is sad walks on all the same."
  may_enter forbidden
  exception to always-one-hex
  when mover is sad

value gloom(u: unit): 0..9 otherwise 0 reads "the gloom of {u}"
rule no-gloom [house] "Nobody asks."
  gloom is 1
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the toy game, and a variant with further actions."""
    top = tmp_path_factory.mktemp("toy") / "packages"
    new_game("toy", top)
    (top / "sulky").mkdir()
    (top / "sulky" / "layer.yaml").write_text("layer: sulky\ntitle: Sulky\nkind: variant\non: [toy]\n")
    (top / "sulky" / "sulky.rules").write_text(RULES)
    return top


def test_a_rule_that_only_forbids_is_counted_when_options_are_listed() -> None:
    (gap,) = run(race(["random"]), 6).differences
    found = {one.name: one for one in gap.tried}
    bars = found.pop("bog-bars")
    assert found == {}
    assert (bars.what, bars.only, bars.use_state, bars.games) == ("rule", "rules", USED, 6)
    assert 0 < bars.used <= bars.reached == 6


def test_a_prepared_plan_is_freed_after_other_plans() -> None:
    plan = race(["random"]).plan()
    created = []
    for graphs in (plan.graphs, plan.graphs[:1], plan.graphs[::-1]):
        other = replace(plan, graphs=graphs, watched=plan.watched[: len(graphs)])
        list(play_range(ALONE, other, 0, 1))
        created.append(weakref.ref(prepare_plan(other.graphs, other.code_of, other.module_of)))
    gc.collect()
    assert [each() is None for each in created] == [True, True, False]


@sampled(0)
def test_counts_do_not_depend_on_processes_or_earlier_games() -> None:
    plan = race(["random", "greedy"]).plan()
    prepare_plan.cache_clear()
    together = list(play_range(ALONE, plan, 0, 6))
    assert any(game.used for row in together for games in row for game in games)
    differing_rows: list[Row] = []
    for number in reversed(range(6)):
        prepare_plan.cache_clear()
        differing_rows.append(*play_range(ALONE, plan, number, number + 1))
    assert differing_rows[::-1] == together
    with start_processes(2) as two:
        assert list(play_range(two, plan, 0, 6)) == together


def test_only_the_requested_number_of_games_is_counted() -> None:
    games = list(play_range(ALONE, replace(race(["random"]).plan(), counted_games=3), 0, 6))
    assert [any(game.used for outcomes in row for game in outcomes) for row in games] == [
        number < 3 for number in range(6)
    ]


def test_counting_uses_changes_no_game() -> None:
    watched = race(["random", "greedy"]).plan()
    free = replace(watched, watched=())
    without_uses = [
        tuple(tuple(replace(game, used=()) for game in games) for games in row)
        for row in play_range(ALONE, watched, 0, 6)
    ]
    assert without_uses == list(play_range(ALONE, free, 0, 6))


def test_counts_are_resumed_from_a_file(tmp_path: Path) -> None:
    whole = run(race(), 8)
    for games in (3, 8):
        with Results(tmp_path / "results", race().heading()) as results:
            found = race().run(games, ALONE, silent, None, results)
        assert found.games == games
        assert (experiment_report(found) == experiment_report(whole)) == (games == 8)


def test_the_changes_between_two_stacks() -> None:
    assert changes_of(hares(), hares()).watched == ()
    assert changes_of(hares(), hares()).uncounted == ()
    (change,) = changes_of(hares(), hares(BOG_BARS)).watched
    assert change == GraphChange("rule", "bog-bars", "", "rule:bog-bars")
    (back,) = changes_of(hares(BOG_BARS), hares()).watched
    assert back == GraphChange("rule", "bog-bars", "rule:bog-bars", "")


def sulking(toy: Path, players: list[str]) -> Experiment:
    stacks = load_stacks("first_toy", ["toy", "toy+sulky"], [], [toy])
    return set_up(stacks, parse_seatings(stacks, players, swaps_sides=False), "1", None)


def test_unused_changes_are_reported_before_any_number(toy: Path) -> None:
    summary = run(sulking(toy, ["greedy"]), 4)
    (gap,) = summary.differences
    states = {one.name: one.use_state for one in gap.tried}
    assert states == {
        "sulk": NEVER_TAKEN, "vanish": NEVER_OFFERED, "sulking": USED, "vanishing": USED,
        "sad-legs": NEVER_LIVE, "no-gloom": NEVER_ASKED,
    }  # fmt: skip
    sulk = next(one for one in gap.tried if one.name == "sulk")
    assert sulk.reached == sulk.offered > 0 == sulk.used
    (first, second, third, *lines), _ = verdict_paragraphs(summary)
    assert "no player used the new options: sulk and vanish" in first
    assert second.startswith("not known: ")
    assert third.startswith("next: players that use it ")
    why = "nothing in it is `preferring`, so greedy players never begin it"
    assert f"offered, never used: action sulk (offered {sulk.offered} times, never used; {why})" in lines
    assert [one.preferred for one in gap.tried if one.what == "action"] == [False, False]
    assert any(line.startswith("never offered: action vanish (actions were asked for ") for line in lines)
    assert "never asked: no-gloom" in lines
    assert "all 4 pairs of games have the same winner, levels, turns and losses" in lines
    report = experiment_report(summary)
    assert report["difference"] is not None
    assert [each["state"] for each in report["difference"]["changes"]].count(NEVER_TAKEN) == 1
    assert report["verdicts"][0]["says"][0] == first


def test_what_is_done_and_offered_outside_of_phases_is_counted(toy: Path) -> None:
    """The phase of a state lasts until the next one begins, so the end of a turn looks like its last phase."""
    (toy / "nightly").mkdir()
    (toy / "nightly" / "layer.yaml").write_text("layer: nightly\ntitle: Nightly\nkind: variant\non: [toy]\n")
    (toy / "nightly" / "nightly.rules").write_text("""
status unit: dreaming until end of turn
action dream by player [house] "Dream." reads "{u} dreams" {
  choose u from {u in all unit where u is not dreaming} preferring 1
  mark u as dreaming
}
resolution fall_asleep() [house] "Night falls." { }
rule nights [house] "The night comes before a turn."
  inserts { do fall_asleep() offer dream by north until yes } before the last each player of sequence
""")
    stacks = load_stacks("first_toy", ["toy", "toy+nightly"], [], [toy])
    (gap,) = run(set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", None), 2).differences
    uses = {(one.what, one.name): one.use_state for one in gap.tried}
    assert {state for (what, _), state in uses.items() if what in {"step", "offer", "action"}} == {USED}, uses


def test_the_reason_for_no_preference_is_printed() -> None:
    found = ChangeUse("action", "sulk", "rules", 4, 9, 9, 0, preferred=False, no_preference="Nobody likes it.")
    messages = 'its rules never prefer it, "Nobody likes it.", so greedy players never begin it'
    assert change_count_text(found, {}) == f"action sulk (offered 9 times, never used; {messages})"


def test_taken_actions_are_counted_for_each_player(toy: Path) -> None:
    summary = run(sulking(toy, ["greedy", "random"]), 4)
    by_players = {gap.players: {one.name: one for one in gap.tried} for gap in summary.differences}
    sulk = by_players["random"]["sulk"]
    assert 0 < sulk.used <= sulk.offered <= sulk.reached
    assert by_players["greedy"]["sulk"].used == 0
    assert by_players["greedy"]["sulk"].used_by == ()
    assert len(sulk.used_by) == 2
    assert sum(times for _, times in sulk.used_by) == sulk.used
    assert any("used: action sulk (offered " in line for line in judge_differences(summary)[1]["details"])


def test_the_command_prints_verdicts_before_tables(toy: Path) -> None:
    command = [
        "compare",
        "first_toy",
        "--rules",
        "toy",
        "--rules",
        "toy+sulky",
        "-n",
        "2",
        "-j",
        "1",
        "--path",
        f"{toy}",
    ]
    assert "seen from" not in say(command).out
    output = say([*command, "--all"])
    assert output.out.index("never used") < output.out.index("seen from")
    data = say([*command, "--format", "json"]).data
    assert data["verdicts"][0]["finding"] == "open"


def test_equal_rules_are_reported_equal(toy: Path) -> None:
    stacks = load_stacks("first_toy", ["toy", "toy"], [], [toy])
    summary = run(set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", None), 2)
    lines, _ = verdict_paragraphs(summary)
    assert "no game can differ, as nothing that games depend on is changed" in lines[0]


@sampled(0)
def test_counting_uses_charges_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(members: int) -> bool:
        with limited_budget(members):
            return bool(run(race(["random"]), 2).broken)

    with monkeypatch.context() as ignore_choice:
        ignore_choice.setattr(Experiment, "watched_changes", lambda self: tuple(() for _ in self.stacks))
        enough = bisect_left(range(1 << 20), 1, key=lambda members: not breaks(members))
    assert 1 < enough < 1 << 20, "these games take no work, or no budget is enough, so nothing is tried"
    assert not breaks(enough)


@sampled(0)
def test_a_flipped_or_lost_counter_counts_as_in_play(tmp_path: Path) -> None:
    """All these counters are on the card, except the cavalry; in this game both armies of the Guard lose a step."""
    (tmp_path / "weaker").mkdir()
    (tmp_path / "weaker" / "layer.yaml").write_text("layer: weaker\ntitle: W\nkind: variant\non: [long_frost]\n")
    (tmp_path / "weaker" / "c.yaml").write_text("""patch: corps
cites: house
add counters:
  - {id: cavalry, side: raiders, strength: 2, movement: 5, back: "-", traits: []}
set:
  - {id: panzers, column: strength, expect: 6, now: 5}
  - {id: rifles, column: strength, expect: 3, now: 2}
  - {id: tanks, column: strength, expect: 5, now: 4}
""")
    rules = ["--rules", "long_frost", "--rules", "long_frost+weaker", "--path", str(tmp_path)]
    done = say(["compare", "first_snow", *rules, "-n", "1", "-j", "1", "--format", "json"])
    assert not done.code, done.err
    changes = json.loads(done.out)["difference"]["changes"]
    assert {each["name"]: each["state"] for each in changes} == {
        "cavalry": NEVER_IN_PLAY, "panzers": USED, "rifles": USED, "tanks": USED,
    }  # fmt: skip
