"""A small invented foreign package of two boards, two armies and two cards."""

from pathlib import Path

WAYS = ("W", "NW", "NE", "E", "SE", "SW")


def hex_line(name: str, spot: tuple[int, int], base: str = "clear", elevation: int = 0, **sides: str) -> str:
    """Write a hex of plain facts; `edge_E="forest"` and `path_E="road"` fill its six sides."""
    edges = ", ".join(sides.get(f"edge_{way}", "none") for way in WAYS)
    paths = ", ".join(sides.get(f"path_{way}", "none") for way in WAYS)
    place = f"col: {spot[0]}, row: {spot[1]}, base: {base}, elevation: {elevation}"
    return f"  {name}: {{{place}, edges: [{edges}], paths: [{paths}]}}\n"


def board(key: str) -> str:
    """Write a board of three rows, two and three hexes wide; a road runs along its middle row and leaves it."""
    rows = [
        hex_line("A1", (0, 0), edge_E="forest"),
        hex_line("A2", (1, 0), edge_W="forest", edge_E="town", path_SW="stream_ford", path_SE="stream_ford"),
        hex_line("B1", (0, 1), path_W="road", path_E="road"),
        hex_line("B2", (1, 1), path_W="road", path_E="road", path_NE="stream_ford"),
        hex_line("B3", (2, 1), path_W="road", path_NW="stream_ford"),
        hex_line("C1", (0, 2), base="swamp", path_W="road"),
        hex_line("C2", (1, 2), base="slope", elevation=2, edge_E="water", path_E="road"),
    ]
    regions = "regions:\n  - {name: Old Mill, hexes: [A1, B2]}\n"
    ghost = "phantom_hexes:\n" + hex_line("C3", (2, 2))
    return f"board: '{key}'\nwidth: 3\nheight: 3\n{regions}hexes:\n{''.join(rows)}{ghost}"


def facts(folder: Path) -> Path:
    """Write the package as plain facts."""
    for name, text in {"boards/board-01.yaml": board("01"), "boards/board-a.yaml": board("a")}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
