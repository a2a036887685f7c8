"""Conversion of pieces to pieces of VASSAL: their counter in the module, their place, the faces they show.

A piece that was imported from a save is written as the piece of that save, with all traits that have no equivalent
here; any other piece is built from the slot of its counter.
"""

from dataclasses import dataclass, field, replace

from compiler.typed.situations.grid import printed_part
from rulewright.adapters.vassal.atlas import AtlasPlacement, place_boards
from rulewright.adapters.vassal.board_conversion import ConvertedBoard
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
        on = state.board.source.regions
        boards: dict[str, tuple[ModuleBoard, ConvertedBoard]] = {
            each.name: (module_board, each)
            for module_board, each in self.loaded_module.atlas.boards()
            if printed_part(each.name) in on
        }
        labels = space_labels(each for _, each in boards.values())
        found: _Places = {}
        for name, (module_board, each) in boards.items():
            placement = self._placement_of(module_board)
            for space in each.pixels:
                place = self.loaded_module.atlas.place_in(module_board, each, space)
                found[labels[name, space]] = placement, placement.map_pixel(place) if place else None, (name, space)
        return found

    def _placement_of(self, module_board: ModuleBoard) -> AtlasPlacement:
        """Return the placement of a board on its map; a board that is not on it is added to the right."""
        placements = self.base.placements.setdefault(module_board.map, [])
        found = next((each for each in placements if each.module_board is module_board), None)
        if found is None:
            module_map = next(each for each in self.loaded_module.module.maps if each.name == module_board.map)
            right = max((each.column for each in placements), default=-1) + 1
            others = "".join(f"\t{each.module_board.name}\t{each.column}\t{each.row}" for each in placements)
            placements[:] = place_boards(
                module_map, f"{module_board.map}{others}\t{module_board.name}\t{right}\t0", self.notes
            )
            found = next(each for each in placements if each.module_board is module_board)
            self.extended_maps.add(module_map.name)
        return found

    def match_pieces(self, state: State) -> None:
        """Match the pieces of a position with those of the base: first by name, then by counter."""
        board_names = {each.board.name for each in self.base.placed}
        boards = [each for each in self.base.boards(self.loaded_module.atlas) if each.name in board_names]
        quiet = Notes()  # The import has recorded these notes already.
        known = {
            each.name: each for each in place_pieces(self.base, self.loaded_module.chart, space_labels(boards), quiet)
        }
        self.placed = known
        self.fronts = {each.back: each.id for each in self.loaded_module.chart.counters.values() if each.back}
        left: dict[str, dict[str, PositionPiece]] = {}
        for each in known.values():
            left.setdefault(self._front(each.counter), {})[each.name] = each
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
        for space in sorted(each for each in state.at if each >= 0):
            for number in state.at[space]:
                sheet = state.sheets[number]
                location = places.get(state.board.names[space])
                piece = self.pieces.get(sheet.name) or self._make(sheet.name, sheet.counter)
                place_text = f"stands in `{state.board.names[space]}`"
                if location is None:
                    self._note_loss(sheet.name, f"{place_text}, which is no space of the module: left out")
                if piece is None or location is None:
                    continue
                placement, middle, space_there = location
                place = self._current_pixel(piece, placement, space_there) or middle
                if place is None:
                    self._note_loss(
                        sheet.name, f"{place_text}, and another zone of the module lies over that: left out"
                    )
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
        gpid = next(
            (each for each, mapped_name in self.loaded_module.chart.counters_by_slot.items() if mapped_name == front),
            None,
        )
        if gpid is None:
            loss = f"the mapping has no counter `{counter}`: left out"
            self._note_loss(name, loss)
            return None
        self.new_piece_count += 1
        piece = replace(self.loaded_module.module.slots[gpid].piece, id=str(FIRST_NUMBER + self.new_piece_count))
        states = piece.traits[-1].states()
        return piece.with_state(len(piece.traits) - 1, join_list([*states[:3], gpid, *(states[4:] or ["0"])], ";"))

    def _with_faces(self, piece: VassalPiece, state: State, number: int) -> VassalPiece:
        """Return a piece with the faces and properties that correspond to its marks and tracks in a state."""
        mapping, sheet = self.loaded_module.mapping, state.sheets[number]
        owner = f"{sheet.kind}."
        marks = {key.removeprefix(owner) for key, on in state.marks.items() if key.startswith(owner) and number in on}
        if self._front(sheet.counter) != sheet.counter:
            marks.add(BACK)
        shown_faces: set[str] = set()
        for trait, key, layer in piece_layers(piece):
            first = 2 if layer.always else 1
            named = {
                level: mapping["faces"].get(f"{key}/{level_name(layer, level)}", OMITTED)
                for level in range(first, len(layer.levels) + 1)
            }
            marked_level = next((level for level, mapped_name in named.items() if mapped_name in marks), 0)
            usual = 1 if layer.always else -max(1, layer.level)
            if marked_level:
                piece = piece.with_state(trait, str(marked_level))
                shown_faces.add(named[marked_level])
            elif named.get(layer.level, OMITTED) != OMITTED:
                piece = piece.with_state(trait, str(usual))
        for trait, each in enumerate(piece.traits):
            if each.id not in {MASK, HIDDEN} or each.states()[0] in {NO_MASK, ""}:
                continue
            mapped_name = mapping["faces"].get(f"{each.id}/1", OMITTED)
            if mapped_name in marks:
                shown_faces.add(mapped_name)
            elif mapped_name != OMITTED:
                piece = piece.with_state(trait, f"{NO_MASK};" if each.id == MASK else NO_MASK)
        self._note_unshown(sheet.name, marks - shown_faces)
        return self._with_counts(piece, state, number)

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
