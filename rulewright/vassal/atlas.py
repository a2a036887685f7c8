"""The mapping from places on a map of VASSAL to places on our boards, and back.

The boards of a map stand in columns and rows with a margin around them; one that lies upside down is turned by half.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist

from rulewright.importing.notes import Notes
from rulewright.vassal.fields import Field, has_cells, hex_field, rest_field, space_field, square_field
from rulewright.vassal.grids import HexGrid, Outline, Pixel, RegionGrid
from rulewright.vassal.mapping import OMITTED, NameMapping
from rulewright.vassal.module import Module, Sheet, Window, Zone
from rulewright.vassal.names import NamePool
from rulewright.vassal.pieces import member_at, whole_number
from rulewright.vassal.sequences import split

PICKER = "BoardPicker"
REVERSED = "rev"
# The room that a place without a board takes.
NOTHING = (0, 0)
# So many places in each direction are tried in a zone with others over its middle.
LATTICE = 16


@dataclass(frozen=True, slots=True)
class BoardPlacement:
    """A board as it lies on a map: the column and row of boards, its corner in pixels, and whether it is turned."""

    sheet: Sheet
    column: int
    row: int
    corner: Pixel
    turned: bool

    def local(self, place: Pixel) -> Pixel:
        """Return a place of the map as one of the board."""
        x, y = place[0] - self.corner[0], place[1] - self.corner[1]
        return (self.sheet.size[0] - x, self.sheet.size[1] - y) if self.turned else (x, y)

    def on_map(self, place: Pixel) -> Pixel:
        """Return a place of the board as one of the map."""
        x, y = (self.sheet.size[0] - place[0], self.sheet.size[1] - place[1]) if self.turned else place
        return x + self.corner[0], y + self.corner[1]

    def holds(self, place: Pixel) -> bool:
        """Return whether a place of the map lies on the board."""
        x, y = place[0] - self.corner[0], place[1] - self.corner[1]
        return 0 <= x < self.sheet.size[0] and 0 <= y < self.sheet.size[1]


@dataclass(slots=True)
class Atlas:
    """Fields by sheet: of its grid, of its zones by number, of what is no cell, and of all that lies elsewhere."""

    module: Module
    grids: dict[int, Field]
    zones: dict[tuple[int, int], Field]
    others: dict[int, Field]
    rests: dict[int, Field]

    def fields(self) -> Iterator[tuple[Sheet, Field]]:
        """List all boards of ours with the sheets they come from, in the order of the module."""
        for window in self.module.windows:
            for sheet in window.sheets:
                yield from ((sheet, field) for field in self.of(sheet))

    def of(self, sheet: Sheet) -> Iterator[Field]:
        """List the boards of ours that a sheet has become."""
        own = id(sheet)
        zones = (self.zones.get((own, number)) for number in range(len(sheet.zones)))
        every = (self.grids.get(own), *zones, self.others.get(own), self.rests.get(own))
        yield from (each for each in every if each is not None)

    def find(self, sheet: Sheet, place: Pixel) -> tuple[Field, str] | None:
        """Find the space of ours at a place of a sheet: in the first zone that holds it, else on the sheet's grid."""
        own = id(sheet)
        for number, zone in enumerate(sheet.zones):
            if zone.outline.holds(place):
                if zone.shares:
                    break
                return self._in_zone(sheet, number, zone, place)
        if isinstance(sheet.grid, RegionGrid) and sheet.grid.regions:
            return self._named(own, sheet.grid.nearest(place))
        field = self.grids.get(own)
        if field is not None and field.grid is not None:
            space = field.spots.get(field.grid.spot(place))
            return (field, space) if space else None
        rest = self.rests.get(own)
        return (rest, next(iter(rest.pixels))) if rest else None

    def place_in(self, sheet: Sheet, field: Field, space: str) -> Pixel | None:
        """Return a place of a space: its middle, or one well within what is left where another zone lies over that.

        A cell whose middle is in another zone has none.
        """
        middle = field.pixels[space]
        if self._is(sheet, middle, field, space):
            return middle
        called = field.called[space]
        zones = [each.outline for each in sheet.zones if each.name == called]
        boards = [Outline(((0, 0), (sheet.size[0], 0), sheet.size, (0, sheet.size[1])))]
        for outline in zones or (boards if self.rests.get(id(sheet)) is field else []):
            spots = outline.lattice(LATTICE)
            free = [each for each in spots if self._is(sheet, each, field, space)]
            others = [*{*spots}.difference(free), *outline.edge(LATTICE)]
            if free:
                return max(free, key=lambda spot: min(dist(spot, each) for each in others))
        return None

    def _is(self, sheet: Sheet, place: Pixel, field: Field, space: str) -> bool:
        found = self.find(sheet, place)
        return found is not None and found[0] is field and found[1] == space

    def _in_zone(self, sheet: Sheet, number: int, zone: Zone, place: Pixel) -> tuple[Field, str] | None:
        field = self.zones.get((id(sheet), number))
        if field is not None and field.grid is not None:
            space = field.spots.get(field.grid.spot(place))
            return (field, space) if space else None
        if isinstance(zone.grid, RegionGrid) and zone.grid.regions:
            return self._named(id(sheet), zone.grid.nearest(place))
        return self._named(id(sheet), zone.name)

    def _named(self, sheet: int, theirs: str) -> tuple[Field, str] | None:
        field = self.others.get(sheet)
        space = next((ours for ours, name in field.called.items() if name == theirs), "") if field else ""
        return (field, space) if field and space else None

    def located(self, sheet: Sheet, location: str) -> Pixel | None:
        """Find the place that a grid location names, as stacks from the start do."""
        for field in self.of(sheet):
            for ours, theirs in field.called.items():
                if theirs == location:
                    return field.pixels[ours]
        return None


