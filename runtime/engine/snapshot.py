"""Decoding of positions from the memory of a module: the inverse of `image`.

In: a reader, and the state that was encoded. Out: a new state. Parts without an array in the module are taken from the
encoded state, as the module neither reads nor writes them.
"""

from runtime.engine.values import MemoryReader
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT32, ABSENT64, BELOW, Array
from runtime.graph.operators.numbers import BARE
from runtime.graph.predeclared_types import CLOCK
from runtime.state import change
from runtime.state.default_counter import default_counter
from runtime.state.position import State
from runtime.state.record import Pairs, Record, Value


class MemorySnapshot:
    """A decoder of one position."""

    def __init__(self, reader: MemoryReader, opening: State, pieces: int) -> None:
        """Store the source; `pieces` is the current number of pieces."""
        self.reader = reader
        self.layout = reader.memory.layout
        self.opening = opening
        self.pieces = pieces
        self.records: dict[int, Record] = {}

    def read(self) -> State:
        """Return the position as a new state, based on the opening."""
        state = self.opening.copy()
        self.read_pieces(state)
        state.amended = {}
        vocabulary = state.graph.vocabulary
        for name in vocabulary.records:
            array = self.layout.arrays.get(f"written:{name}")
            if array is not None:
                state.records[name] = self.decode(
                    self.read_int32(array.base), graph.Many("list", graph.RecordOf(name)), ""
                )
        for array in self.layout.arrays.values():
            category, _, key = array.name.partition(":")
            match category:
                case "mark":
                    state.marks[key] = frozenset(self.marked_subjects(array, key.partition(".")[0]))
                case "track":
                    state.tracks[key] = self.read_track(array, key)
                case "fact":
                    self.read_fact(state, array, key)
                case "pairs":
                    state.pairs[key] = self.read_pairs(array, vocabulary.relations[key])
                case _:
                    pass
        return state

    def read_pieces_and_clock(self) -> State:
        """Return the position of the pieces, with the clock, as a new state; all else is as in the opening."""
        state = self.opening.copy()
        self.read_pieces(state)
        for field in change.CLOCK_FIELDS:
            key = f"game.{field}"
            if array := self.layout.arrays.get(f"fact:{key}"):
                self.read_fact(state, array, key)
        return state

    def read_int32(self, address: int) -> int:
        """Return the signed 32-bit integer at an address."""
        return int.from_bytes(self.reader.view[address : address + 4], "little", signed=True)

    def decode(self, raw: int, type_: graph.Type, slot: str) -> Value:
        """Return the value that a word encodes, None if it is absent; equal record addresses give the same record."""
        match type_:
            case graph.RecordOf(name) if raw not in (ABSENT64, ABSENT32):
                return self.read_record(raw, name)
            case graph.Many(_, graph.RecordOf(name)) if raw not in (ABSENT64, ABSENT32):
                count = self.read_int32(raw)
                return tuple(
                    self.read_record(self.reader.read_int64(raw + 8 + 8 * index), name) for index in range(count)
                )
            case _:
                return None if raw == ABSENT32 else self.reader.decode(raw, type_, slot)

    def read_record(self, address: int, name: str) -> Record:
        """Return the record at an address, of the record type `name`; memoized by address."""
        found = self.records.get(address)
        if found is None:
            found = self.records[address] = Record(name, address, {})
            for index, part in enumerate(self.opening.graph.vocabulary.records[name].fields):
                value = self.decode(self.reader.read_int64(address + 8 * index), part.type, f"{name}.{part.name}")
                if value is not None:
                    found.fields[part.name] = value
        return found

    def read_element(self, array: Array, index: int, type_: graph.Type) -> Value:
        """Return an element of an array; None if it is absent."""
        wide = array.element in ("i64", "ratio")
        raw = self.reader.read_int64(array.base + 8 * index) if wide else self.read_int32(array.base + 4 * index)
        if wide and isinstance(type_, graph.Number | graph.Scale):
            # The element type of the array decides whether it holds ratios.
            return self.reader.read_number(raw, is_ratio=array.element == "ratio")
        return self.decode(raw, type_, array.name)

    def read_bits(self, array: Array) -> list[int]:
        """Return the members of a bit set, as ascending indices of its index space."""
        size = self.layout.bitset_words(array.index) * 8
        found = int.from_bytes(self.reader.view[array.base : array.base + size], "little")
        return [each for each in range(size * 8) if found >> each & 1]

    def read_pieces(self, state: State) -> None:
        """Decode the pieces: their faces, recovered steps and places."""
        arrays = self.layout.arrays
        names, regained = self.reader.memory.enum_members, arrays.get("regained")
        for piece in range(len(state.sheets), self.pieces):
            kind, side = (names[self.read_int32(arrays[each].base + 4 * piece)] for each in ("kind", "side"))
            came_as = names[self.read_int32(arrays["came_as"].base + 4 * piece)]
            change.create(state, default_counter(state, kind, side, came_as))
        sheets = list(state.sheets)
        for piece in range(self.pieces):
            counter = names[self.read_int32(arrays["counter"].base + 4 * piece)]
            if counter != sheets[piece].counter:
                sheets[piece] = change.other_face(state, sheets[piece], counter)
            if regained:
                steps = self.read_int32(regained.base + 4 * piece)
                sheets[piece] = sheets[piece]._replace(recovered_steps=steps)
            space = self.read_int32(arrays["hex"].base + 4 * piece)
            place = names[self.read_int32(arrays["place"].base + 4 * piece)]
            if (space, place) != (state.hex[piece], state.place[piece]):
                change.SETTERS["move"](state, "", piece, (space, place))
        state.sheets = tuple(sheets)
        state.traits = tuple(each.traits for each in state.sheets)
        state.printed = tuple(each.printed for each in state.sheets)

    def marked_subjects(self, array: Array, owner: str) -> list[Value]:
        """Return the subjects of a status: by its owner hexsides, indices of pieces or hexes, or members."""
        found = self.read_bits(array)
        if owner == "hexside":
            return [self.side_of(slot) for slot in found]
        if owner in self.opening.graph.vocabulary.kinds or owner == "hex":
            return list(found)
        return [self.reader.memory.enum_members[each] for each in found]

    def side_of(self, slot: int) -> tuple[int, int]:
        """Return the hexside of a slot."""
        first = self.layout.arrays["board:slots"].base
        h = next(h for h in range(self.opening.board.size) if slot < self.read_int32(first + 4 * (h + 1)))
        other = self.read_int32(self.layout.arrays["board:beside"].base + 4 * slot)
        return (h, other) if h < other else (other, h)

    def read_track(self, array: Array, key: str) -> dict[Value, Value]:
        """Return the values of a track by subject, without those that equal the initial value."""
        type_ = self.opening.graph.vocabulary.tracks[key].type
        initial = self.opening.frame.initial[key]
        subjects: list[tuple[int, Value]]
        match array.index:
            case "piece":
                kind = key.partition(".")[0]
                subjects = [(p, p) for p in range(self.pieces) if self.kind_of(p) == kind]
            case "hex":
                subjects = [(h, h) for h in range(-BELOW, self.opening.board.size)]
            case _:
                subjects = list(enumerate(self.reader.memory.enum_members))
        values = {subject: self.read_element(array, index, type_) for index, subject in subjects}
        return {subject: value for subject, value in values.items() if value != initial and value is not None}

    def kind_of(self, piece: int) -> str:
        """Return the kind of a piece."""
        return self.reader.memory.enum_members[self.read_int32(self.layout.arrays["kind"].base + 4 * piece)]

    def read_fact(self, state: State, array: Array, key: str) -> None:
        """Decode a track of the game or scenario, or a field of the clock."""
        field = key.partition(".")[2]
        declared = state.graph.vocabulary.tracks.get(key)
        type_ = declared.type if declared else CLOCK.get(field, BARE)
        value = self.read_element(array, 0, type_)
        if key.startswith("game.") and field in change.CLOCK_FIELDS:
            setattr(state, field, value)
        elif declared is not None:
            state.facts[key] = value

    def read_pairs(self, array: Array, relation: graph.Relation) -> Pairs:
        """Return the pairs of a relation with their payloads."""
        payloads: dict[tuple[int, int], Value] = {}
        for number in range(self.read_int32(array.base)):
            place = array.base + 16 * (number + 1)
            value = None
            if relation.payload is not None:
                raw = self.reader.read_int64(place + 8)
                value = self.decode(raw, relation.payload.type, f"pairs:{relation.name}")
            payloads[self.read_int32(place), self.read_int32(place + 4)] = value
        return change.pairs_of(payloads)
