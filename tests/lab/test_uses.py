"""A player who searches finds the use of an option that nothing in the rules points to, and a greedy one does not."""

from tests.lab.uses import GREEDY, row, uses

PLAYER = "search:16"


def test_search_has_a_platoon_ride_where_walking_is_too_slow() -> None:
    found = {(each.action, each.player): each for each in uses("ride_to_town", 3, PLAYER)}
    greedy, searching = found["mount_up", GREEDY], found["mount_up", PLAYER]
    assert greedy.offered >= 3
    assert not greedy.used_count
    assert searching.used_count
    assert f"{searching.used_count} of {searching.offered}" in row(searching)
