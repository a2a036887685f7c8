"""The mapping between pixels of a map of VASSAL and spaces of converted boards.

The boards of a map are arranged in columns and rows with a margin around them; a reversed board is rotated by 180
degrees.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.adapters.vassal.board_conversion import ConvertedBoard, hex_board, space_board
from rulewright.adapters.vassal.grids import HexGrid, PixelPoint, RegionGrid
from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.mapping import OMITTED, NameMapping
from rulewright.adapters.vassal.module_parts import ModuleBoard, ModuleMap, VassalModule, Zone
from rulewright.adapters.vassal.piece_traits import member_at, whole_number
from rulewright.adapters.vassal.sequences import split_list
from rulewright.exchange.notes import Notes
from rulewright.system.progress import counted_progress
from runtime.graph.frozen_dataclass import frozen_dataclass

PICKER = "BoardPicker"
REVERSED = "rev"
# The size of a column or row that contains no board.
EMPTY_SIZE = (0, 0)
# The number of candidate pixels per direction in a zone whose middle is covered by another zone.
LATTICE = 16
# The limit of cells of all boards; the largest published modules have some 100,000.
MOST_ATLAS_CELLS = 500_000


@frozen_dataclass
class AtlasPlacement:
    """The placement of a board on a map: its column and row, its corner in pixels, and whether it is rotated."""

    module_board: ModuleBoard
    column: int
    row: int
    corner: PixelPoint
    is_rotated: bool

    def board_pixel(self, place: PixelPoint) -> PixelPoint:
        """Convert map coordinates to board coordinates."""
        return self._rotated((place[0] - self.corner[0], place[1] - self.corner[1]))

    def map_pixel(self, place: PixelPoint) -> PixelPoint:
        """Convert board coordinates to map coordinates."""
        x, y = self._rotated(place)
        return x + self.corner[0], y + self.corner[1]

    def _rotated(self, place: PixelPoint) -> PixelPoint:
        wide, high = self.module_board.size
        return (wide - place[0], high - place[1]) if self.is_rotated else place

    def contains(self, place: PixelPoint) -> bool:
        """Return whether map coordinates are on the board."""
        x, y = place[0] - self.corner[0], place[1] - self.corner[1]
        return 0 <= x < self.module_board.size[0] and 0 <= y < self.module_board.size[1]


@dataclass(slots=True)
class Atlas:
    """The converted boards of each board of a module, by the identity of the latter.

    `grids` are those of its grid, `zones` of its zones by number, `others` of its named places that are no cells.
    """

    module: VassalModule
    grids: dict[int, ConvertedBoard]
    zones: dict[tuple[int, int], ConvertedBoard]
    others: dict[int, ConvertedBoard]
    cell_count: int = 0

    def boards(self) -> Iterator[tuple[ModuleBoard, ConvertedBoard]]:
        """Yield all converted boards with the boards of the module, in the order of the module."""
        for module_map in self.module.maps:
            for module_board in module_map.boards:
                yield from ((module_board, board) for board in self.boards_of(module_board))

    def boards_of(self, module_board: ModuleBoard) -> Iterator[ConvertedBoard]:
        """Yield the converted boards of a board of the module."""
        board_id = id(module_board)
        zones = (self.zones.get((board_id, number)) for number in range(len(module_board.zones)))
        every = (self.grids.get(board_id), *zones, self.others.get(board_id))
        yield from (each for each in every if each is not None)

    def find(self, module_board: ModuleBoard, place: PixelPoint) -> tuple[ConvertedBoard, str] | None:
        """Return the space at a pixel of a board: in the first zone that contains it, otherwise on the board's grid."""
        board_id = id(module_board)
        for number, zone in enumerate(module_board.zones):
            if zone.outline.contains(place):
                if zone.shares_grid:
                    break
                return self._in_zone(module_board, number, zone, place)
        if isinstance(module_board.grid, RegionGrid) and module_board.grid.regions:
            return self._space_named(board_id, module_board.grid.nearest(place))
        return _cell_at(self.grids.get(board_id), place)

    def place_in(self, module_board: ModuleBoard, board: ConvertedBoard, space: str) -> PixelPoint | None:
        """Return a pixel of a space: its middle, or an inner one if another zone covers the middle.

        None for a cell whose middle is in another zone.
        """
        middle = board.pixels[space]
        if self._is_in_space(module_board, middle, board, space):
            return middle
        for zone in module_board.zones:
            if zone.name == board.module_names[space]:
                for place in zone.outline.lattice_places(LATTICE):
                    if self._is_in_space(module_board, place, board, space):
                        return place
        return None

    def _is_in_space(self, module_board: ModuleBoard, place: PixelPoint, board: ConvertedBoard, space: str) -> bool:
        found = self.find(module_board, place)
        return found is not None and found[0] is board and found[1] == space

    def _in_zone(
        self, module_board: ModuleBoard, number: int, zone: Zone, place: PixelPoint
    ) -> tuple[ConvertedBoard, str] | None:
        if (board := self.zones.get((id(module_board), number))) is not None:
            return _cell_at(board, place)
        if isinstance(zone.grid, RegionGrid) and zone.grid.regions:
            return self._space_named(id(module_board), zone.grid.nearest(place))
        return self._space_named(id(module_board), zone.name)

    def _space_named(self, board_id: int, module_name: str) -> tuple[ConvertedBoard, str] | None:
        board = self.others.get(board_id)
        space = (
            next((mapped_name for mapped_name, name in board.module_names.items() if name == module_name), "")
            if board
            else ""
        )
        return (board, space) if board and space else None

    def place_of_location(self, module_board: ModuleBoard, location: str) -> PixelPoint | None:
        """Return the pixel of a grid location, by which a module places its initial stacks; None if it is unknown."""
        for board in self.boards_of(module_board):
            for mapped_name, module_name in board.module_names.items():
                if module_name == location:
                    return board.pixels[mapped_name]
        return None


