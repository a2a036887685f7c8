"""Conversion of boards of VASSAL: one board for the grid, one for each zone with a separate grid, and one for the named
places that are no cells: zones without a grid, and regions.

Flat-topped hexes form columns; our hexes are pointy-topped and form rows. A board of flat-topped hexes is transposed,
which preserves adjacency and distance. Its hex numbers are preserved if one of our numberings can express them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.source.nodes.boards import Numbering
from compiler.source.reading.boards import WIDEST, hex_name
from compiler.source.span import NOWHERE, Span
from rulewright.adapters.vassal.grids import (
    Cell,
    HexGrid,
    PixelBox,
    PixelPoint,
    RegionGrid,
    SquareGrid,
    ZoneOutline,
    cells_within,
)
from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.module_parts import ModuleBoard, Zone
from rulewright.exchange.notes import Notes
from runtime.graph.outlines import crosses_itself, interiors_intersect, share_edge

MOST_BOARD_CELLS = 12_000
MOST_SQUARES = 1_500
# Limits the quadratic comparison of outlines.
MOST_AREAS = 150
# The least distance of drawn points in pixels, and their largest number across.
NEAREST, MOST_ACROSS = 20, 40
_NUMBER = re.compile(r"(?P<before>[A-Za-z]??)(?:(?P<letters>([A-Z])\3*)(?P<number>\d+)|(?P<one>\d\d)(?P<other>\d\d))")


@dataclass(frozen=True, slots=True)
class ConvertedBoard:
    """A board in our format, converted from a board of a module or from a part of one.

    By space, `pixels` has the middle in the picture of the module and `module_names` the name in the module; `cells`
    are the cells of a grid by column and row of the grid.
    """

    name: str
    kind: str
    text: str
    pixels: Mapping[str, PixelPoint]
    module_names: Mapping[str, str]
    cells: Mapping[Cell, str]
    grid: HexGrid | SquareGrid | None = None


@dataclass(frozen=True, slots=True)
class _Layout:
    """A layout of grid columns as rows: the first column, the start and length of even and odd rows, the shift."""

    column: int
    starts: tuple[int, int]
    lengths: tuple[int, int]
    rows: int
    shift: str

    def place(self, cell: Cell) -> tuple[int, int]:
        """Return the column and row of a cell in our numbering."""
        row = cell[0] - self.column
        return cell[1] - self.starts[row % 2], row

    def cells(self) -> Iterator[Cell]:
        """Yield all cells of the rectangle, including those that the grid does not print."""
        for row in range(self.rows):
            for column in range(self.lengths[row % 2]):
                yield self.column + row, self.starts[row % 2] + column


def hex_board(
    name: str, module_board: ModuleBoard, zone: Zone | None, title: str, notes: Notes
) -> ConvertedBoard | None:
    """Convert the hexes of a board, or of a zone; None if there are none or, with a note, too many."""
    grid = zone.grid if zone else module_board.grid
    assert isinstance(grid, HexGrid)
    span = zone.span if zone else module_board.span
    cells = _printed_cells(grid, module_board, zone, MOST_BOARD_CELLS, span, notes)
    if not cells:
        return None
    columns, rows = {c for c, _ in cells}, {r for _, r in cells}
    if max(len(columns), max(rows) - min(rows) + 1) > WIDEST:
        notes.add_omission(
            span, title, f"has more than {WIDEST} columns or rows of hexes, which no numbering of ours has"
        )
        return None
    names = {cell: grid.name(cell) for cell in cells}
    layout, numbering = _choose_numbering(cells, names)
    cells_by_name = {hex_name(numbering, *layout.place(cell)): cell for cell in layout.cells()}
    _note_hex_changes((span, title, grid), names, cells_by_name, notes)
    known = {numbering.prefix + each: cell for each, cell in cells_by_name.items()}
    text = _hex_text(name, title, numbering)
    return _board_of_cells(name, "hexes", text, known, grid)


def _board_of_cells(
    name: str, kind: str, text: str, cells_by_space: Mapping[str, Cell], grid: HexGrid | SquareGrid
) -> ConvertedBoard:
    """Build a board whose spaces are cells of a grid."""
    pixels: dict[str, PixelPoint] = {}
    module_names: dict[str, str] = {}
    spaces: dict[Cell, str] = {}
    for space, cell in cells_by_space.items():
        pixels[space] = grid.middle(cell)
        module_names[space] = grid.name(cell)
        spaces[cell] = space
    return ConvertedBoard(name, kind, text, pixels, module_names, spaces, grid)


def _printed_cells(
    grid: HexGrid | SquareGrid, module_board: ModuleBoard, zone: Zone | None, most: int, span: Span, notes: Notes
) -> list[Cell]:
    """Return the cells whose middles are on a board, or in a zone; empty, with a note, if there are too many."""
    place: PixelBox = zone.outline.bounds() if zone else (0, 0, *module_board.size)
    if cells_within(grid, place) > 4 * most:
        notes.add_omission(span, zone.name if zone else module_board.name, f"its grid has more than {most:,} cells")
        return []
    every = [cell for cell in grid.cells(place) if _is_on(grid.middle(cell), module_board, zone)]
    if len(every) > most:
        notes.add_omission(span, zone.name if zone else module_board.name, f"its grid has more than {most:,} cells")
        return []
    return every


def _is_on(place: PixelPoint, module_board: ModuleBoard, zone: Zone | None) -> bool:
    """Return whether a pixel belongs to the grid of a zone; without a zone, to that of the board."""
    first = next((each for each in module_board.zones if each.outline.contains(place)), None)
    return first is zone or (zone is None and first is not None and first.shares_grid)


def _choose_numbering(cells: list[Cell], names: Mapping[Cell, str]) -> tuple[_Layout, Numbering]:
    """Choose a layout and a numbering of hexes, preferring those under which each hex has its name in the module."""
    layouts = _layouts(cells)
    for layout in layouts:
        for numbering in _numberings(layout, names):
            if all(numbering.prefix + hex_name(numbering, *layout.place(cell)) == names[cell] for cell in cells):
                return layout, numbering
    layout = layouts[0]
    style = "rrcc" if max(layout.rows, *layout.lengths) < 100 else "letter_number"
    return layout, Numbering(NOWHERE, style, layout.lengths, layout.rows, layout.shift, "")


def _layouts(cells: list[Cell]) -> list[_Layout]:
    """Return the layouts of columns as rows, by the number of hexes that the grid does not print, ascending."""
    first, last = min(c for c, _ in cells), max(c for c, _ in cells)
    ends: list[tuple[int, int]] = []
    for parity in (0, 1):
        rows = [r for c, r in cells if (c - first) % 2 == parity] or [r for _, r in cells]
        ends.append((min(rows), max(rows)))
    # An even column of the grid is half a hex above its neighbors, and its row half a hex to the left of its neighbors.
    alternatives = ((0, "right"), (-1, "left")) if first % 2 == 0 else ((0, "left"), (1, "right"))
    found: list[_Layout] = []
    for row_offset, shift in alternatives:
        start = min(ends[0][0], ends[1][0] - row_offset)
        starts = start, start + row_offset
        lengths = ends[0][1] - starts[0] + 1, ends[1][1] - starts[1] + 1
        found.append(_Layout(first, starts, lengths, last - first + 1, shift))
    return sorted(found, key=lambda each: sum(each.lengths))


def _numberings(layout: _Layout, names: Mapping[Cell, str]) -> Iterator[Numbering]:
    """Yield candidate numberings under which one hex has its name in the module."""
    cell = next(iter(names))
    read = _NUMBER.fullmatch(names[cell])
    if read is None:
        return
    column, row = layout.place(cell)

    def numbering_from(style: str, column_number: int, row_number: int) -> Iterator[Numbering]:
        first = column_number - column, row_number - row
        if min(first) >= (1 if style == "letter_number" else 0):
            yield Numbering(
                NOWHERE, style, layout.lengths, layout.rows, layout.shift, read["before"] if read else "", first
            )

    if read["letters"]:
        letters = read["letters"]
        yield from numbering_from("letter_number", int(read["number"]), (len(letters) - 1) * 26 + ord(letters[0]) - 64)
    else:
        first_number, second_number = int(read["one"]), int(read["other"])
        yield from numbering_from("rrcc", second_number, first_number)
        yield from numbering_from("ccrr", first_number, second_number)


def _note_hex_changes(
    whose: tuple[Span, str, HexGrid], names: Mapping[Cell, str], cells_by_name: Mapping[str, Cell], notes: Notes
) -> None:
    """Record notes of the changes of a grid: transposition, other numbers, added hexes that the grid does not print."""
    span, title, grid = whose
    if not grid.is_sideways:
        notes.add_changed(span, title, "its hexes have a side at the top: its columns are written as rows")
    changes = [
        (each, names[cell]) for each, cell in cells_by_name.items() if cell in names and not names[cell].endswith(each)
    ]
    if grid.numbering is None:
        notes.add_changed(span, title, "its hexes have no numbers; they got some")
    elif changes:
        space, module_name = changes[0]
        text = f"{len(changes):,} of its hexes go by another number here, as `{space}` which it calls `{module_name}`"
        notes.add_changed(span, title, text)
    more = len(cells_by_name) - len(names)
    if more:
        notes.add_changed(
            span, title, f"{more:,} hexes at its edges are not printed there; rows of ours are as long as others"
        )


def _hex_text(name: str, title: str, numbering: Numbering) -> str:
    first = "" if numbering.first == (1, 1) else f", first: [{numbering.first[0]}, {numbering.first[1]}]"
    prefix = f', prefix: "{numbering.prefix}"' if numbering.prefix else ""
    columns = f"[{numbering.columns[0]}, {numbering.columns[1]}]"
    rows = [f'    - "{"." * numbering.columns[row % 2]}"' for row in range(numbering.rows)]
    return "\n".join([
        f"board: {name}",
        f"title: {yaml_text(title)}",
        f"numbering: {{style: {numbering.style}, columns: {columns}, rows: {numbering.rows}, "
        f"shift: {numbering.shift}{first}{prefix}}}",
        "# A module has a picture of the ground and no more: write into the legend what signs stand for.",
        "picture:",
        "  legend: {}",
        "  rows:",
        *rows,
        "",
    ])  # fmt: skip


def square_board(
    name: str, module_board: ModuleBoard, zone: Zone | None, title: str, notes: Notes
) -> ConvertedBoard | None:
    """Convert the squares of a grid to areas that share edges; None if there are none or, with a note, too many."""
    grid = zone.grid if zone else module_board.grid
    assert isinstance(grid, SquareGrid)
    span = zone.span if zone else module_board.span
    cells = _printed_cells(grid, module_board, zone, MOST_SQUARES, span, notes)
    if not cells:
        return None
    pool = NamePool()
    named = {pool.space(grid.name(cell), f"S{cell[0]}_{cell[1]}"): cell for cell in cells}
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    wide, high = max(1, round(grid.width)), max(1, round(grid.height))
    lines = []
    for each, (column, row) in named.items():
        x, y = (column - left) * wide, (row - top) * high
        lines.append(
            f"  {each}: {{outline: [[{x}, {y}], [{x + wide}, {y}], [{x + wide}, {y + high}], [{x}, {y + high}]]"
        )
        lines[-1] += ", alone: yes}" if len(named) == 1 else "}"
    notes.add_changed(span, title, "its squares are written as areas; what touches at a corner alone is not connected")
    text = "\n".join([f"board: {name}", f"title: {yaml_text(title)}", "kind: areas", "spaces:", *lines, ""])
    return _board_of_cells(name, "areas", text, named, grid)


def single_space_board(name: str, module_board: ModuleBoard, known: Mapping[str, str]) -> ConvertedBoard:
    """Build a board with a single space for everything that belongs to no cell, zone or region."""
    title = module_board.name or module_board.map
    space = known.get(title) or NamePool().space(title, "elsewhere")
    middle = module_board.size[0] // 2, module_board.size[1] // 2
    place = f"{{at: [{middle[0]}, {middle[1]}], alone: yes}}"
    text = "\n".join(
        [f"board: {name}", f"title: {yaml_text(title)}", "kind: points", f"spaces: {{{space}: {place}}}", ""]
    )
    return ConvertedBoard(name, "points", text, {space: middle}, {space: title}, {})


def space_board(name: str, module_board: ModuleBoard, known: Mapping[str, str], notes: Notes) -> ConvertedBoard | None:
    """Convert the zones and regions of a board that are no cells; `known` maps names of the module to ours."""
    pool = NamePool(known.values())
    pixels: dict[str, PixelPoint] = {}
    module_names: dict[str, str] = {}
    outlines: dict[str, tuple[PixelPoint, ...]] = {}
    twice: set[str] = set()
    for module_name, place, outline in _named_places(module_board):
        if module_name in module_names.values():
            twice.add(module_name)
            continue
        space = known.get(module_name) or pool.space(module_name, f"space_{len(pixels) + 1}")
        if space in pixels:
            notes.add_omission(module_board.span, module_name, f"the mapping calls another space `{space}` too")
            continue
        pixels[space], module_names[space] = place, module_name
        if outline:
            outlines[space] = outline
    if not pixels:
        return None
    for module_name in sorted(twice):
        notes.add_changed(module_board.span, module_name, "several zones or regions of this name are one space")
    title = module_board.name or module_board.map
    if _are_areas(pixels, outlines):
        lines = []
        for space in pixels:
            outline = outlines[space]
            others = (other for name, other in outlines.items() if name != space)
            is_isolated = not any(share_edge(outline, other) for other in others)
            alone = ", alone: yes" if is_isolated else ""
            lines.append(f"  {space}: {{outline: {_corners(outline)}{alone}}}")
        kind = "areas"
    else:
        separated_pixels = _separate_points(pixels)
        lines = [f"  {each}: {{at: [{x}, {y}], alone: yes}}" for each, (x, y) in separated_pixels.items()]
        kind = "points"
        notes.add_changed(
            module_board.span, title, "its zones and regions are points: a module has no connections between them"
        )
    text = "\n".join([f"board: {name}", f"title: {yaml_text(title)}", f"kind: {kind}", "spaces:", *lines, ""])
    return ConvertedBoard(name, kind, text, pixels, module_names, {})


def _separate_points(pixels: Mapping[str, PixelPoint]) -> dict[str, PixelPoint]:
    """Move points that are close to each other apart, since the scale of a map follows from its nearest points."""
    reach = max((max(x, y) for x, y in pixels.values()), default=0)
    box = max(NEAREST, reach // MOST_ACROSS)
    occupied_cells: set[PixelPoint] = set()
    free: dict[PixelPoint, int] = {}
    found: dict[str, PixelPoint] = {}
    for name, (x, y) in pixels.items():
        home = max(0, x) // box, max(0, y) // box
        column = free.get(home, home[0])
        while (column, home[1]) in occupied_cells:
            column += 1
        free[home] = column + 1
        occupied_cells.add((column, home[1]))
        found[name] = column * box, home[1] * box
    return found


def _named_places(module_board: ModuleBoard) -> Iterator[tuple[str, PixelPoint, tuple[PixelPoint, ...]]]:
    """Yield the name, middle and outline (empty for a region) of each named place that is no cell."""
    if isinstance(module_board.grid, RegionGrid):
        yield from ((name, place, ()) for name, place in module_board.grid.regions if name)
    for zone in module_board.zones:
        if isinstance(zone.grid, RegionGrid) and zone.grid.regions:
            yield from ((name, place, ()) for name, place in zone.grid.regions if name)
        elif not zone.shares_grid and not has_cells(zone.grid):
            yield zone.name, zone.outline.middle(), zone.outline.corners


def has_cells(grid: object) -> bool:
    """Return whether a grid has cells: hexes, or numbered squares; other square grids only align counters."""
    return isinstance(grid, HexGrid) or (isinstance(grid, SquareGrid) and grid.numbering is not None)


def _are_areas(pixels: Mapping[str, PixelPoint], outlines: Mapping[str, tuple[PixelPoint, ...]]) -> bool:
    """Return whether all spaces have outlines of sufficient size that do not overlap, some of which share an edge."""
    polygons = list(outlines.values())
    if len(polygons) != len(pixels) or not 1 < len(polygons) <= MOST_AREAS or sum(map(len, polygons)) > 40 * MOST_AREAS:
        return False
    sizes = [ZoneOutline(each).bounds() for each in polygons]
    reach = max(max(right, bottom) for _, _, right, bottom in sizes)
    if any(min(right - left, bottom - top) < reach // MOST_ACROSS for left, top, right, bottom in sizes):
        return False
    if any(min(x, y) < 0 for outline in polygons for x, y in outline) or any(map(crosses_itself, polygons)):
        return False
    pairs = [(a, b) for number, a in enumerate(polygons) for b in polygons[:number]]
    return any(share_edge(a, b) for a, b in pairs) and not any(interiors_intersect(a, b) for a, b in pairs)


def _corners(outline: tuple[PixelPoint, ...]) -> str:
    return f"[{', '.join(f'[{x}, {y}]' for x, y in outline)}]"


def yaml_text(text: str) -> str:
    """Format a foreign text as a YAML string, without characters that are not printable or would be markup."""
    plain = "".join(sign for sign in text if sign.isprintable() and sign not in "<>&`").strip() or "-"
    return '"' + plain.replace("\\", "/").replace('"', "'") + '"'
