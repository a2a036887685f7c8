"""A small invented foreign package: two boards, two armies, one situation."""

from collections.abc import Mapping
from pathlib import Path

WAYS = ("W", "NW", "NE", "E", "SE", "SW")

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


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder; return the folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