def _cell_at(board: ConvertedBoard | None, place: PixelPoint) -> tuple[ConvertedBoard, str] | None:
    """Return the cell of a board of hexes at a pixel."""
    space = board.cells.get(board.grid.cell(place)) if board is not None and board.grid is not None else None
    return (board, space) if board is not None and space else None


def make_atlas(module: VassalModule, mapping: NameMapping, notes: Notes) -> Atlas:
    """Convert each grid of a module to a board; names that the mapping lacks are added to it."""
    atlas = Atlas(module, {}, {}, {})
    pool = NamePool(mapping["boards"].values())
    boards = [module_board for module_map in module.maps for module_board in module_map.boards]
    for module_board in counted_progress("converting boards", boards):
        _make(atlas, module_board, mapping, pool, notes)
    return atlas


def _make(atlas: Atlas, module_board: ModuleBoard, mapping: NameMapping, pool: NamePool, notes: Notes) -> None:
    """Convert the grid, the zones and the named places of a board of the module."""
    key, title, names = (
        f"{module_board.map}/{module_board.name}",
        module_board.name or module_board.map,
        mapping["boards"],
    )

    def unique_name(key: str, word: str) -> str:
        if key not in names:
            names[key] = pool.word(word, "map")
        return names[key]

    board_parts: list[tuple[str, str, Zone | None, int]] = []
    if isinstance(module_board.grid, HexGrid):
        board_parts.append((key, title, None, -1))
    for number, each in enumerate(module_board.zones):
        if isinstance(each.grid, HexGrid) and not each.shares_grid:
            board_parts.append((f"{key}/{each.name or number}", each.name or f"{title} {number}", each, number))
    for part_key, word, zone, number in board_parts:
        mapped_name = unique_name(part_key, word)
        if mapped_name == OMITTED:
            notes.add_changed(module_board.span, word, "left out, as the mapping says")
            continue
        if atlas.cell_count > MOST_ATLAS_CELLS:
            notes.add_omission(
                module_board.span, word, f"its module has more than {MOST_ATLAS_CELLS:,} cells before it"
            )
            continue
        board = hex_board(mapped_name, module_board, zone, word, notes)
        atlas.cell_count += len(board.cells) if board else 0
        if board is not None and zone is None:
            atlas.grids[id(module_board)] = board
        elif board is not None:
            atlas.zones[id(module_board), number] = board
    others_title = f"{title}_boxes" if isinstance(module_board.grid, HexGrid) else title
    _make_others(atlas, module_board, mapping, unique_name(f"{key}/*", others_title), notes)


def _make_others(atlas: Atlas, module_board: ModuleBoard, mapping: NameMapping, name: str, notes: Notes) -> None:
    """Convert the named places of a board that are no cells; if there are none, remove the board from the mapping."""
    if name == OMITTED:
        notes.add_changed(
            module_board.span, module_board.name or module_board.map, "its zones are left out, as the mapping says"
        )
        return
    board = space_board(name, module_board, mapping.spaces.get(name, {}), notes)
    if board is None:
        del mapping["boards"][f"{module_board.map}/{module_board.name}/*"]
        return
    atlas.others[id(module_board)] = board
    mapping.spaces[name] = {module_name: mapped_name for mapped_name, module_name in board.module_names.items()}


def place_boards(module_map: ModuleMap, setup: str, notes: Notes) -> list[AtlasPlacement]:
    """Arrange boards on a map by a setup command; without one, the only board of the map."""
    words = split_list(setup, "\t")[1:] if setup else []
    known = {module_board.name: module_board for module_board in module_map.boards}
    placed: list[tuple[ModuleBoard, int, int, bool]] = []
    for number in range(0, len(words) - 2, 3):
        name, *rest = split_list(words[number], "/")
        module_board = known.get(name)
        if module_board is None:
            notes.add_invalid(module_map.span, name, f"`{module_map.name}` has no board of this name")
        else:
            column, row = whole_number(words[number + 1]), whole_number(words[number + 2])
            placed.append((module_board, max(0, min(column, 99)), max(0, min(row, 99)), member_at(rest, 0) == REVERSED))
    if not placed and len(module_map.boards) == 1:
        placed = [(module_map.boards[0], 0, 0, False)]
    sizes = {(column, row): module_board.size for module_board, column, row, _ in placed}
    placements = []
    for module_board, column, row, is_rotated in placed:
        x = sum(sizes.get((each, row), EMPTY_SIZE)[0] for each in range(column))
        y = sum(sizes.get((column, each), EMPTY_SIZE)[1] for each in range(row))
        corner = x + module_map.margin[0], y + module_map.margin[1]
        placements.append(AtlasPlacement(module_board, column, row, corner, is_rotated))
    return placements