def make_atlas(module: Module, mapping: NameMapping, notes: Notes) -> Atlas:
    """Make a board of ours of each grid; the mapping gets a name for each that it has none for."""
    made = Atlas(module, {}, {}, {}, {})
    pool = NamePool(mapping["boards"].values())
    for window in module.windows:
        for sheet in window.sheets:
            _make(made, sheet, mapping, pool, notes)
    return made


def _make(made: Atlas, sheet: Sheet, mapping: NameMapping, pool: NamePool, notes: Notes) -> None:
    """Make all boards of ours that a sheet becomes."""
    key, title, names = f"{sheet.map}/{sheet.name}", sheet.name or sheet.map, mapping["boards"]

    def name(key: str, word: str) -> str:
        if key not in names:
            names[key] = pool.word(word, "map")
        return names[key]

    whose: list[tuple[str, str, Zone | None, int]] = [(key, title, None, -1)] if has_cells(sheet.grid) else []
    for number, each in enumerate(sheet.zones):
        if has_cells(each.grid) and not each.shares:
            whose.append((f"{key}/{each.name or number}", each.name or f"{title} {number}", each, number))
    for called, word, zone, number in whose:
        ours = name(called, word)
        if ours == OMITTED:
            notes.changed(sheet.span, word, "left out, as the mapping says")
            continue
        write = hex_field if isinstance((zone or sheet).grid, HexGrid) else square_field
        field = write(ours, sheet, zone, word, notes)
        if field is not None and zone is None:
            made.grids[id(sheet)] = field
        elif field is not None:
            made.zones[id(sheet), number] = field
    _make_others(made, sheet, mapping, name(f"{key}/*", f"{title}_boxes" if has_cells(sheet.grid) else title), notes)
    # Where a board has no cells of its own, all that lies outside of its zones is one space.
    if not has_cells(sheet.grid) and not (isinstance(sheet.grid, RegionGrid) and sheet.grid.regions):
        rest = name(f"{key}/-", title)
        if rest != OMITTED:
            field = made.rests[id(sheet)] = rest_field(rest, sheet, mapping.spaces.get(rest, {}))
            mapping.spaces[rest] = {theirs: ours for ours, theirs in field.called.items()}


def _make_others(made: Atlas, sheet: Sheet, mapping: NameMapping, name: str, notes: Notes) -> None:
    """Make the board of what has a name and is no cell; one that would have no space is taken out of the mapping."""
    if name == OMITTED:
        notes.changed(sheet.span, sheet.name or sheet.map, "its zones are left out, as the mapping says")
        return
    field = space_field(name, sheet, mapping.spaces.get(name, {}), notes)
    if field is None:
        del mapping["boards"][f"{sheet.map}/{sheet.name}/*"]
        return
    made.others[id(sheet)] = field
    mapping.spaces[name] = {theirs: ours for ours, theirs in field.called.items()}


def place_boards(window: Window, setup: str, notes: Notes) -> list[BoardPlacement]:
    """Lay boards on a map as a command says; without one, the only board that the map has."""
    words = split(setup, "\t")[1:] if setup else []
    known = {sheet.name: sheet for sheet in window.sheets}
    placed: list[tuple[Sheet, int, int, bool]] = []
    for number in range(0, len(words) - 2, 3):
        name, *rest = split(words[number], "/")
        sheet = known.get(name)
        if sheet is None:
            notes.broken(window.span, name, f"`{window.name}` has no board of this name")
        else:
            column, row = whole_number(words[number + 1]), whole_number(words[number + 2])
            placed.append((sheet, max(0, min(column, 99)), max(0, min(row, 99)), member_at(rest, 0) == REVERSED))
    if not placed and len(window.sheets) == 1:
        placed = [(window.sheets[0], 0, 0, False)]
    sizes = {(column, row): sheet.size for sheet, column, row, _ in placed}
    laid = []
    for sheet, column, row, turned in placed:
        x = sum(sizes.get((each, row), NOTHING)[0] for each in range(column))
        y = sum(sizes.get((column, each), NOTHING)[1] for each in range(row))
        laid.append(BoardPlacement(sheet, column, row, (x + window.margin[0], y + window.margin[1]), turned))
    return laid
