"""A few games of the landing with checks: no violation, every game ends, and the main actions occur.

`python3 -m tests.soak landing_at_mill_cove` plays more.
"""

import pytest

from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from tests.sample import LONG, sampled
from tests.soak.games import Soak
from tests.soak.lawful import Watch
from tests.soak.stacks import compiled, package_set, wanted
from tests.soak.unreached import reasons, twice

PACKAGES = package_set()
CARD = PACKAGES.library.scenarios["landing_at_mill_cove"]
STACKS = list(wanted(PACKAGES, CARD))
# Their games take seconds.
LARGER = ("reed_water", "two_valleys")


@pytest.fixture(scope="module")
def together() -> graph.Graph:
    """Compile the game with all its options."""
    return compiled(PACKAGES, CARD, STACKS[-1])


def test_the_last_stack_has_every_option() -> None:
    alone = {name.rpartition("+")[2] for name in STACKS[1:-1]}
    assert set(STACKS[-1].split("+")[1:]) == alone


@sampled(0)
@pytest.mark.parametrize("player", ["random", pytest.param("greedy", marks=LONG)])
def test_a_game_with_all_options(together: graph.Graph, player: str) -> None:
    soak = Soak(together, STACKS[-1], hears=False)
    assert together.scenario is not None
    soak.play(dict.fromkeys(together.scenario.order, player), "sample-0")
    assert not soak.tally.wrong
    assert {"book", "lay_works", "deploy_inside", "order_fire", "drive", "fly_in"} <= set(soak.tally.option_counts)


@sampled(1)
@pytest.mark.parametrize("name", ["stony_pass", "easthay", *(pytest.param(each, marks=LONG) for each in LARGER)])
def test_a_game_of_each_other_situation(name: str) -> None:
    card = PACKAGES.library.scenarios[name]
    rules = compiled(PACKAGES, card, card.uses.text)
    soak = Soak(rules, card.uses.text, hears=False)
    assert rules.scenario is not None
    soak.play(dict.fromkeys(rules.scenario.order, "random"), "sample-0")
    assert not soak.tally.wrong
    assert {"deploy", "enter", "drive"} <= set(soak.tally.option_counts)


def test_compiled_games_have_the_tally_of_the_machine() -> None:
    """The counts of games of compiled code equal those of the machine."""
    card = PACKAGES.library.scenarios["hazel_ford"]
    rules = compiled(PACKAGES, card, card.uses.text)
    soaks = [Soak(rules, card.uses.text, hears=False, compiled=how) for how in (True, False)]
    for soak in soaks:
        for player in ("random", "greedy"):
            soak.play(dict.fromkeys(rules.scenario.order if rules.scenario else (), player), "sample")
    assert soaks[0].tally == soaks[1].tally
    assert soaks[0].tally.games == 2
    assert not soaks[0].tally.by_machine


def test_reasons_are_unique_and_of_existing_rules(together: graph.Graph) -> None:
    assert not twice()
    assert set(reasons()) <= set(together.rules)


def test_the_watch_reports_violations(together: graph.Graph) -> None:
    soak = Soak(together, STACKS[-1], hears=False)
    playthrough = soak.game.start("watched")
    state = playthrough.state
    watch = Watch(together, soak.plain)
    assert not list(watch.look(playthrough))
    tank, rider = named(state, "pz4-4.1"), named(state, "rifle-4.1")
    playthrough.record_event(change.move(state, tank, state.board.index["0502"]))
    playthrough.record_event(change.relate(state, "carries", tank, rider))
    playthrough.record_event(change.mark(state, "unit.afloat", tank))
    # The rider has not moved with the tank.
    wrong = set(watch.look(playthrough))
    assert wrong == {"afloat-at-sea does not hold", "carried-in-one-hex does not hold"}
    playthrough.record_event(change.move(state, rider, state.board.index["0503"]))
    assert "riders-with-their-carriers does not hold" in set(watch.look(playthrough))
    playthrough.record_event(change.remove(state, rider))
    playthrough.record_event(change.move(state, rider, state.board.index["0502"]))
    playthrough.record_event(change.set_track(state, "plane.bursts_left", named(state, "thunderbolt-8.1"), -1))
    wrong = set(watch.look(playthrough))
    assert {"rifle-4.1 is gone, and moves", "plane.bursts_left of thunderbolt-8.1 is set to -1"} <= wrong


def named(state: State, name: str) -> int:
    """Return the piece with a name."""
    return next(piece for piece, sheet in enumerate(state.sheets) if sheet.name == name)
