"""Conversion of pieces to pieces of VASSAL: their counter in the module, their place, the faces they show.

A piece that was imported from a save is written as the piece of that save, with all traits that have no equivalent
here; any other piece is built from the slot of its counter.
"""

from dataclasses import dataclass, field, replace

from compiler.typed.situations.grid import printed_part
from rulewright.adapters.vassal.atlas import AtlasPlacement, place_boards
from rulewright.adapters.vassal.counter_conversion import level_name, piece_layers
from rulewright.adapters.vassal.grids import PixelPoint
from rulewright.adapters.vassal.mapping import BACK, OMITTED
from rulewright.adapters.vassal.module_import import LoadedModule
from rulewright.adapters.vassal.module_parts import ModuleBoard
from rulewright.adapters.vassal.piece_traits import HIDDEN, MASK, VassalPiece
from rulewright.adapters.vassal.sequences import join_list
from rulewright.adapters.vassal.setup_conversion import Setup
from rulewright.adapters.vassal.texts import PositionPiece, place_pieces, space_labels
from rulewright.exchange.notes import Notes
from runtime.state.position import State

# The first number of a generated piece; VASSAL uses the time, which has the same number of digits.
FIRST_NUMBER = 1_000_000_000_000
NO_MASK = "null"
# A longer number is no value of a track.
MOST_TRACK_DIGITS = 5

_Places = dict[str, tuple[AtlasPlacement, PixelPoint | None, tuple[str, str]]]


