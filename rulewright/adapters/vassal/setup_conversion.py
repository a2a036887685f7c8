"""The set-up of a save, or the initial set-up of a module: pieces with their spaces on converted boards.

A piece in a deck, on an unknown map, or off every board is noted with the span of its command.
"""

from dataclasses import dataclass, field, replace

from compiler.source.span import Span
from rulewright.adapters.vassal.atlas import PICKER, Atlas, AtlasPlacement, place_boards
from rulewright.adapters.vassal.board_conversion import ConvertedBoard
from rulewright.adapters.vassal.grids import PixelPoint
from rulewright.adapters.vassal.module_parts import PaletteSlot, PlacedStack, VassalModule
from rulewright.adapters.vassal.piece_traits import (
    DECK,
    STACK_TYPE,
    VassalPiece,
    expand_prototypes,
    member_at,
    read_piece,
    whole_number,
)
from rulewright.adapters.vassal.saved_game import ADD, Command
from rulewright.adapters.vassal.sequences import split_list
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

OPENING = "Opening"
# The index of the name in the type of a deck.
DECK_NAME = 13
# The first number of an unplaced piece; VASSAL uses the time in milliseconds, which has the same number of digits.
FIRST_NUMBER = 3_000_000_000_000


@frozen_dataclass
class PlacedPiece:
    """A piece in a space of a converted board; `slot` is the counter that it was built from."""

    piece: VassalPiece
    slot: PaletteSlot
    board: ConvertedBoard
    space: str
    span: Span


@dataclass(slots=True)
class Setup:
    """A set-up: the placed pieces, each stack from bottom to top, and the boards on each map."""

    name: str
    span: Span
    placed: list[PlacedPiece] = field(default_factory=list)
    placements: dict[str, list[AtlasPlacement]] = field(default_factory=dict)
    piece_count: int = 0

    def boards(self, atlas: Atlas) -> list[ConvertedBoard]:
        """Return the converted boards of the boards of the set-up, in order."""
        module_boards = [placement.module_board for placements in self.placements.values() for placement in placements]
        return list(
            {converted.name: converted for board in module_boards for converted in atlas.boards_of(board)}.values()
        )


def read_setup(name: str, commands: list[Command], module: VassalModule, atlas: Atlas, notes: Notes) -> Setup:
    """Return the set-up that the commands of a save describe."""
    setup = Setup(name, commands[0].span)
    pieces: dict[str, tuple[VassalPiece, Span]] = {}
    stacks: list[tuple[VassalPiece, Span]] = []
    pickers: dict[str, str] = {}
    names = {module_map.name: f"{module_map.name}{PICKER}\t" for module_map in module.maps}
    for command in commands:
        if command.text.startswith(ADD):
            piece = read_piece(command.text)
            if piece is None:
                notes.add_invalid(command.span, "a piece", "this command is cut off, or no piece")
            elif piece.kind in {STACK_TYPE, DECK}:
                stacks.append((piece, command.span))
            else:
                # Prototypes are expanded in saves, except those of some old releases.
                pieces[piece.id] = expand_prototypes(piece, module.prototypes, set()), command.span
        for name_, prefix in names.items():
            if command.text.startswith(prefix):
                pickers[name_] = command.text
    for module_map in module.maps:
        setup.placements[module_map.name] = place_boards(
            module_map, pickers.get(module_map.name) or module_map.setup, notes
        )
    _place_stacks(stacks, pieces, setup, (module, atlas), notes)
    return setup


