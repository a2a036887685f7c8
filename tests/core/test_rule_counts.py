"""A module counts the use of every rule, cell, counter and procedure of a game as the machine does with its tracer."""

from dataclasses import replace

import pytest

from compiler.wasm.module import write_game
from rulewright.lab.experiment_setup import parse_seatings, set_up, stacks_with_baseline
from runtime.experiment.plan import ExperimentPlan, play_row
from runtime.experiment.reachable_changes import ACTION, CELL, DEFAULT, OFFER, PHASE, RULE, changes_of
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.rows import row_label
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, package_set

PACKAGES = package_set()
MILLBROOK = "bridge_at_millbrook", "panzer_leader+opportunity_fire", "greedy", 2
GAMES = [
    # In its second game memoized answers of the first are asked for again.
    ("first_snow", "long_frost", "random", 2),
    ("before_the_tide", "low_tide", "greedy", 3),
    ("before_winter", "two_clans", "random,greedy", 3),
    ("before_the_tide", "low_tide", "lookahead:40,greedy", 1),
    pytest.param("first_snow", "long_frost+frost_pressure", "greedy", 2, marks=LONG),
    pytest.param(*MILLBROOK, marks=LONG),
    pytest.param("hazel_ford", "panzer_grenadier+pg_smoke", "greedy", 1, marks=LONG),
    pytest.param("easthay", "panzerblitz+pb_shelling", "random", 1, marks=LONG),
    pytest.param("koivula", "panssari_salama+panssari_salama_concealed", "random", 1, marks=LONG),
]


def everything_in(rules: graph.Graph) -> tuple[str, ...]:
    """Return the keys of all that can be watched: what an empty game has not, and what is never a change by itself."""
    sequence = replace(rules.procedures["sequence"], body=())
    empty = replace(rules, rules={}, terms={}, tables={}, counters={}, procedures={"sequence": sequence})
    keys = {change.first_key for change in changes_of(rules, empty).watched}
    keys |= {f"{DEFAULT}:{name}" for name in rules.terms}
    for table in rules.tables.values():
        keys |= {f"{CELL}:{row_label(table, row, rules.vocabulary)}" for row in table.rows}
    actions = [procedure.name for procedure in rules.procedures.values() if procedure.what == "action"]
    phases = members_of(rules.vocabulary, "phase")
    return tuple(sorted({*keys, *(f"{OFFER}:{action}@{phase}" for action in actions for phase in phases)}))


def plans(card: str, stack: str, players: str) -> tuple[ExperimentPlan, ExperimentPlan]:
    """Return the plans of a series in which everything is watched, for the machine and for a module."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], stack)
    held = stacks_with_baseline([(stack, rules)])
    experiment = set_up(held, parse_seatings(held, [players], swaps_sides=False), "1", None)
    watched = (everything_in(rules),)
    slow, fast = (replace(experiment, engine=engine).plan() for engine in ("python", "native"))
    return replace(slow, watched=watched), replace(fast, watched=watched)


@sampled(1)
@pytest.mark.parametrize(("card", "stack", "players", "games"), GAMES)
def test_all_counts_are_those_of_the_machine(card: str, stack: str, players: str, games: int) -> None:
    slow, fast = plans(card, stack, players)
    kinds: set[str] = set()
    for number in range(games):
        ((expected,),), ((found,),) = play_row(slow, number), play_row(fast, number)
        assert found == expected
        kinds |= {key.partition(":")[0] for key, *_ in found.used}
    assert kinds >= {RULE, DEFAULT, CELL, ACTION, OFFER, PHASE} & {key.partition(":")[0] for key in slow.watched[0]}


@pytest.mark.parametrize(("card", "stack", "players", "games"), [GAMES[1], pytest.param(*MILLBROOK, marks=LONG)])
def test_counts_do_not_depend_on_what_else_is_watched(card: str, stack: str, players: str, games: int) -> None:
    """Whether a rule is asked about depends on no order in which an engine evaluates rules that are not watched."""
    slow, fast = plans(card, stack, players)
    watched = (slow.watched[0][::7],)
    for number in range(games):
        expected, found = (play_row(replace(plan, watched=watched), number) for plan in (slow, fast))
        assert found == expected


def test_a_module_without_watched_rules_records_nothing() -> None:
    """The module of play has none of the code that records."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios["before_the_tide"], "low_tide")
    text, layout = write_game(rules, 64, 64)
    assert layout.counts is None
    assert "recount" not in text
