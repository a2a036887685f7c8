"""Read the groups of a foreign side: their counters, their setup or entry area, and the turn of their arrival."""

from collections.abc import Iterator, Mapping

from compiler.source.nodes import Scalar, ValueMap
from rulewright.adapters.open_panzer_blitz.foreign_areas import area_hexes
from rulewright.adapters.open_panzer_blitz.foreign_counters import ForeignCounters
from rulewright.adapters.open_panzer_blitz.foreign_map import ForeignMap
from rulewright.adapters.open_panzer_blitz.package_mapping import CardStack
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import find_entry, list_at, map_at, number_at, text_at, whole_number
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates

SET_UP, COLUMN = "set up on map", "enters as a column"
MOST_UNITS = 500


@frozen_dataclass
class Army:
    """A side of a card: its foreign name and its name in our stack."""

    tree: ValueMap
    key: str
    side: str


@frozen_dataclass
class ImportedForce:
    """A group of counters with the hexes where it is set up or enters (None if unknown), and the turn."""

    side: str
    title: str
    units: Mapping[str, int]
    keys: Mapping[str, int]
    points: frozenset[Coordinates] | None
    turn: int


def forces_of(
    army: Army, foreign_map: ForeignMap, counters_and_game: tuple[ForeignCounters, CardStack], notes: Notes
) -> Iterator[ImportedForce]:
    """Yield the groups of a side."""
    counters, game = counters_and_game
    for part in list_at(army.tree, "groups", notes):
        if not isinstance(part, ValueMap):
            notes.add_invalid(part.span, "groups", "keys and values should stand here")
            continue
        units: dict[str, int] = {}
        keys: dict[str, int] = {}
        for word, value in map_at(part, "units", notes):
            number = whole_number(value)
            if number is None or not 0 < number <= MOST_UNITS:
                notes.add_invalid(value.span, word.text, "a number of units should stand here")
                continue
            counter = counters.find(word.text, word.span, (game.uses, army.side), notes)
            if counter is not None:
                units[counter] = units.get(counter, 0) + number
                keys[word.text] = keys.get(word.text, 0) + number
        if units:
            points, turn = _arrival(part, foreign_map, notes)
            yield ImportedForce(army.side, text_at(part, "name", notes, ""), units, keys, points, turn)
        _note_rest(part, notes)


def _arrival(group: ValueMap, foreign_map: ForeignMap, notes: Notes) -> tuple[frozenset[Coordinates] | None, int]:
    """Return the hexes and the turn of the arrival of a group; a column enters in the first turn at the earliest."""
    if text_at(group, "arrival", notes, SET_UP) == COLUMN:
        turn = max(number_at(group, "entry_turn", notes, 0), 1)
        area = find_entry(group, "entry_hex")
        notes.add_changed(group.span, text_at(group, "name", notes, "group"), "a column; its units enter one by one")
    else:
        turn, area = 0, find_entry(group, "setup_area")
    points = area_hexes(area, foreign_map, notes) if area is not None else None
    if not points:
        span = area.span if area is not None else group.span
        notes.add_omission(
            span, text_at(group, "name", notes, "group"), "its area cannot be told; any hex of the map will do"
        )
        return (foreign_map.edge_hexes("any") if turn else None), turn
    return points, turn


def _note_rest(group: ValueMap, notes: Notes) -> None:
    """Record a note for each key of a group other than its units and its arrival."""
    for word, value in group.entries:
        if word.text == "strict_convoy_all_passengers_loaded" and isinstance(value, Scalar) and value.text == "false":
            continue
        if word.text not in {"name", "arrival", "setup_area", "entry_hex", "entry_turn", "units"}:
            notes.add_omission(word.span, word.text, "this mark of a group is not carried over")
