"""A small invented foreign package in both forms: two boards, two armies, one situation."""

import gzip
import struct
from collections.abc import Mapping
from pathlib import Path

WAYS = ("W", "NW", "NE", "E", "SE", "SW")
BASES = ("clear", "swamp", "slope")
EDGES = ("none", "town", "forest", "slope", "water")
PATHS = ("none", "road", "stream", "stream_ford")

# Rows of two and three hexes; a road runs along the middle row and off the board, and a stream with a ford crosses it.
HEXES: Mapping[str, tuple[tuple[int, int], str, int, Mapping[str, str]]] = {
    "A1": ((0, 0), "clear", 0, {"edge E": "forest"}),
    "A2": (
        (1, 0),
        "clear",
        0,
        {"edge W": "forest", "edge E": "town", "path SW": "stream_ford", "path SE": "stream_ford"},
    ),
    "B1": ((0, 1), "clear", 0, {"path W": "road", "path E": "road"}),
    "B2": ((1, 1), "clear", 0, {"path W": "road", "path E": "road", "path NE": "stream_ford"}),
    "B3": ((2, 1), "clear", 0, {"path W": "road", "path NW": "stream_ford"}),
    "C1": ((0, 2), "swamp", 0, {"path W": "road"}),
    "C2": ((1, 2), "slope", 2, {"edge E": "water", "path E": "road"}),
}
GHOSTS = {"A3": ((2, 0), "clear", 0, {}), "C3": ((2, 2), "clear", 0, {"path W": "road"})}
REGION = ("Old Mill", ("A1", "B2"))


# ---------------------------------------------------------------- plain facts


def hex_line(name: str, point: tuple[int, int], base: str, elevation: int, sides: Mapping[str, str]) -> str:
    """Return the line of a hex in a board of plain facts."""
    edges, paths = (
        ", ".join(sides.get(f"{kind} {direction}", "none") for direction in WAYS) for kind in ("edge", "path")
    )
    place = f"col: {point[0]}, row: {point[1]}, base: {base}, elevation: {elevation}"
    return f"  {name}: {{{place}, edges: [{edges}], paths: [{paths}]}}\n"


def board(key: str) -> str:
    """Return a board of plain facts."""
    title, names = REGION
    head = f"board: '{key}'\nwidth: 3\nheight: 3\nregions:\n  - {{name: {title}, hexes: [{', '.join(names)}]}}\n"
    hexes, ghosts = ("".join(hex_line(name, *each) for name, each in some.items()) for some in (HEXES, GHOSTS))
    return f"{head}hexes:\n{hexes}phantom_hexes:\n{ghosts}"


CARD = """\
scenario: panzer-leader-01
name: "The Mill: A Test"
environment: summer
turns: 2
setup_order: [german, american]
play_order_each_turn: [american, german]
boards:
- - {board: '01', inverted: false}
  - {board: a, inverted: true}
sides:
- side: american
  faction: american
  groups:
  - name: Column
    arrival: enters as a column
    entry_turn: 0
    entry_hex: {all_of: [{map_edge: any}, {map_edge: south}]}
    units: {m-5: 2, walker: 1, glider: 1}
  victory:
    objectives:
      mill: {count_hexes_controlled: {by: own, where: {region: old-mill}}}
      killed: {count_units: {of: enemy, where: {status: destroyed}}}
      prettier: {furthest-advance-objective: ..}
    levels:
    - {level: marginal-victory, objective: mill, at_least: 1}
    - {level: tactical-victory, objective: {all: [{ref: killed}, {test: {ref: mill}, at_least: 2}]}, at_least: 1}
    - {level: decisive-victory, objective: prettier, at_least: 1}
- side: german
  faction: german
  groups:
  - name: Garrison
    setup_area: {all_of: [{zone_polygon_col_row: [[0, 0], [2, 0], [2, 3], [0, 3]]}, {not: {base_terrain: swamp}}]}
    units: {rifle-platoon-german-42-west: 2, 75mm-at: 1}
  victory:
    objectives: {keep: enemy_did_not_win}
    levels:
    - {level: victory, objective: keep, at_least: 1}
"""


def facts(folder: Path) -> Path:
    """Write the package as plain facts; return its folder."""
    return written(
        folder,
        {
            "boards/board-01.yaml": board("01"),
            "boards/board-a.yaml": board("a"),
            "scenarios/one.yaml": CARD,
        },
    )


# ---------------------------------------------------------------- a module