@dataclass(slots=True)
class PieceExporter:
    """The pieces of the base by our names.

    `placed` are the pieces of the base that the mapping has; all others are written unchanged.
    """

    loaded_module: LoadedModule
    base: Setup
    notes: Notes
    pieces: dict[str, VassalPiece] = field(default_factory=dict)
    placed: dict[str, PositionPiece] = field(default_factory=dict)
    fronts: dict[str, str] = field(default_factory=dict)
    new_piece_count: int = 0
    extended_maps: set[str] = field(default_factory=set)

    def _places(self, state: State) -> _Places:
        """Return, by name of a space of a position, its board, a pixel in it, and its board and space in the atlas."""
        atlas, regions = self.loaded_module.atlas, state.board.source.regions
        boards = [pair for pair in atlas.boards() if printed_part(pair[1].name) in regions]
        labels = space_labels(board for _, board in boards)
        places: _Places = {}
        for module_board, board in boards:
            placement = self._placement_of(module_board)
            for space in board.pixels:
                place = atlas.place_in(module_board, board, space)
                pixel = placement.map_pixel(place) if place else None
                places[labels[board.name, space]] = placement, pixel, (board.name, space)
        return places

    def _placement_of(self, module_board: ModuleBoard) -> AtlasPlacement:
        """Return the placement of a board on its map; a board that is not on it is added to the right."""
        placements = self.base.placements.setdefault(module_board.map, [])
        for placement in placements:
            if placement.module_board is module_board:
                return placement
        maps = self.loaded_module.module.maps
        module_map = next(module_map for module_map in maps if module_map.name == module_board.map)
        words = [module_board.map]
        for placement in placements:
            words += [placement.module_board.name, str(placement.column), str(placement.row)]
        right = max((placement.column for placement in placements), default=-1) + 1
        words += [module_board.name, str(right), "0"]
        placements[:] = place_boards(module_map, "\t".join(words), self.notes)
        self.extended_maps.add(module_map.name)
        return next(placement for placement in placements if placement.module_board is module_board)

    def match_pieces(self, state: State) -> None:
        """Match the pieces of a position with those of the base: first by name, then by counter."""
        chart = self.loaded_module.chart
        board_names = {placed.board.name for placed in self.base.placed}
        boards = [board for board in self.base.boards(self.loaded_module.atlas) if board.name in board_names]
        # The import has recorded these notes already.
        pieces = place_pieces(self.base, chart, space_labels(boards), Notes())
        self.placed = {piece.name: piece for piece in pieces}
        self.fronts = {counter.back: counter.id for counter in chart.counters.values() if counter.back}
        left: dict[str, dict[str, PositionPiece]] = {}
        for placed_piece in self.placed.values():
            left.setdefault(self._front(placed_piece.counter), {})[placed_piece.name] = placed_piece
        sheet_counters = [(sheet.name, self._front(sheet.counter)) for sheet in state.sheets]
        for name, counter in sheet_counters:
            if match := left.get(counter, {}).pop(name, None):
                self.pieces[name] = match.source.piece
        for name, counter in sheet_counters:
            if name not in self.pieces and (candidates := left.get(counter)):
                self.pieces[name] = candidates.pop(next(iter(candidates))).source.piece

    def _front(self, counter: str) -> str:
        """Return the front of a counter."""
        return self.fronts.get(counter, counter)

    def pieces_of_state(self, state: State) -> dict[str, VassalPiece]:
        """Return the pieces of a state as pieces of VASSAL, by name; those on no board are omitted, with a note."""
        places = self._places(state)
        pieces: dict[str, VassalPiece] = {}
        for space in sorted(space for space in state.at if space >= 0):
            space_name = state.board.names[space]
            location = places.get(space_name)
            for number in state.at[space]:
                sheet = state.sheets[number]
                piece = self.pieces.get(sheet.name) or self._make(sheet.name, sheet.counter)
                if location is None:
                    loss = f"stands in `{space_name}`, which is no space of the module: left out"
                    self._note_loss(sheet.name, loss)
                if piece is None or location is None:
                    continue
                placement, middle, space_there = location
                place = self._current_pixel(piece, placement, space_there) or middle
                if place is None:
                    loss = f"stands in `{space_name}`, and another zone of the module lies over that: left out"
                    self._note_loss(sheet.name, loss)
                    continue
                piece = piece.with_place(placement.module_board.map, *place)
                pieces[sheet.name] = self._with_faces(piece, state, number)
        return pieces

    def _current_pixel(
        self, piece: VassalPiece, placement: AtlasPlacement, space: tuple[str, str]
    ) -> PixelPoint | None:
        """Return the pixel of a piece if it is in its space already, perhaps beside the middle; None otherwise."""
        name, x, y = piece.place
        if name != placement.module_board.map or not placement.contains((x, y)):
            return None
        location = self.loaded_module.atlas.find(placement.module_board, placement.board_pixel((x, y)))
        return (x, y) if location is not None and (location[0].name, location[1]) == space else None

    def _make(self, name: str, counter: str) -> VassalPiece | None:
        """Build a piece from the slot of its counter; None, with a note, if the mapping has none."""
        front = self._front(counter)
        counters_by_slot = self.loaded_module.chart.counters_by_slot
        gpid = next((slot for slot, mapped_name in counters_by_slot.items() if mapped_name == front), None)
        if gpid is None:
            self._note_loss(name, f"the mapping has no counter `{counter}`: left out")
            return None
        self.new_piece_count += 1
        piece = replace(self.loaded_module.module.slots[gpid].piece, id=str(FIRST_NUMBER + self.new_piece_count))
        states = piece.traits[-1].states()
        return piece.with_state(len(piece.traits) - 1, join_list([*states[:3], gpid, *(states[4:] or ["0"])], ";"))

    def _with_faces(self, piece: VassalPiece, state: State, number: int) -> VassalPiece:
        """Return a piece with the faces and properties that correspond to its marks and tracks in a state."""
        sheet, owner = state.sheets[number], f"{state.sheets[number].kind}."
        marks = {key.removeprefix(owner) for key, on in state.marks.items() if key.startswith(owner) and number in on}
        if self._front(sheet.counter) != sheet.counter:
            marks.add(BACK)
        piece, faces = self._with_layers(piece, marks)
        piece, masks = self._with_masks(piece, marks)
        self._note_unshown(sheet.name, marks - faces - masks)
        return self._with_counts(piece, state, number)

    def _with_layers(self, piece: VassalPiece, marks: set[str]) -> tuple[VassalPiece, set[str]]:
        """Return a piece whose layers show marks as far as the mapping has them, and the marks that they show."""
        mapped_faces = self.loaded_module.mapping["faces"]
        shown_faces: set[str] = set()
        for trait, key, layer in piece_layers(piece):
            # The first level of a layer that is always on is the usual one.
            levels = range(2 if layer.always else 1, len(layer.levels) + 1)
            names = {level: mapped_faces.get(f"{key}/{level_name(layer, level)}", OMITTED) for level in levels}
            marked_level = next((level for level, name in names.items() if name in marks), 0)
            if marked_level:
                piece = piece.with_state(trait, str(marked_level))
                shown_faces.add(names[marked_level])
            elif names.get(layer.level, OMITTED) != OMITTED:
                piece = piece.with_state(trait, str(1 if layer.always else -max(1, layer.level)))
        return piece, shown_faces

    def _with_masks(self, piece: VassalPiece, marks: set[str]) -> tuple[VassalPiece, set[str]]:
        """Return a piece without the masks that it has no mark for, and the marks that its masks show."""
        shown_faces: set[str] = set()
        for index, trait in enumerate(piece.traits):
            if trait.id not in {MASK, HIDDEN} or trait.states()[0] in {NO_MASK, ""}:
                continue
            name = self.loaded_module.mapping["faces"].get(f"{trait.id}/1", OMITTED)
            if name in marks:
                shown_faces.add(name)
            elif name != OMITTED:
                piece = piece.with_state(index, f"{NO_MASK};" if trait.id == MASK else NO_MASK)
        return piece, shown_faces

    def _with_counts(self, piece: VassalPiece, state: State, number: int) -> VassalPiece:
        """Return a piece with the properties that correspond to its tracks in a state."""
        sheet = state.sheets[number]
        counts, carried = self._counts(state, number), self._tracks_of(piece, sheet.kind)
        for name, (trait, value) in carried.items():
            is_count = (value.isdecimal() or not value) and len(value) < MOST_TRACK_DIGITS
            # A text stays while the track has its initial value: that is what an import makes of the text.
            if name in state.tracks and (is_count or name in counts):
                piece = piece.with_state(trait, str(state.track(name, number)))
        for name, count in counts.items():
            if name not in carried:
                track = name.removeprefix(f"{sheet.kind}.")
                self._note_loss(sheet.name, f"its counter in the module has no `{track}`, which is {count}: left out")
        return piece

    def _counts(self, state: State, number: int) -> dict[str, object]:
        """Return the tracks of the mapping with which a piece does not begin, with their values."""
        tracks = {f"{state.sheets[number].kind}.{name}" for name in self.loaded_module.mapping["tracks"].values()}
        values = {name: state.track(name, number) for name in sorted(tracks & state.tracks.keys())}
        return {name: value for name, value in values.items() if value != state.frame.initial[name]}

    def _tracks_of(self, piece: VassalPiece, kind: str) -> dict[str, tuple[int, str]]:
        """Return the tracks that a piece can carry: the number of the trait of each, and its value."""
        names = self.loaded_module.mapping["tracks"]
        return {f"{kind}.{names.get(name, OMITTED)}": carried for name, carried in piece.notes().items()}

    def _note_unshown(self, name: str, marks: set[str]) -> None:
        """Record a note for each mark of a piece that VASSAL cannot show; a mask requires the identity of a player."""
        for face, mapped_name in self.loaded_module.mapping["faces"].items():
            if mapped_name in marks:
                reason = ": there a player does that" if face.partition("/")[0] in {MASK, HIDDEN} else ""
                self._note_loss(name, f"cannot be written as `{mapped_name}`{reason}: left out")

    def _note_loss(self, name: str, loss: str) -> None:
        """Record a loss of a piece."""
        self.notes.add_omission(self.base.span, name, loss)
