"""Translate foreign victory conditions to expressions of our language.

In: the tree of a victory level, and the side it belongs to. Out: a condition. An objective has a score, which a
level compares with a bound. What our rules do not record (such as the turn in which a hex was captured) raises
`InexpressibleError`, and the level is noted as lost: a partial translation would be another condition.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.source.nodes import Scalar, Value, ValueList, ValueMap
from compiler.source.span import Span
from compiler.source.yaml_reader import value_phrase
from rulewright.adapters.open_panzer_blitz.foreign_areas import area_hexes
from rulewright.adapters.open_panzer_blitz.foreign_boards import region_name
from rulewright.adapters.open_panzer_blitz.foreign_map import ForeignMap
from rulewright.exchange.notes import Notes, NoteSeverity
from rulewright.exchange.tree_reader import find_entry, listed_words, whole_number
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates

OWN_SIDE, ENEMY_SIDE = "own", "enemy"
TRUTHS = ("test", "all", "any", "own_score_exceeds_every_enemy", "unbroken_line_of_fire")


# The width of a way through enemy fire in our rules.
WAY_WIDE = 3


class InexpressibleError(Exception):
    """A foreign condition that our language cannot express."""

    def __init__(self, span: Span, subject: str) -> None:
        super().__init__(subject)
        self.span, self.subject = span, subject


@frozen_dataclass
class CardSeat:
    """A side of a card: its name in our stack, the numbers of its units, its objectives and levels."""

    side: str
    unit_count: int
    counts_by_unit: Mapping[str, int]
    objectives: Mapping[str, Value]
    levels: tuple[ValueMap, ...]


@dataclass(slots=True)
class VictoryScope:
    """The scope of the conditions of a card.

    Translation adds to `regions` the areas that conditions refer to, and to `controlled_hexes`, by side, the hexes to
    control."""

    seats: tuple[CardSeat, ...]
    foreign_map: ForeignMap
    controls: str
    notes: Notes
    has_exit: bool = False
    regions: dict[str, frozenset[Coordinates]] = field(default_factory=dict)
    map_exit: tuple[str, frozenset[Coordinates]] | None = None
    controlled_hexes: dict[str, set[Coordinates]] = field(default_factory=dict)

    def level_condition(self, tree: ValueMap, seat: CardSeat) -> str:
        """Return the condition under which a side reaches a level."""
        objective = find_entry(tree, "objective")
        if objective is None:
            raise InexpressibleError(tree.span, "a level without an objective")
        return self._test(objective, tree, seat)

    def _test(self, tree: Value, limits: ValueMap, seat: CardSeat) -> str:
        """Return the condition that compares the score of an objective with its bound."""
        least, most = whole_number(find_entry(limits, "at_least")), whole_number(find_entry(limits, "at_most"))
        if (least is None) == (most is None):
            raise InexpressibleError(limits.span, "a test has either `at_least` or `at_most`")
        ratio = find_entry(self._resolved(tree, seat)[0], "ratio_floor")
        if ratio is not None:
            return self._ratio(ratio, seat, least, most)
        if least == 1 and self._is_truth(tree, seat):
            return self.objective_condition(tree, seat)
        bound = f"<= {most}" if least is None else f">= {least}"
        return f"{self.objective_score(tree, seat)} {bound}"

    def _ratio(self, tree: Value, seat: CardSeat, least: int | None, most: int | None) -> str:
        """Return the comparison of an integer quotient with a bound, without a division."""
        parts = tree.items if isinstance(tree, ValueList) else ()
        if len(parts) != 2:
            raise InexpressibleError(tree.span, "a ratio has two parts")
        dividend, divisor = (self.objective_score(part, seat) for part in parts)
        if least is not None:
            return f"({dividend} >= {least} * ({divisor}) and {dividend} > 0)"
        return f"{dividend} < {(most or 0) + 1} * ({divisor})"

    def _is_truth(self, tree: Value, seat: CardSeat) -> bool:
        """Return whether an objective is a truth value instead of a score."""
        found, _ = self._resolved(tree, seat)
        if isinstance(found, Scalar):
            return True
        return any(find_entry(found, key) is not None for key in TRUTHS)

    def _resolved(self, tree: Value, seat: CardSeat, depth: int = 0) -> tuple[Value, CardSeat]:
        """Resolve references to an objective."""
        ref = find_entry(tree, "ref")
        name = ref.text if isinstance(ref, Scalar) else tree.text if isinstance(tree, Scalar) else ""
        if name in seat.objectives and depth < len(seat.objectives):
            return self._resolved(seat.objectives[name], seat, depth + 1)
        if ref is not None:
            raise InexpressibleError(tree.span, f"there is no objective `{name}`")
        return tree, seat

    # ------------------------------------------------------------ truths

    def objective_condition(self, tree: Value, seat: CardSeat) -> str:
        """Return the condition under which an objective is met."""
        found, seat = self._resolved(tree, seat)
        if isinstance(found, Scalar):
            if found.text == "enemy_did_not_win":
                return self._prevented(found, seat)
            raise InexpressibleError(found.span, f"`{found.text}`")
        for key, join in (("all", " and "), ("any", " or ")):
            parts = find_entry(found, key)
            if isinstance(parts, ValueList) and parts.items:
                return f"({join.join(self.objective_condition(part, seat) for part in parts.items)})"
        test, more = find_entry(found, "test"), find_entry(found, "own_score_exceeds_every_enemy")
        if test is not None and isinstance(found, ValueMap):
            return f"({self._test(test, found, seat)})"
        fire = find_entry(found, "unbroken_line_of_fire")
        if fire is not None:
            return self._line_of_fire(fire, seat)
        if more is not None:
            return f"{self.objective_score(more, seat)} > {self.objective_score(more, self._enemy(seat, more))}"
        return f"{self.objective_score(found, seat)} >= 1"

    def _line_of_fire(self, tree: Value, seat: CardSeat) -> str:
        """Return the condition that fire of a side extends from edge to edge without a gap, or leaves a way through."""
        is_own = _word(find_entry(tree, "by")) == OWN_SIDE
        side = (seat if is_own else self._enemy(seat, tree)).side
        through, down = (_word(find_entry(tree, key)) == "true" for key in ("break_through", "vertical"))
        template = self.foreign_map.mapping.way_through if through else self.foreign_map.mapping.line_of_fire
        if _word(find_entry(tree, "include_field_of_sight")) == "false" or not template:
            raise InexpressibleError(tree.span, "a line of fire of hexes that units stand in")
        if whole_number(find_entry(tree, "width")) != (WAY_WIDE if through else 1):
            raise InexpressibleError(tree.span, "a line of fire of another width")
        for key, edge in zip(("{one}", "{other}"), ("south", "north") if down else ("west", "east"), strict=True):
            self.regions[f"{edge}_edge"] = self.foreign_map.edge_hexes(edge)
            template = template.replace(key, f"scenario.{edge}_edge")
        return template.replace("{side}", side)

    def _prevented(self, tree: Scalar, seat: CardSeat) -> str:
        """Return the condition that the enemy has reached none of his levels."""
        enemy = self._enemy(seat, tree)
        if any(find_entry(level, "objective") is None or self._prevents(level, enemy) for level in enemy.levels):
            raise InexpressibleError(tree.span, "both sides only have to keep the other from winning")
        return f"not ({' or '.join(self.level_condition(level, enemy) for level in enemy.levels)})"

    def _prevents(self, tree: Value, seat: CardSeat) -> bool:
        objective = find_entry(tree, "objective")
        found = self._resolved(objective, seat)[0] if objective is not None else tree
        return isinstance(found, Scalar) and found.text == "enemy_did_not_win"

    def _enemy(self, seat: CardSeat, tree: Value) -> CardSeat:
        others = [other for other in self.seats if other.side != seat.side]
        if len(others) != 1:
            raise InexpressibleError(tree.span, "there is not one enemy")
        return others[0]

    # ------------------------------------------------------------ scores

    def objective_score(self, tree: Value, seat: CardSeat) -> str:
        """Return the score of an objective as a numeric expression."""
        found, seat = self._resolved(tree, seat)
        if self._is_truth(found, seat):
            return f"(if {self.objective_condition(found, seat)} then 1 else 0)"
        hexes, units = find_entry(found, "count_hexes_controlled"), find_entry(found, "count_units")
        if isinstance(hexes, ValueMap):
            return self._hexes(hexes, seat)
        if isinstance(units, ValueMap):
            return self._units(units, seat)
        parts, each, objective = (
            find_entry(found, "sum"),
            whole_number(find_entry(found, "points_each")),
            find_entry(found, "for"),
        )
        if isinstance(parts, ValueList) and parts.items:
            return f"({' + '.join(self.objective_score(part, seat) for part in parts.items)})"
        if each is not None and objective is not None:
            return f"{each} * {self.objective_score(objective, seat)}"
        raise InexpressibleError(found.span, f"`{_named(found)}` is more than our rules keep count of")

    def _hexes(self, tree: ValueMap, seat: CardSeat) -> str:
        """Return the number of hexes of an area that a side controls, or does not control."""
        area, controllers = find_entry(tree, "where"), [text for text, _ in listed_words(find_entry(tree, "by"))]
        if area is None or controllers not in ([OWN_SIDE], ["not_own"]):
            raise InexpressibleError(tree.span, "whose hexes are counted")
        name = self._region(area)
        self.controlled_hexes.setdefault(seat.side, set()).update(self.regions[name])
        condition = self.controls.replace("{side}", seat.side)
        return f"count(h in scenario.{name} where {condition if controllers == [OWN_SIDE] else f'not ({condition})'})"

    def _units(self, tree: ValueMap, seat: CardSeat) -> str:
        """Return the number of units of a side that are lost, that have left the map, or that are in an area."""
        whose, unit_filter = [text for text, _ in listed_words(find_entry(tree, "of"))], find_entry(tree, "where")
        if whose not in ([OWN_SIDE], [ENEMY_SIDE]) or unit_filter is None:
            raise InexpressibleError(tree.span, "whose units are counted")
        owner = seat if whose == [OWN_SIDE] else self._enemy(seat, tree)
        exit_direction, stayed = find_entry(unit_filter, "exited_by"), _never_left(unit_filter)
        if exit_direction is not None:
            return self._departed(unit_filter, exit_direction, owner)
        if stayed is not None and (excluded_exit := find_entry(stayed, "exited_by")) is not None:
            return f"({owner.unit_count} - {self._departed(stayed, excluded_exit, owner)})"
        lost, region, kind = self._filter(unit_filter, owner)
        condition = f"u.side = {owner.side}" + (f" and {kind[0]}" if kind else "")
        if region is not None:
            return f"count(u in all unit where {condition} and u.hex in scenario.{region})"
        if not lost:
            raise InexpressibleError(unit_filter.span, "units that are neither lost nor anywhere")
        number = kind[1] if kind else owner.unit_count
        left = (
            f" - {self.foreign_map.mapping.departed.replace('{side}', owner.side)}"
            if self.has_exit and not kind
            else ""
        )
        return (
            f"({number} - count(u in all unit where {condition}) - count(u in reserve(unit) where {condition}){left})"
        )

    def _departed(self, unit_filter: Value, exit_direction: Value, owner: CardSeat) -> str:
        """Return the number of units of a side that have left the map; a card has a single exit."""
        if not isinstance(exit_direction, Scalar) or not self.foreign_map.mapping.departed:
            raise InexpressibleError(exit_direction.span, "units that have left the map")
        edge, narrower = self.foreign_map.edge_hexes(exit_direction.text), find_entry(unit_filter, "exit_hex")
        points = (
            edge if narrower is None else edge & (area_hexes(narrower, self.foreign_map, self.notes) or frozenset())
        )
        if not points or self.map_exit not in (None, (exit_direction.text, points)):
            raise InexpressibleError(exit_direction.span, "units that leave by different ways")
        self.map_exit = exit_direction.text, points
        return self.foreign_map.mapping.departed.replace("{side}", owner.side)

    def _filter(self, unit_filter: Value, owner: CardSeat) -> tuple[bool, str | None, tuple[str, int] | None]:
        """Return the parts of a filter of units: whether lost, the region, and the kind with its number of units."""
        lost, region, kind = False, None, None
        parts = find_entry(unit_filter, "all_of")
        for part in parts.items if isinstance(parts, ValueList) else (unit_filter,):
            match part:
                case ValueMap(entries=((key, Scalar(text="destroyed")),)) if key.text == "status":
                    lost = True
                case ValueMap(entries=((key, Scalar(text="active")),)) if key.text == "status":
                    pass
                case ValueMap(entries=((key, place),)) if key.text == "at":
                    region = self._region(place)
                case ValueMap(entries=((key, Scalar(text=unit)),)) if (
                    key.text == "unit" and unit in self.foreign_map.mapping.reported
                ):
                    kind = self.foreign_map.mapping.reported[unit], owner.counts_by_unit.get(unit, 0)
                case _:
                    raise InexpressibleError(part.span, f"units by `{_named(part)}`")
        return lost, region, kind

    def _region(self, tree: Value) -> str:
        """Return the name of the region of the card for an area; a new region if the card has none with these hexes."""
        before = len(self.notes.entries)
        points = area_hexes(tree, self.foreign_map, self.notes)
        if not points or any(note.weight is not NoteSeverity.CHANGED for note in self.notes.entries[before:]):
            raise InexpressibleError(tree.span, "its hexes cannot all be told")
        region = find_entry(find_entry(tree, "matcher") or tree, "region")
        base_name = region_name(region.text) if isinstance(region, Scalar) else "zone"
        for number in range(1, len(self.regions) + 2):
            name = base_name if number == 1 else f"{base_name}_{number}"
            if self.regions.setdefault(name, points) == points:
                return name
        raise AssertionError(base_name)


def _named(tree: Value) -> str:
    """Return the keys of a map, or the words of another value."""
    return ", ".join(word.text for word, _ in tree.entries) if isinstance(tree, ValueMap) else value_phrase(tree)


def _never_left(tree: Value) -> Value | None:
    """Return the exit in a filter of units that did not leave by it, with or without lost ones; or None."""
    some = find_entry(tree, "any_of")
    parts = some.items if isinstance(some, ValueList) else (tree,)
    stayed: list[Value] = []
    for part in parts:
        exit_filter = find_entry(part, "not")
        if exit_filter is not None and find_entry(exit_filter, "exited_by") is not None:
            stayed.append(exit_filter)
        elif _word(find_entry(part, "status")) != "destroyed":
            return None
    return stayed[0] if len(stayed) == 1 else None


def _word(value: Value | None) -> str:
    return value.text if isinstance(value, Scalar) else ""