SITUATION = """\
scenario:_ {
\tstring:name { The Mill: A Test }
\tbyte[]:deployment-order { 1 0 }
\tbyte[]:turn-order { 0 1 }
\tbyte:turns { 2 }
\t!environment:environment { environments.summer }
\tmap-configuration:map-configuration {
\t\tboard-configuration[]:_ {
\t\t\tboard-configuration:_ { string:board-path { Maps/board-01.map } bool:invert { false } }
\t\t\tboard-configuration:_ { string:board-path { Maps/board-a.map } bool:invert { true } }
\t\t}
\t}
\tarmy-configuration[]:army-configurations {
\t\tarmy-configuration:american {
\t\t\t!faction:faction { factions.american }
\t\t\tvictory-condition:victory-condition {
\t\t\t\tvar<>:objectives {
\t\t\t\t\ttiles-controlled-objective:mill {
\t\t\t\t\t\tbool:friendly { true }
\t\t\t\t\t\ttile-in-region:matcher { string:region-name { old-mill } }
\t\t\t\t\t}
\t\t\t\t\tunits-destroyed-objective:killed { }
\t\t\t\t\tfurthest-advance-objective:prettier { }
\t\t\t\t}
\t\t\t\tobjective-success-trigger[]:triggers {
\t\t\t\t\tobjective-success-trigger:_ {
\t\t\t\t\t\tobjective-success-level:success-level { marginal-victory }
\t\t\t\t\t\tint:threshold { 1 }
\t\t\t\t\t\t!var:objective { objectives.mill }
\t\t\t\t\t}
\t\t\t\t\tobjective-success-trigger:_ {
\t\t\t\t\t\tobjective-success-level:success-level { tactical-victory }
\t\t\t\t\t\tint:threshold { 1 }
\t\t\t\t\t\tachieve-all:objective {
\t\t\t\t\t\t\t!var:_ { objectives.killed }
\t\t\t\t\t\t\ttrigger-objective:_ { int:threshold { 2 } !var:objective { objectives.mill } }
\t\t\t\t\t\t}
\t\t\t\t\t}
\t\t\t\t\tobjective-success-trigger:_ {
\t\t\t\t\t\tobjective-success-level:success-level { decisive-victory }
\t\t\t\t\t\tint:threshold { 1 }
\t\t\t\t\t\t!var:objective { objectives.prettier }
\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t\tvar[]:deployment-configurations {
\t\t\t\tconvoy-deployment-configuration:_ {
\t\t\t\t\ttile-on-edge:matcher { direction:edge { south } }
\t\t\t\t\tunit-group:unit-group {
\t\t\t\t\t\tstring:name { Column }
\t\t\t\t\t\tunit-count[]:unit-counts {
\t\t\t\t\t\t\tunit-count:_ { !unit-configuration:unit-configuration { unit-configurations.m-5 } int:count { 2 } }
\t\t\t\t\t\t\tunit-count:_ { !unit-configuration:unit-configuration { unit-configurations.walker } int:count { 1 } }
\t\t\t\t\t\t\tunit-count:_ { !unit-configuration:unit-configuration { unit-configurations.glider } int:count { 1 } }
\t\t\t\t\t\t}
\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t}
\t\tarmy-configuration:german {
\t\t\t!faction:faction { factions.german }
\t\t\tvictory-condition:victory-condition {
\t\t\t\tvar<>:objectives { prevent-enemy-objective:keep { } }
\t\t\t\tobjective-success-trigger[]:triggers {
\t\t\t\t\tobjective-success-trigger:_ {
\t\t\t\t\t\tobjective-success-level:success-level { victory }
\t\t\t\t\t\tint:threshold { 1 }
\t\t\t\t\t\t!var:objective { objectives.keep }
\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t\tvar[]:deployment-configurations {
\t\t\t\tpositional-deployment-configuration:_ {
\t\t\t\t\ttile-matches-all:matcher {
\t\t\t\t\t\ttile-within:_ { zone:zone { 0,0 2,0, 2,3 0,3 } }
\t\t\t\t\t\ttile-not:_ { tile-has-base:matcher { tile-base:base { swamp } } }
\t\t\t\t\t}
\t\t\t\t\tunit-group:unit-group {
\t\t\t\t\t\tstring:name { Garrison }
\t\t\t\t\t\tunit-count[]:unit-counts {
\t\t\t\t\t\t\tunit-count:_ {
\t\t\t\t\t\t\t\t!unit-configuration:unit-configuration { unit-configurations.rifle-platoon-german-42-west }
\t\t\t\t\t\t\t\tint:count { 2 }
\t\t\t\t\t\t\t}
\t\t\t\t\t\t\tunit-count:_ { !unit-configuration:unit-configuration { unit-configurations.75mm-at } int:count { 1 } }
\t\t\t\t\t\t}
\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t}
\t}
}
"""


def board_bytes(*, flagged: bool) -> bytes:
    """Return the board in the binary form of modules, before compression."""
    every = {**HEXES, **GHOSTS, "D1": ((0, 3), "clear", 0, {})}
    at = {point: (base, height, sides) for point, base, height, sides in every.values()}
    raw = struct.pack("<iii", 3, 3, 9)
    for column in range(3):
        for row in range(3):
            base, height, sides = at[column, row]
            raw += struct.pack("<iiB", column, row, height) + b"\0" * flagged + bytes([BASES.index(base)])
            for kind, names in (("edge", EDGES), ("path", PATHS)):
                six = [names.index(sides.get(f"{kind} {direction}", "none")) for direction in WAYS]
                raw += struct.pack("<i", 6) + bytes(six)
    title, hexes = REGION
    raw += struct.pack("<ii", 1, len(title)) + title.encode("utf-16-le") + struct.pack("<i", len(hexes))
    return raw + b"".join(struct.pack("<ii", *every[name][0]) for name in hexes)


def module(folder: Path, *, flagged: bool = True) -> Path:
    """Write the package as a module; boards of old modules have no flags."""
    written(
        folder / "Modules" / "Test",
        {"Scenarios/PanzerLeader/Scenario_01.blk": SITUATION},
    )
    (folder / "Maps").mkdir()
    for key in ("01", "a"):
        (folder / "Maps" / f"board-{key}.map").write_bytes(gzip.compress(board_bytes(flagged=flagged)))
    return folder


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder; return the folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
