"""Encoding of positions in the memory of a module.

In: a layout and a state. Out: the bytes of the memory up to its free part. What the layout cannot hold (more pieces
than it provides for, a fraction where integers are expected) raises `NotRepresentableError`.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from runtime.board.board import FAR, OFF_MAP, Board, LinkedRows
from runtime.engine.values import MemoryImage, NotRepresentableError, encode_number
from runtime.graph import nodes as graph
from runtime.graph.layout import (
    ABSENT32,
    ABSENT64,
    BELOW,
    MOST_PAIRS,
    MOST_SLOTS,
    Array,
    Layout,
    partner_masks,
    size_of,
)
from runtime.graph.operators.numbers import BARE
from runtime.graph.predeclared_types import CLOCK, HEXES
from runtime.state.position import GONE, OUTSIDE, State
from runtime.state.record import Value

WORD_SET = graph.Many("set", graph.Enum(""))
WORD = graph.Enum("")


def write_image(layout: Layout, state: State, epoch: int = 1) -> MemoryImage:
    """Return the memory of a position, whose last change has the number `epoch`.

    Raises `NotRepresentableError` for more pieces, hexes or values than the layout has room for.
    """
    if len(state.sheets) > layout.pieces or state.board.size >= layout.hexes:
        raise NotRepresentableError(f"{len(state.sheets)} pieces on {state.board.size} hexes")
    memory = MemoryImage(state.graph, layout)
    memory.amended = state.amended
    writer = _ImageWriter(memory, state)
    memory.map_end = len(memory.bytes)
    # Records are ordered by serial number, and so are their addresses.
    for record in sorted((each for line in state.records.values() for each in line), key=lambda each: each.serial):
        memory.write_record(record)
    for array in layout.arrays.values():
        if array.name.startswith(("version:", "touched:")):
            below = BELOW if array.index == "hex" else 0
            count = below + size_of(array.index, layout.pieces, layout.hexes, layout.enum_capacity)
            writer.store(array.base - 8 * below, [epoch] * count, wide=True)
        else:
            writer.write(array)
    return memory


class _ImageWriter:
    """An encoder of the arrays of one position."""

    def __init__(self, memory: MemoryImage, state: State) -> None:
        """Store the target memory and the source state."""
        self.memory = memory
        self.state = state
        self.board: Board = state.board
        self.vocabulary = state.graph.vocabulary
        # The distances of a map do not change in a game: they are appended before all that does.
        is_linked = "board:far" in memory.layout.arrays and isinstance(state.board.far, LinkedRows)
        self.distances = self.write_distances() if is_linked else 0

    def write(self, array: Array) -> None:
        """Encode one array."""
        category, _, key = array.name.partition(":")
        if array.element == "pair":
            self.write_pairs(array, key)
        elif category == "across":
            sort, _, name = key.partition(":")
            self.write_rows(array, self.hexes_across(self.bit_sides(sort, name)))
        elif category == "board":
            self.map_array(array, key)
        elif array.element == "bits":
            self.write_bits(array, self.bit_members(category, key))
        else:
            self.write_elements(array, category, key)

    def store(self, address: int, values: Iterable[int], wide: bool) -> None:  # noqa: FBT001
        """Store integers at consecutive addresses."""
        numbers = list(values)
        struct.pack_into(f"<{len(numbers)}{'q' if wide else 'i'}", self.memory.bytes, address, *numbers)

    def write_bits(self, array: Array, members: Iterable[int]) -> None:
        """Store a bit set."""
        for each in members:
            self.memory.bytes[array.base + each // 8] |= 1 << each % 8

    def bit_members(self, category: str, key: str) -> Iterable[int]:
        """Return the members of a bit set, as indices; `NotRepresentableError` for an unknown category."""
        state, board = self.state, self.board
        pieces = range(len(state.sheets))
        owner, _, name = key.partition(".")
        match category:
            case "kind":
                return [p for p in pieces if state.kind[p] == key]
            case "trait":
                return [p for p in pieces if state.kind[p] == owner and name in state.traits[p]]
            case "face":
                return [p for p in pieces if state.face(p, key)]
            case "gone":
                return [p for p in pieces if state.hex[p] == GONE]
            case "off" | "reserve":
                return [p for p in pieces if state.hex[p] in OUTSIDE]
            case "on_map":
                return [p for p in pieces if state.hex[p] >= 0]
            case "feature":
                return [h for h in range(board.size) if key in board.features[h]]
            case "path_hexes":
                return board.path_hexes.get(key, ())
            case "side_feature" | "path":
                return self.side_slots(self.bit_sides(category, key))
            case "mark":
                return self.marked_subjects(owner, state.marks[key])
            case "partner":
                return [right if name == "left" else left for left, right in state.pairs[owner].payload]
            case _:
                raise NotRepresentableError(category)

    def bit_sides(self, sort: str, name: str) -> Iterable[tuple[int, int]]:
        """Return the hexsides with a feature ("side_feature") or on a path."""
        if sort == "path":
            return self.board.paths.get(name, ())
        return (side for side, features in self.board.sides.items() if name in features)

    def marked_subjects(self, owner: str, subjects: Iterable[Value]) -> Iterable[int]:
        """Return the marked subjects; pieces of another kind than the owner of the status are left out."""
        if owner in self.vocabulary.kinds:
            return [p for p in subjects if self.state.kind[p] == owner]
        if owner == "hexside":
            return self.side_slots(subjects)
        return (
            [h for h in subjects if h >= 0] if owner == "hex" else [self.memory.enum_member(word) for word in subjects]
        )

    def side_slots(self, sides: Iterable[tuple[int, int]]) -> list[int]:
        """Return the indexes of hexsides in the concatenated neighbor lists of all hexes."""
        first = self.first_slots
        return [first[a] + self.board.beside[a].index(b) for a, b in sides if b in self.board.beside[a]]

    @cached_property
    def first_slots(self) -> list[int]:
        """Return the index at which the neighbor list of each hex begins, and the end of the last.

        Raises `NotRepresentableError` for more connections than the layout has slots.
        """
        first = [0]
        for h in range(self.board.size):
            first.append(first[-1] + len(self.board.beside[h]))
        if first[-1] > self.memory.layout.bitset_words("slot") * 64:
            raise NotRepresentableError("more connections than eight a space")
        return first

    def write_elements(self, array: Array, category: str, key: str) -> None:
        """Store one value per index, or the code for absence; `NotRepresentableError` for an unknown category."""
        wide = array.element in ("i64", "ratio")
        below = BELOW if array.index == "hex" else 0
        match category:
            case "next_at" | "first_at":
                self.write_chains(array)
                return
            case "hex":
                numbers = self.state.hex
            case "regained":
                numbers = [sheet.recovered_steps for sheet in self.state.sheets]
            case "written":
                records = graph.Many("list", graph.RecordOf(key))
                numbers = [self.memory.encode(self.state.records[key], records, "")]
            case "spot":
                numbers = [self.place_number(key)]
            case _:
                values, type_ = self.values_of(array, category, key)
                # An array has one type and few distinct values.
                codes: dict[Value, int] = {None: ABSENT64 if wide else ABSENT32}
                for value in values:
                    if value not in codes:
                        codes[value] = self.encode(value, type_, array)
                numbers = [codes[value] for value in values]
        self.store(array.base - below * (8 if wide else 4), numbers, wide)

    def encode(self, value: Value, type_: graph.Type, array: Array) -> int:
        """Return the code of a value in an array, whose element type decides whether it holds ratios."""
        if isinstance(type_, graph.Number | graph.Scale):
            return encode_number(value, is_ratio=array.element == "ratio")
        return self.memory.encode(value, type_, array.name)

    def values_of(self, array: Array, category: str, key: str) -> tuple[Sequence[Value], graph.Type]:
        """Return the values of an array, from its first element on, and their type."""
        state, board, sheets = self.state, self.board, self.state.sheets
        match category:
            case "side" | "kind" | "place":
                return getattr(state, category), WORD
            case "counter":
                return [sheet.counter for sheet in sheets], WORD
            case "came_as":
                return [sheet.original_counter or sheet.counter for sheet in sheets], WORD
            case "area":
                return [sheet.area for sheet in sheets], HEXES
            case "arrives":
                return [sheet.arrives for sheet in sheets], BARE
            case "hex_name":
                return [""] * BELOW + list(board.names[: board.size]), WORD
            case "hex_board":
                return [""] * BELOW + list(board.part[: board.size]), WORD
            case "hex_boards":
                return [()] * BELOW + list(board.boards[: board.size]), WORD_SET
            case "printed":
                type_ = next(p.type for kind in self.vocabulary.kinds.values() for p in kind.printed if p.name == key)
                return [printed.get(key) for printed in state.printed], type_
            case "track":
                return self.track_values(array, key), self.vocabulary.tracks[key].type
            case "fact":
                return [state.fact(key)], self.type_of_fact(key)
            case _:
                raise NotRepresentableError(array.name)

    def track_values(self, array: Array, key: str) -> list[Value]:
        """Return the values of a track of pieces, also those that procedures create, of hexes or of members."""
        changed = self.state.tracks[key]
        begin, end = {
            "piece": (0, self.memory.layout.pieces),
            "hex": (BELOW, self.board.size),
            "enum": (0, len(self.memory.enum_members)),
        }[array.index]
        initial = self.state.frame.initial[key]
        values = [changed.get(OFF_MAP, initial)] * begin + [initial] * end
        for subject, value in changed.items():
            index = subject if isinstance(subject, int) else self.memory.rank.get(str(subject), end)
            if 0 <= index < end:
                values[begin + index] = value
        return values

    def type_of_fact(self, key: str) -> graph.Type:
        """Return the type of a track of the game or the scenario."""
        declared = self.vocabulary.tracks.get(key)
        return declared.type if declared else CLOCK[key.partition(".")[2]]

    def place_number(self, key: str) -> int:
        """Return the index of a hex, region or piece by name, or the code for absence."""
        kind, _, name = key.partition(":")
        if kind == "hex":
            return self.board.index.get(name, ABSENT32)
        if kind == "region":
            found = self.board.regions.get(name)
            return ABSENT32 if found is None else self.memory.encode(found, HEXES, "")
        return next((index for index, sheet in enumerate(self.state.sheets) if sheet.name == name), ABSENT32)

    def write_chains(self, array: Array) -> None:
        """Store the linked lists of the pieces in each hex, in order."""
        if array.name == "first_at":
            self.store(array.base - 4 * BELOW, [-1] * BELOW, wide=False)
            self.store(array.base, [self.state.at.get(h, (-1,))[0] for h in range(self.board.size)], wide=False)
            return
        following = [-1] * len(self.state.sheets)
        for pieces in self.state.at.values():
            for piece, next_piece in pairwise(pieces):
                following[piece] = next_piece
        self.store(array.base, following, wide=False)

    def write_pairs(self, array: Array, relation: str) -> None:
        """Store the pairs of a relation in order: a count and the addresses of masks, then left, right and payload.

        Raises `NotRepresentableError` for more than `MOST_PAIRS` pairs per piece.
        """
        payloads = self.state.pairs[relation].payload
        if len(payloads) > self.memory.layout.pieces * MOST_PAIRS:
            raise NotRepresentableError(f"{len(payloads)} pairs")
        declared = self.vocabulary.relations[relation].payload
        masks = (self.memory.layout.arrays[mask].base for mask in partner_masks(array.name))
        struct.pack_into("<iiii", self.memory.bytes, array.base, len(payloads), 0, *masks)
        for number, (left, right) in enumerate(sorted(payloads), 1):
            value = ABSENT64
            if declared is not None:
                value = self.memory.encode(payloads[left, right], declared.type, f"pairs:{relation}")
            struct.pack_into("<iiq", self.memory.bytes, array.base + 16 * number, left, right, value)

    def map_array(self, array: Array, key: str) -> None:
        """Store a map array that library functions use; `NotRepresentableError` for an unknown one."""
        board = self.board
        match key:
            case "all":
                self.write_bits(array, range(board.size))
            case "x" | "y":
                place = 0 if key == "x" else 1
                self.store(array.base, [point[place] for point in board.doubled[: board.size]], wide=False)
                self.store(array.base - 4 * BELOW, [board.doubled[-1][place]] * BELOW, wide=False)
            case "sheet":
                self.store(array.base, [board.sheet_of.get(h, -1) for h in range(board.size)], wide=False)
            case "slots":
                self.store(array.base, self.first_slots, wide=False)
            case "beside":
                self.store(array.base, [b for h in range(board.size) for b in board.beside[h]], wide=False)
            case "near" | "around":
                self.write_rows(array, board.beside if key == "near" else board.around)
            case "neighbor":
                self.store(array.base, [b for h in range(board.size) for b in board.neighbors[h]], wide=False)
                self.store(array.base - 24 * BELOW, [OFF_MAP] * 6 * BELOW, wide=False)
            case "by_place":
                self.store(array.base, self.hexes_by_place(), wide=False)
            case "size":
                self.store(array.base, [board.size], wide=False)
            case "far":
                self.store(array.base, [self.distances], wide=False)
            case _:
                raise NotRepresentableError(array.name)

    def write_rows(self, array: Array, rows: Sequence[Iterable[int]]) -> None:
        """Store a set of hexes for each hex."""
        size = self.memory.layout.bitset_words("hex") * 8
        for h in range(self.board.size):
            data = sum(1 << b for b in rows[h]).to_bytes(size, "little")
            self.memory.bytes[array.base + h * size : array.base + (h + 1) * size] = data

    def hexes_across(self, sides: Iterable[tuple[int, int]]) -> list[set[int]]:
        """Return for each hex the hexes across those of its sides that are given."""
        rows: list[set[int]] = [set() for _ in range(self.board.size)]
        for a, b in sides:
            if b in self.board.beside[a]:
                rows[a].add(b)
                rows[b].add(a)
        return rows

    def hexes_by_place(self) -> list[int]:
        """Return an open-addressing hash table of hexes by coordinate, for `$hex_at` of compiler/wasm/sightline.wat."""
        slots = [-1] * (self.memory.layout.hexes * MOST_SLOTS)
        for h in self.board.hex_at_point.values():
            x, y = self.board.doubled[h]
            slot = ((x * 73856093 ^ y * 19349663) & 0x7FFFFFFF) % len(slots)
            while slots[slot] >= 0:
                slot = (slot + 1) % len(slots)
            slots[slot] = h
        return slots

    def write_distances(self) -> int:
        """Append the matrix of distances between all spaces and return its address."""
        size = self.board.size
        rows = [min(self.board.far[a][b], FAR) for a in range(size) for b in range(size)]
        return self.memory.append(struct.pack(f"<{len(rows)}i", *rows))
