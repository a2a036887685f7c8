"""`may_be_absent` is true of None and of hexes off the map, but not of equal numbers.

A step whose value may be absent is evaluated again by the interpreter.
"""

from runtime.graph import nodes as graph
from runtime.play.existence_checks import may_be_absent
from runtime.state.position import AWAY, GONE, OFF
from tests.toys.bogged import bog

RULES = bog()
NUMBER = graph.Number(None, None, "")


def test_places_off_the_map_are_absent_and_equal_numbers_are_not() -> None:
    for none in (OFF, GONE, AWAY):
        assert may_be_absent(none, graph.Hex(), RULES)
        assert may_be_absent((3, none), graph.Many("set", graph.Hex()), RULES)
        assert not may_be_absent(none, NUMBER, RULES)
        assert not may_be_absent((3, none), graph.Many("list", NUMBER), RULES)
    assert may_be_absent(None, NUMBER, RULES)
    assert may_be_absent((None,), graph.Many("list", NUMBER), RULES)
    assert not may_be_absent(3, graph.Hex(), RULES)
