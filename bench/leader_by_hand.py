"""Six questions of Panzer Leader as somebody would write them by hand over the same state, charts given.

The same answers as the rules give, with no reasons: entry cost and permission, spotting, sight, and the
strength and odds of direct fire. Whoever changes a rule has to find the lines here that knew it.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from runtime.board.board import Board
from runtime.board.sightline import Crossing
from runtime.state.position import State
from runtime.state.record import Record

HALF = Fraction(1, 2)
COLORED = {"green", "gray", "brown", "orange"}
GROUNDS = ("sea", "river", "pond", "swamp", "stream", "ford", "slope", "woods", "town", "beach")
NOBODY: tuple[int, ...] = ()
NOTHING: frozenset[Any] = frozenset()

Charts = Mapping[str, Mapping[Any, Any]]


class Leader:
    """The rules, by hand."""

    def __init__(self, charts: Charts) -> None:
        """Take the charts; lines of sight are remembered by where they run."""
        self.terrain = charts["tec"]
        self.weapons = charts["weapons"]
        self.sights: dict[tuple[int, int], bool] = {}

    # Ground.

    def lasting_bridge(self, s: State, h: int) -> bool:
        return h not in s.marks["hex.blown"] and "permanent_bridge" in s.board.features[h]

    def woods(self, s: State, h: int) -> bool:
        features = s.board.features[h]
        return "woods" in features and not ("stream" in features and self.lasting_bridge(s, h))

    def bridged(self, s: State, h: int) -> bool:
        return self.lasting_bridge(s, h) or any(s.kind[p] == "bridge" for p in s.at.get(h, NOBODY))

    def ground(self, s: State, h: int) -> str:
        features = s.board.features[h]
        if "stream" in features and self.bridged(s, h):
            return "woods" if self.woods(s, h) and not self.lasting_bridge(s, h) else "deck"
        for name in GROUNDS:
            if name in features and (name != "woods" or self.woods(s, h)):
                return name
        return "clear"

    # Movement.

    def entry_cost(self, s: State, mover: int, start: int, to: int, rate: str, intent: str) -> Any:
        traits = s.traits[mover]
        if "flail" in traits and any(s.kind[p] == "minefield" for p in s.at.get(start, NOBODY)):
            return Fraction(s.printed[mover]["movement"], 2)
        if "bridgelayer" in traits and self.ground(s, start) == "stream":
            return 3
        if rate == "road":
            return HALF
        ground = self.ground(s, to)
        if intent == "overrun" and ground == "town":
            return 1
        cell = self.terrain[ground, s.printed[mover]["moves_as"]]
        if cell.kind == "cost":
            return cell.value
        on_road = s.board.side(start, to) in s.board.paths.get("road", NOTHING)
        return 1 if on_road or ("bridgelayer" in traits and ground == "stream") else 0

    def may_enter(self, s: State, mover: int, start: int, to: int, rate: str, intent: str) -> bool:
        here = s.at.get(to, NOBODY)
        path = s.tracks["unit.path"].get(mover, ())
        overruns = intent == "overrun"
        if here:
            if path and any(s.kind[p] == "block" for p in here):
                return False
            side = s.side[mover]
            foes = [s.place[p] for p in here if s.kind[p] == "unit" and s.side[p] != side]
            if foes and not overruns and any(place not in ("under", "inside") for place in foes):
                return False
        if not overruns and self.passengers(s, to) + self.thrown_back(s, to) >= 4:
            return False
        wades = intent == "wade" or "bridgelayer" in s.traits[mover]
        if self.ground(s, to) == "stream" and (path or not wades):
            return False
        if not self.may_cross(s, mover, start, to, rate, intent):
            return False
        movement = s.printed[mover]["movement"]
        if movement == 1 and not path:
            return True
        left = movement - sum([step.fields["paid"] for step in path])
        return bool(self.entry_cost(s, mover, start, to, rate, intent) <= left)

    def passengers(self, s: State, h: int) -> int:
        riding = s.pairs["carries"].lefts
        count = 0
        for p in s.at.get(h, NOBODY):
            kind = s.kind[p]
            if kind in ("wreck", "block", "fort") or (kind == "unit" and p not in riding and s.place[p] != "inside"):
                count += 1
        return count

    def thrown_back(self, s: State, h: int) -> int:
        count = 0
        for run in s.records["run"]:
            unit = run.fields["unit"]
            if run.fields["entry"] == h and unit not in s.marks["unit.leaving"] and s.hex[unit] != -2:
                count += 1
        return count

    def others(self, s: State, mover: int, h: int) -> int:
        riding = s.pairs["carries"].lefts
        count = 0
        for p in s.at.get(h, NOBODY):
            kind = s.kind[p]
            if kind == "wreck" or (kind == "unit" and p not in (mover, *riding) and s.place[p] != "under"):
                count += 1
        return count

    def may_cross(self, s: State, mover: int, start: int, to: int, rate: str, intent: str) -> bool:
        b, traits, here = s.board, s.traits[mover], s.at.get(to, NOBODY)
        side = b.side(start, to)
        road = side in b.paths.get("road", NOTHING)
        opened = road and not any(s.kind[p] == "block" for p in here) and self.others(s, mover, to) < 3
        if not opened and "vehicular" in traits and "green" in b.sides.get(side, NOTHING):
            return False
        bridged = self.bridged(s, to)
        if bridged and not road and self.bridged(s, start):
            return False
        is_bridged = bridged and "stream" in b.features[to] and not self.lasting_bridge(s, to)
        if is_bridged and self.is_heavy(s, mover) and not self.bears_all(s, to):
            return False
        if rate == "road" and not (road and self.may_use_road(s, mover, start, to, intent)):
            return False
        if opened:
            return True
        ground = self.ground(s, to)
        closed = self.terrain[ground, s.printed[mover]["moves_as"]].kind == "barred"
        return not closed or ("bridgelayer" in traits and ground == "stream")

    def bears_all(self, s: State, h: int) -> bool:
        return any(s.kind[p] == "bridge" and "for_trucks" not in s.traits[p] for p in s.at.get(h, NOBODY))

    def is_heavy(self, s: State, mover: int) -> bool:
        light = s.traits[mover] & {"light_car", "motorcycle", "cavalry"}
        return not light and s.printed[mover]["moves_as"] == "vehicle"

    def may_use_road(self, s: State, mover: int, start: int, to: int, intent: str) -> bool:
        if intent == "overrun" or (intent == "assault" and "infantry" not in s.traits[mover]):
            return False
        blown = s.marks["hex.blown"]
        if to in blown or start in blown:
            return False
        if any(s.kind[p] in ("minefield", "block", "fort") for p in s.at.get(to, NOBODY)):
            return False
        return self.others(s, mover, to) < 3

    # Eyes.

    def can_spot(self, s: State, watcher: int) -> bool:
        if watcher in s.pairs["carries"].lefts or watcher in s.marks["unit.dispersed"]:
            return False
        return s.printed[watcher]["moves_as"] not in ("truck", "wagon")

    def spotted(self, s: State, unit: int, by: str) -> bool:
        h = s.hex[unit]
        if not (self.woods(s, h) or "town" in s.board.features[h]):
            return True
        seen = s.pairs["sighting"].lefts
        for carried in (unit, *s.pairs["carries"].rights.get(unit, NOBODY)):
            if any(s.side[w] == by for w in seen.get(carried, NOBODY)):
                return True
        for near in (h, *s.board.around[h]):
            for w in s.at.get(near, NOBODY):
                if s.kind[w] == "unit" and s.side[w] == by and self.can_spot(s, w):
                    return True
        return False

    def can_see(self, s: State, watcher: int, h: int) -> bool:
        key = (s.hex[watcher], h)
        known = self.sights.get(key)
        if known is None:
            known = self.sights[key] = self.sees(s.board, *key)
        return known

    def height(self, b: Board, h: int) -> str:
        features = b.features[h]
        return "top" if "hilltop" in features else "slope" if "slope" in features else "ground"

    def sees(self, b: Board, start: int, to: int) -> bool:
        if to in b.around[start]:
            return True
        line = b.line(start, to)
        heights = self.height(b, start), self.height(b, to)
        if heights != ("top", "top") and sum(self.is_rim(b, c.side) for c in line) > 1:
            return False
        return not any(self.blocks(b, c, (start, to), heights) for c in line)

    def is_rim(self, b: Board, side: tuple[int, int]) -> bool:
        if "orange" in b.sides.get(side, NOTHING):
            return True
        return ("hilltop" in b.features[side[0]]) != ("hilltop" in b.features[side[1]])

    def blocks(self, b: Board, c: Crossing, ends: tuple[int, int], heights: tuple[str, str]) -> bool:
        colors = b.sides.get(c.side, NOTHING) & COLORED
        town = "town" in b.features[c.over]
        if c.along and colors:
            joins = any("orange" in b.sides.get(side, NOTHING) for side in b.touching(c.side))
            if not ("brown" in colors and joins):
                return True
        if heights == ("ground", "ground") and (colors or (town and c.over != ends[1])):
            return True
        if heights == ("slope", "slope") and "brown" in colors:
            return True
        green = "green" in colors
        if green and any("hilltop" in b.features[h] for h in c.side):
            return True
        if town and "hilltop" in b.features[c.over] and c.over != ends[1]:
            return True
        if green and "slope" in heights and all(self.height(b, h) == "slope" for h in c.side):
            return True
        if heights[0] == heights[1] or "ground" not in heights:
            return False
        foot = ends[0] if heights[0] == "ground" else ends[1]
        if (green or "gray" in colors) and foot in c.side:
            return True
        if town and c.over not in ends and foot in b.around[c.over]:
            return True
        return "top" in heights and "brown" in colors and (c.at >= HALF if foot == ends[1] else c.at <= HALF)

    # Direct fire.

    def strength(self, s: State, firer: int, attack: Record) -> Any:
        riding = s.pairs["carries"].lefts
        targets = [p for p in attack.fields["targets"] if p not in riding and s.place[p] != "inside"]
        hard = sum([self.is_hard(s, p) for p in targets])
        soft = len(targets) - hard
        h = attack.fields["hex"]
        if hard != soft:
            return self.strength_on(s, firer, h, "hard" if hard > soft else "soft")
        return min(self.strength_on(s, firer, h, "soft"), self.strength_on(s, firer, h, "hard"))

    def is_hard(self, s: State, unit: int) -> bool:
        in_town = "town" in s.board.features[s.hex[unit]]
        return in_town or "armored" in s.traits[unit] or unit in s.marks["unit.afloat"]

    def strength_on(self, s: State, firer: int, h: int, kind: str) -> Any:
        printed = s.printed[firer]
        away = s.board.distance(s.hex[firer], h)
        value = printed["attack"]
        if away > printed["range"] and "long_reach" in s.traits[firer]:
            value = Fraction(value, 2)
        value = value * self.weapons[printed["weapon"], kind, away * 2 <= printed["range"], away]
        return Fraction(value) / 2 if self.halved(s.board, s.hex[firer], h) else value

    def halved(self, b: Board, start: int, h: int) -> bool:
        height = self.height(b, h)
        if height == "ground":
            return False
        if height == "top":
            return self.height(b, start) != "top"
        return h not in b.around[start] or "brown" in b.sides.get(b.side(start, h), NOTHING)

    def odds(self, s: State, attack: Record) -> int:
        strength = sum([self.strength(s, firer, attack) for firer in attack.fields["firers"]])
        defense = sum([self.defense(s, target) for target in attack.fields["targets"]])
        if strength <= 0 or defense <= 0:
            return -9
        return int(strength // defense) - 1 if strength >= defense else 1 - int(-(-defense // strength))

    def defense(self, s: State, unit: int) -> int:
        if unit in s.marks["unit.afloat"] and "dd_tank" not in s.traits[unit]:
            return 8
        carriers = s.pairs["carries"].lefts.get(unit)
        if carriers and "carrier" not in s.traits[carriers[0]]:
            return 1
        return int(s.printed[unit]["defense"])
