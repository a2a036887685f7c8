"""A known effect is found with its sign, and none where there is none."""

import pytest

from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from runtime.experiment.change_use import NEVER_LIVE, USED
from runtime.experiment.plan import prepare_plan
from runtime.experiment.processes import play_range
from runtime.experiment.stopping import DECIDED, StoppingRule
from runtime.experiment.verdict import LESS, MORE, winner_finding
from runtime.graph.nodes import Table
from tests.lab.bench import ALONE, race, run, skirmish
from tests.sample import LONG, sampled
from tests.toys.hares import GOAL_BARS


@pytest.fixture(scope="module")
def harsher() -> Experiment:
    """Return the skirmish with a combat results table shifted by a column for every attack."""
    return skirmish("harsher_table", ablate=["crt"])


@sampled(0)
def test_a_bar_on_its_goal_hinders_the_greedy_player() -> None:
    """Red plays greedily and makes for the goal; blue plays at random."""
    summary = run(race(bar=GOAL_BARS), 200, until=StoppingRule(DECIDED))
    (gap,) = summary.differences
    assert summary.stopped == "every difference is decided"
    assert gap.wins.interval.low < gap.wins.estimate < gap.wins.interval.high < 0
    assert gap.lead.change < 0
    assert winner_finding(gap, summary) == LESS


@LONG
def test_a_table_shifted_by_a_column_helps_the_attacker(harsher: Experiment) -> None:
    two = Experiment(harsher.stacks[:2], harsher.seatings, "1", "allied")
    summary = run(two, 200, until=StoppingRule(DECIDED))
    (gap,) = summary.differences
    assert summary.stopped == "every difference is decided"
    assert gap.wins.interval.low > 0
    assert gap.lead.change > 0
    lost = {lost.side: lost.change for lost in gap.losses if not lost.counter}
    assert lost["german"] > 0
    assert winner_finding(gap, summary) == MORE


def test_ablation_of_the_shift_restores_the_table(harsher: Experiment) -> None:
    plain, shifted, without = (stack.graph for stack in harsher.stacks)
    assert [stack.baselines for stack in harsher.stacks] == [(), (0,), (1,)]
    assert row_tuples(plain.tables["crt"]) == row_tuples(without.tables["crt"]) != row_tuples(shifted.tables["crt"])
    assert harsher.stacks[2].name == "panzer_leader+harsher_table without crt"


def row_tuples(table: Table) -> list[tuple[object, ...]]:
    return [(row.keys, row.kind, row.value) for row in table.rows]


@LONG
def test_uses_of_changed_cells_are_counted(harsher: Experiment) -> None:
    for gap in run(harsher, 1).differences:
        cells = [one for one in gap.tried if one.what == "cell"]
        assert len(cells) > 10
        assert {one.games for one in cells} == {2}
        assert {one.use_state for one in cells} >= {USED, NEVER_LIVE}


@LONG
def test_dearer_swamps_have_no_effect_without_wagons() -> None:
    (gap,) = run(skirmish("dearer_swamps"), 8).differences
    assert gap.wins.estimate == gap.lead.change == gap.choices == 0
    assert not any(share.is_established for share in gap.shares)
    assert {lost.change for lost in gap.losses} == {0}


def test_counts_of_a_game_do_not_depend_on_earlier_games() -> None:
    stacks = load_stacks("before_the_tide", ["low_tide"], [], [])
    plan = set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", "north").plan()
    prepare_plan.cache_clear()
    after_others = list(play_range(ALONE, plan, 0, 4))[3]
    prepare_plan.cache_clear()
    assert list(play_range(ALONE, plan, 3, 4)) == [after_others]
