"""Conversion of boards of VASSAL: one board for the hexes, one for each zone with separate hexes, and one for the named
places that are no cells: zones without hexes, and regions.

Flat-topped hexes form columns; our hexes are pointy-topped and form rows. A board of flat-topped hexes is transposed,
which preserves adjacency and distance. Its hex numbers are preserved if one of our numberings can express them.
"""

import re
from collections.abc import Iterator, Mapping

from compiler.source.nodes.boards import Numbering
from compiler.source.reading.boards import WIDEST, hex_name
from compiler.source.span import NOWHERE, Span
from rulewright.adapters.vassal.grids import (
    Cell,
    HexGrid,
    PixelBox,
    PixelPoint,
    RegionGrid,
    cells_within,
)
from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.module_parts import ModuleBoard, Zone
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

MOST_BOARD_CELLS = 12_000
# The least distance of drawn points in pixels, and their largest number across.
NEAREST, MOST_ACROSS = 20, 40
_NUMBER = re.compile(r"(?P<before>[A-Za-z]??)(?:(?P<letters>([A-Z])\3*)(?P<number>\d+)|(?P<one>\d\d)(?P<other>\d\d))")


@frozen_dataclass
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
    grid: HexGrid | None = None


@frozen_dataclass
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
    cells = _printed_cells(grid, module_board, zone, span, notes)
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
    spaces = {cell: numbering.prefix + each for each, cell in cells_by_name.items()}
    pixels = {space: grid.middle(cell) for cell, space in spaces.items()}
    module_names = {space: grid.name(cell) for cell, space in spaces.items()}
    return ConvertedBoard(name, "hexes", _hex_text(name, title, numbering), pixels, module_names, spaces, grid)


def _printed_cells(grid: HexGrid, module_board: ModuleBoard, zone: Zone | None, span: Span, notes: Notes) -> list[Cell]:
    """Return the cells whose middles are on a board, or in a zone; empty, with a note, if there are too many."""
    place: PixelBox = zone.outline.bounds() if zone else (0, 0, *module_board.size)
    cells: list[Cell] = []
    if cells_within(grid, place) <= 4 * MOST_BOARD_CELLS:
        cells = [cell for cell in grid.cells(place) if _is_on(grid.middle(cell), module_board, zone)]
        if len(cells) <= MOST_BOARD_CELLS:
            return cells
    title = zone.name if zone else module_board.name
    notes.add_omission(span, title, f"its grid has more than {MOST_BOARD_CELLS:,} cells")
    return []


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


def space_board(name: str, module_board: ModuleBoard, known: Mapping[str, str], notes: Notes) -> ConvertedBoard | None:
    """Convert the zones and regions of a board that are no cells; `known` maps names of the module to ours."""
    pool = NamePool(known.values())
    pixels: dict[str, PixelPoint] = {}
    module_names: dict[str, str] = {}
    twice: set[str] = set()
    for module_name, place in _named_places(module_board):
        if module_name in module_names.values():
            twice.add(module_name)
            continue
        space = known.get(module_name) or pool.space(module_name, f"space_{len(pixels) + 1}")
        if space in pixels:
            notes.add_omission(module_board.span, module_name, f"the mapping calls another space `{space}` too")
            continue
        pixels[space], module_names[space] = place, module_name
    if not pixels:
        return None
    for module_name in sorted(twice):
        notes.add_changed(module_board.span, module_name, "several zones or regions of this name are one space")
    title = module_board.name or module_board.map
    notes.add_changed(
        module_board.span, title, "its zones and regions are points: a module has no connections between them"
    )
    lines = [f"  {each}: {{at: [{x}, {y}], alone: yes}}" for each, (x, y) in _separate_points(pixels).items()]
    text = "\n".join([f"board: {name}", f"title: {yaml_text(title)}", "kind: points", "spaces:", *lines, ""])
    return ConvertedBoard(name, "points", text, pixels, module_names, {})


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


def _named_places(module_board: ModuleBoard) -> Iterator[tuple[str, PixelPoint]]:
    """Yield the name and middle of each named place that is no cell."""
    if isinstance(module_board.grid, RegionGrid):
        yield from ((name, place) for name, place in module_board.grid.regions if name)
    for zone in module_board.zones:
        if isinstance(zone.grid, RegionGrid) and zone.grid.regions:
            yield from ((name, place) for name, place in zone.grid.regions if name)
        elif not zone.shares_grid and not isinstance(zone.grid, HexGrid):
            yield zone.name, zone.outline.middle()


def yaml_text(text: str) -> str:
    """Format a foreign text as a YAML string, without characters that are not printable or would be markup."""
    plain = "".join(sign for sign in text if sign.isprintable() and sign not in "<>&`").strip() or "-"
    return '"' + plain.replace("\\", "/").replace('"', "'") + '"'
