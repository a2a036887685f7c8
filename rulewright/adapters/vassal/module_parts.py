"""The parts of a module of VASSAL that are imported: maps with boards and grids, counters, stacks, set-ups.

In: an archive with a build file. Out: a `VassalModule`, and notes of what could not be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.source.span import Span
from rulewright.adapters.vassal.archive import BUILD_FILES, ModuleArchive
from rulewright.adapters.vassal.board_sizes import board_size
from rulewright.adapters.vassal.grid_reading import read_grid
from rulewright.adapters.vassal.grids import Grid, PixelPoint, ZoneOutline, read_outline
from rulewright.adapters.vassal.piece_traits import (
    VassalPiece,
    expand_prototypes,
    prototypes_of,
    read_piece,
    whole_number,
)
from rulewright.adapters.vassal.xml_tree import Element, parse_xml
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

MODULE_TAGS, EXTENSION_TAG = ("GameModule", "BasicModule"), "ModuleExtension"
MAPS = frozenset({"Map", "PrivateMap", "PlayerHand", "WidgetMap"})
SLOTS, STACKS = ("PieceSlot", "CardSlot"), ("SetupStack", "DrawPile")
PALETTES = frozenset({"PieceWindow", "TabWidget", "PanelWidget", "BoxWidget", "ListWidget"})
OBSERVER = "<observer>"


@frozen_dataclass
class Zone:
    """A named part of a board, with a separate grid, the grid of the board (`shares_grid`), or none."""

    span: Span
    name: str
    outline: ZoneOutline
    grid: Grid | None
    shares_grid: bool


@frozen_dataclass
class ModuleBoard:
    """A board of a map, with its size in pixels, its grid and its zones."""

    span: Span
    map: str
    name: str
    size: PixelPoint
    grid: Grid | None
    zones: tuple[Zone, ...]


@frozen_dataclass
class ModuleMap:
    """A map: the boards that may be placed on it, the initial ones, and the margin around them."""

    span: Span
    name: str
    boards: tuple[ModuleBoard, ...]
    setup: str
    margin: PixelPoint


@frozen_dataclass
class PaletteSlot:
    """A counter of a palette: `piece` has its prototypes expanded, `palette` are the headings above it."""

    span: Span
    gpid: str
    name: str
    piece: VassalPiece
    prototypes: tuple[str, ...]
    palette: tuple[str, ...]


@frozen_dataclass
class PlacedStack:
    """A stack of counters in the initial set-up of a map; a deck is out of play."""

    span: Span
    name: str
    map: str
    board: str
    place: PixelPoint
    location: str
    slots: tuple[PaletteSlot, ...]
    is_deck: bool


@frozen_dataclass
class VassalModule:
    """A module: `slots` by number, `named` slots by name of the piece, `setups` as (name, member)."""

    archive: ModuleArchive
    name: str
    version: str
    vassal: str
    sides: tuple[str, ...]
    maps: tuple[ModuleMap, ...]
    slots: dict[str, PaletteSlot]
    named: dict[str, PaletteSlot]
    prototypes: dict[str, VassalPiece]
    stacks: tuple[PlacedStack, ...]
    setups: tuple[tuple[Span, str, str], ...]
    unread_slots: int


def read_module(archive: ModuleArchive, notes: Notes) -> VassalModule | None:
    """Read a module; None, with a note, if it has no valid build file."""
    member = next((name for name in BUILD_FILES if name in archive.members), "")
    if not member:
        notes.add_invalid(archive.span, BUILD_FILES[0], "is not in this archive")
        return None
    content = archive.read(member, notes)
    root = parse_xml(content, f"{archive.name}/{member}", notes) if content is not None else None
    if root is None:
        return None
    if root.tag not in MODULE_TAGS:
        extends = "this extends a module: import the module that it extends"
        reason = extends if root.tag == EXTENSION_TAG else "no module of VASSAL begins so"
        notes.add_invalid(root.span, root.tag, reason)
        return None
    return _ModuleReader(archive, root, notes).read()


@dataclass(slots=True)
class _ModuleReader:
    archive: ModuleArchive
    root: Element
    notes: Notes
    prototypes: dict[str, VassalPiece] = field(default_factory=dict)
    slots: dict[str, PaletteSlot] = field(default_factory=dict)
    missing: dict[str, Span] = field(default_factory=dict)  # Prototypes, with the first counter that needs each.
    unread: int = 0

    def read(self) -> VassalModule:
        """Read the module: prototypes first, since the counters refer to them."""
        for element in self.root.descendants():
            if element.tag == "PrototypeDefinition":
                piece = read_piece(_definition(element))
                if piece is None:
                    self.notes.add_invalid(element.span, element.get("name"), "this prototype cannot be read")
                else:
                    self.prototypes[element.get("name")] = piece
        maps: list[ModuleMap] = []
        stacks: list[PlacedStack] = []
        for element, map_, palette in _placed_elements(self.root):
            if element.tag in MAPS:
                maps.append(self._map(element, map_))
            elif element.tag in STACKS:
                stacks.append(self._stack(element, map_))
            elif element.tag in SLOTS:
                self._slot(element, palette)
        for name, span in sorted(self.missing.items()):
            is_defined = name in self.prototypes
            reason = "it holds itself, or too many others" if is_defined else "no prototype has this name"
            self.notes.add_invalid(span, name, f"{reason}; this is the first counter that needs it")
        named: dict[str, PaletteSlot] = {}
        for slot in self.slots.values():
            named.setdefault(slot.piece.name, slot)
        return VassalModule(
            self.archive,
            self.root.get("name"),
            self.root.get("version"),
            self.root.get("VassalVersion"),
            _sides(self.root),
            tuple(maps),
            self.slots,
            named,
            self.prototypes,
            tuple(stacks),
            tuple(_setups(self.root)),
            self.unread,
        )

    def _map(self, element: Element, name: str) -> ModuleMap:
        """Read a map and its boards."""
        boards: dict[str, ModuleBoard] = {}
        setup = ""
        for picker in element.descendants():
            if picker.tag != "BoardPicker":
                continue
            setup = next((each.text.strip() for each in picker.children_named("setup")), setup)
            for board in picker.children_named("Board"):
                module_board = self._board(board, name)
                if module_board.name in boards:
                    self.notes.add_omission(board.span, module_board.name, f"`{name}` has another board of this name")
                boards.setdefault(module_board.name, module_board)
        margin = whole_number(element.get("edgeWidth")), whole_number(element.get("edgeHeight"))
        return ModuleMap(element.span, name, tuple(boards.values()), setup, margin)

    def _board(self, element: Element, map_: str) -> ModuleBoard:
        """Read a board: its grid, its zones and the size of its picture."""
        zoned = next(element.children_named("ZonedGrid"), None)
        zones: list[tuple[Element, ZoneOutline]] = []
        corners = 0
        for each in zoned.children_named("Zone") if zoned else ():
            outline = read_outline(each.get("path"))
            corners += len(outline.corners) if outline else 0
            if corners > MOST_CORNERS or len(zones) == MOST_ZONES:
                remark = f"has more than {MOST_ZONES:,} zones, or {MOST_CORNERS:,} corners of zones: left out from here"
                self.notes.add_omission(each.span, element.get("name"), remark)
                break
            if outline is None:
                self.notes.add_invalid(each.span, each.get("name"), "this zone has no outline")
            else:
                zones.append((each, outline))
        size = board_size(self.archive, element, [outline for _, outline in zones], self.notes)
        grid = read_grid(zoned or element, size, self.notes)
        read = tuple(
            Zone(
                each.span,
                each.get("name"),
                outline,
                read_grid(each, _extent(outline), self.notes),
                each.is_true("useParentGrid"),
            )
            for each, outline in zones
        )
        return ModuleBoard(element.span, map_, element.get("name"), size, grid, read)

    def _stack(self, element: Element, map_: str) -> PlacedStack:
        """Read a stack of the initial set-up of a map."""
        slots = [self._slot(descendant, ()) for descendant in element.descendants() if descendant.tag in SLOTS]
        place = whole_number(element.get("x")), whole_number(element.get("y"))
        board = element.get("owningBoard")
        location = element.get("location") if element.is_true("useGridLocation") else ""
        return PlacedStack(
            element.span,
            element.get("name"),
            map_,
            "" if board == "null" else board,
            place,
            location,
            tuple(slot for slot in slots if slot is not None),
            element.tag == "DrawPile",
        )

    def _slot(self, element: Element, palette: tuple[str, ...]) -> PaletteSlot | None:
        """Read a counter; one without a number is numbered by its line and column in the file."""
        gpid = element.get("gpid") or f"line-{element.span.line}-{element.span.column}"
        if gpid in self.slots:
            return self.slots[gpid]
        name = element.get("entryName")
        raw = read_piece(_definition(element))
        if raw is None:
            self.notes.add_invalid(element.span, name or gpid, "this counter cannot be read")
            self.unread += 1
            return None
        missing: set[str] = set()
        piece = expand_prototypes(raw, self.prototypes, missing)
        self.missing = {**dict.fromkeys(missing, element.span), **self.missing}
        slot = PaletteSlot(element.span, gpid, name or piece.name, piece, tuple(prototypes_of(raw)), palette)
        self.slots[gpid] = slot
        return slot


def _sides(root: Element) -> tuple[str, ...]:
    """Return the sides that players may take."""
    sides: list[str] = []
    for roster in root.children_named("PlayerRoster"):
        for entry in roster.children_named("entry"):
            side = entry.text.strip()
            if side and side != OBSERVER:
                sides.append(side)
    return tuple(dict.fromkeys(sides))


def _setups(root: Element) -> Iterator[tuple[Span, str, str]]:
    """Yield the set-ups that are saves in the archive: their span, name and member."""
    for element in root.descendants():
        if element.tag != "PredefinedSetup" or element.get("useFile") != "true":
            continue
        if member := element.get("file"):
            yield element.span, element.get("name"), member


def _placed_elements(root: Element) -> Iterator[tuple[Element, str, tuple[str, ...]]]:
    """Yield the elements with their map and their palette headings; the content of a stack is not traversed."""
    pending: list[tuple[Element, str, tuple[str, ...]]] = [(root, "", ())]
    maps = 0
    while pending:
        element, map_, palette = pending.pop()
        if element.tag in MAPS:
            # The name of an unnamed map contains its number, as in VASSAL.
            map_ = element.get("mapName") or f"Map{maps}"
            maps += 1
        elif element.tag in PALETTES and (heading := element.get("entryName") or element.get("name")):
            palette = (*palette, heading)
        yield element, map_, palette
        if element.tag not in STACKS:
            pending += [(each, map_, palette) for each in reversed(element.children)]


def _definition(element: Element) -> str:
    """Return the text of a counter without surrounding white space; a tab at its end is significant."""
    return element.text.lstrip(" \r\n").rstrip("\r\n")


# Limits the zones in which each hex of a board is looked for.
MOST_ZONES, MOST_CORNERS = 2_000, 10_000


def _extent(outline: ZoneOutline) -> PixelPoint:
    left, top, right, bottom = outline.bounds()
    return right - left - 1, bottom - top - 1