def _place_stacks(
    stacks: list[tuple[VassalPiece, Span]],
    pieces: dict[str, tuple[VassalPiece, Span]],
    setup: Setup,
    module_and_atlas: tuple[VassalModule, Atlas],
    notes: Notes,
) -> None:
    """Add the pieces of stacks to a set-up, then single pieces; cards in a deck are counted and omitted."""
    left = dict(pieces)
    for stack, span in stacks:
        states = stack.traits[-1].states()
        place = member_at(states, 0), (whole_number(member_at(states, 1)), whole_number(member_at(states, 2)))
        if stack.kind == DECK:
            members = [member for member in split_list(member_at(states, 4), ",") if member in left]
            for member in members:
                del left[member]
            setup.piece_count += len(members)
            if members:
                notes.add_omission(
                    span,
                    member_at(stack.traits[-1].fields(), DECK_NAME) or "a deck",
                    f"a deck of {len(members)}: left out",
                )
            continue
        for state in states[3:]:
            if state in left:
                piece, piece_span = left.pop(state)
                _place_piece(piece, place, piece_span, setup, module_and_atlas, notes)
    for piece, span in left.values():
        name, x, y = piece.place
        _place_piece(piece, (name, (x, y)), span, setup, module_and_atlas, notes)


def _place_piece(
    piece: VassalPiece,
    place: tuple[str, PixelPoint],
    span: Span,
    setup: Setup,
    module_and_atlas: tuple[VassalModule, Atlas],
    notes: Notes,
) -> None:
    """Add a piece in its space to a set-up; if it has none, record a note."""
    module, atlas = module_and_atlas
    setup.piece_count += 1
    map_name, pixel = place
    slot = _slot_of(piece, module, span)
    if map_name not in setup.placements:
        location = f"on `{map_name}`, which is no map of the module" if map_name and map_name != "null" else "on no map"
        notes.add_omission(span, slot.name, f"is {location}: left out")
        return
    board = next((placement for placement in setup.placements[map_name] if placement.contains(pixel)), None)
    space = atlas.find(board.module_board, board.board_pixel(pixel)) if board else None
    if space is None:
        notes.add_omission(
            span, slot.name, f"lies at {pixel[0]}, {pixel[1]} of `{map_name}`, where there is no space: left out"
        )
        return
    # A piece in a stack has the place of the stack, whatever its own state.
    setup.placed.append(PlacedPiece(piece.with_place(map_name, *pixel), slot, *space, span))


def _slot_of(piece: VassalPiece, module: VassalModule, span: Span) -> PaletteSlot:
    """Return the slot of a piece: by number, otherwise by name; a slot is added for an unknown piece."""
    slot = module.slots.get(piece.gpid) or module.named.get(piece.name)
    if slot is None:
        slot = PaletteSlot(span, piece.gpid or f"made-{piece.name}", piece.name, piece, (), ())
        module.slots[slot.gpid] = module.named[piece.name] = slot
    return slot


def opening_setup(module: VassalModule, atlas: Atlas, notes: Notes) -> Setup:
    """Return the initial set-up of a module."""
    setup = Setup(OPENING, module.archive.span)
    for module_map in module.maps:
        setup.placements[module_map.name] = place_boards(module_map, module_map.setup, notes)
    for stack in module.stacks:
        setup.piece_count += len(stack.slots)
        if stack.is_deck:
            if stack.slots:
                notes.add_omission(stack.span, stack.name, f"a deck of {len(stack.slots)}: left out")
            continue
        place = _place_of(stack, setup.placements.get(stack.map, []), atlas)
        space = atlas.find(place[0].module_board, place[0].board_pixel(place[1])) if place else None
        for slot in stack.slots:
            if place is None or space is None:
                notes.add_omission(slot.span, slot.name, f"lies on no space of `{stack.map}` from the start: left out")
                continue
            piece = replace(slot.piece.with_place(stack.map, *place[1]), id=str(FIRST_NUMBER + len(setup.placed)))
            setup.placed.append(PlacedPiece(piece, slot, *space, slot.span))
    return setup


def _place_of(
    stack: PlacedStack, placements: list[AtlasPlacement], atlas: Atlas
) -> tuple[AtlasPlacement, PixelPoint] | None:
    """Return the board of a stack and its pixel on the map; None if that board is not on the map."""
    for placement in placements:
        if stack.board in {placement.module_board.name, ""}:
            local = atlas.place_of_location(placement.module_board, stack.location) if stack.location else None
            place = (
                placement.map_pixel(local)
                if local
                else (stack.place[0] + placement.corner[0], stack.place[1] + placement.corner[1])
            )
            if stack.board or placement.contains(place) or len(placements) == 1:
                return placement, place
    return None
