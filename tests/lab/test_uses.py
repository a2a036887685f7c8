"""A searching player takes an action that no preference favors, and a greedy player does not."""

import pytest

from tests.lab.uses import GREEDY, row, uses
from tests.sample import LONG

PLAYER = "search:16"


@LONG
@pytest.mark.parametrize("situation", ["ride_through", "hurried_platoon"])
def test_search_charges_and_runs_where_nothing_else_wins(situation: str) -> None:
    greedy, searching = uses(situation, 4, PLAYER)
    assert greedy.offered >= 4
    assert not greedy.used_count
    assert searching.used_count >= 3
    assert searching.level > 0


@LONG
def test_search_rides_where_walking_is_too_slow() -> None:
    found = {(each.action, each.player): each for each in uses("ride_to_town", 3, PLAYER)}
    greedy, searching = found["mount_up", GREEDY], found["mount_up", PLAYER]
    assert greedy.offered >= 3
    assert not greedy.used_count
    assert searching.used_count
    assert f"{searching.used_count} of {searching.offered}" in row(searching)
