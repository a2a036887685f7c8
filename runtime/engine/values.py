"""Encoding of values as integers in the memory of a module, and decoding.

In: a value, its type and the layout. Out: an integer, with appended bytes where one is not enough; and the reverse.
The encoding depends on type and layout: a member of an enumeration is its index in `Layout.enum_members`, a set a bit
set or a sequence, a number an integer or a ratio of two (`Layout.fractional`).
"""

import struct
from collections.abc import Iterable, Sequence
from fractions import Fraction

from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT64, RATIO_BITS, SIDE_BITS, Layout
from runtime.graph.literals import literal_value
from runtime.graph.operators import plain
from runtime.state.record import Record, Value

MOST_NUMERATOR = 1 << 30
MOST_WHOLE = 1 << 46
# The parts of a crossed hexside before the point where the line meets it, which is a ratio.
CROSSING_PARTS: tuple[graph.Type, ...] = (graph.Hexside(), graph.Hex(), graph.Hex(), graph.YesNo())


class NotRepresentableError(Exception):
    """Raised for a value that the layout cannot encode; the caller uses another evaluator."""


class MemoryImage:
    """The memory of a module under construction, with numbers of enumeration members and addresses of records."""

    def __init__(self, rules: graph.Graph, layout: Layout) -> None:
        """Start after the constants."""
        self.rules = rules
        self.layout = layout
        self.rank = {name: index for index, name in enumerate(layout.enum_members)}
        self.enum_members = list(layout.enum_members)
        self.bytes = bytearray(layout.heap)
        self.map_end = layout.heap  # Behind what is appended for the map, which games do not change.
        self.records: dict[Record, int] = {}
        self.record_at: dict[int, Record] = {}
        self.amended: dict[Record, dict[str, Value]] = {}
        self.collections: dict[bytes, int] = {}

    def append(self, data: bytes) -> int:
        """Append bytes and return their address."""
        address = len(self.bytes)
        self.bytes += data + bytes(-len(data) % 8)
        return address

    def enum_member(self, name: str) -> int:
        """Return the number of a member of an enumeration; one that is not in the graph comes after all others.

        Raises `NotRepresentableError` for more members than the layout has room for.
        """
        if name not in self.rank:
            if len(self.enum_members) >= self.layout.enum_capacity:
                raise NotRepresentableError(f"more than {self.layout.enum_capacity} members of enumerations")
            self.rank[name] = len(self.enum_members)
            self.enum_members.append(name)
        return self.rank[name]

    def encode(self, value: Value, type_: graph.Type, slot: str) -> int:
        """Return the word that encodes a value of a type in a slot; the address if it is stored in memory.

        Raises `NotRepresentableError` for a value or type without an encoding.
        """
        if value is None:
            return ABSENT64
        match type_:
            case graph.Number() | graph.Scale():
                return encode_number(value, is_ratio=slot in self.layout.fractional)
            case graph.Enum():
                return self.enum_member(str(value))
            case graph.Hexside():
                return int(value[0] << SIDE_BITS | value[1] & 0xFFFF)
            case graph.RecordOf():
                return self.write_record(value)
            case graph.Crossing():
                return self.append(self.write_crossing(value))
            case graph.Many(shape, member_type):
                return self.write_collection(value, shape, member_type, slot)
            case graph.YesNo() | graph.Hex() | graph.Piece():
                return int(value)
            case _:
                raise NotRepresentableError(f"a value of {type(type_).__name__}")

    def write_collection(self, value: Iterable[Value], shape: str, member_type: graph.Type, slot: str) -> int:
        """Return the word that encodes a set or list: an address; equal ones share it.

        Raises `NotRepresentableError` for a member of a set that has no index.
        """
        numbers = [self.encode(each, member_type, slot) for each in value]
        if shape == "set" and (index := _bit_set_index(member_type)):
            size = self.layout.bitset_words(index) * 8
            if any(each < 0 or each >= size * 8 for each in numbers):
                raise NotRepresentableError("a member that has no index")
            return self.append_shared(sum(1 << each for each in numbers).to_bytes(size, "little"))
        return self.append_shared(struct.pack(f"<q{len(numbers)}q", len(numbers), *numbers))

    def append_shared(self, data: bytes) -> int:
        """Return the address of a collection; equal collections share one, as they are immutable."""
        if data not in self.collections:
            self.collections[data] = self.append(data)
        return self.collections[data]

    def truncate(self, mark: int) -> None:
        """Release everything from an address on."""
        if mark == len(self.bytes):
            return
        del self.bytes[mark:]
        self.collections = {data: address for data, address in self.collections.items() if address < mark}
        for address in [address for address in self.record_at if address >= mark]:
            del self.records[self.record_at.pop(address)]

    def write_crossing(self, crossing: Sequence[Value]) -> bytes:
        """Return the parts of a crossed hexside in their order, eight bytes each; the point of crossing is a ratio."""
        *parts, points = crossing
        words = [self.encode(part, type_, "") for part, type_ in zip(parts, CROSSING_PARTS, strict=True)]
        return struct.pack("<5q", *words, encode_number(points, is_ratio=True))

    def write_record(self, record: Record) -> int:
        """Return the address of a record, which is encoded once."""
        if record not in self.records:
            declared = self.rules.vocabulary.records[record.type].fields
            values = record.fields | self.amended.get(record, {})
            numbers = [self.encode(values.get(part.name), part.type, f"{record.type}.{part.name}") for part in declared]
            address = self.append(struct.pack(f"<{len(numbers)}q", *numbers))
            self.records[record], self.record_at[address] = address, record
        return self.records[record]


class MemoryReader:
    """A decoder of values in the memory of a module."""

    def __init__(self, memory: MemoryImage, view: "memoryview | bytearray") -> None:
        """Store the numbering of members and records, and a view of the bytes."""
        self.memory = memory
        self.view = view

    def read_int64(self, address: int) -> int:
        """Return the signed 64-bit integer at an address."""
        found: int = struct.unpack_from("<q", self.view, address)[0]
        return found

    def decode(self, raw: int, type_: graph.Type, slot: str) -> Value:
        """Return the value that a word encodes; None if it is absent."""
        if raw == ABSENT64:
            return None
        match type_:
            case graph.Number() | graph.Scale():
                return _ratio_of(raw) if slot in self.memory.layout.fractional else raw
            case graph.YesNo():
                return bool(raw)
            case graph.Enum():
                return self.memory.enum_members[raw]
            case graph.Hexside():
                return (raw >> SIDE_BITS, raw & 0xFFFF)
            case graph.RecordOf(name):
                return self.read_record(raw, name)
            case graph.Crossing():
                return self.read_crossing(raw)
            case graph.CellOf(table):
                return _read_constant_cell(self.memory.rules.tables[table], raw)
            case graph.Many(shape, member_type):
                return self.read_collection(raw, shape, member_type, slot)
            case _:
                return raw

    def read_number(self, raw: int, *, is_ratio: bool) -> Value:
        """Return the number that a word encodes, None if it is absent; `is_ratio`: as a packed fraction."""
        return None if raw == ABSENT64 else _ratio_of(raw) if is_ratio else raw

    def read_collection(self, address: int, shape: str, member_type: graph.Type, slot: str) -> tuple[Value, ...]:
        """Return the members of a set or list."""
        if shape == "set" and (index := _bit_set_index(member_type)):
            size = self.memory.layout.bitset_words(index) * 8
            bits = int.from_bytes(self.view[address : address + size], "little")
            numbers = [each for each in range(size * 8) if bits >> each & 1]
        else:
            count = self.read_int64(address)
            numbers = [self.read_int64(address + 8 + 8 * each) for each in range(count)]
        return tuple(self.decode(each, member_type, slot) for each in numbers)

    def read_record(self, address: int, name: str) -> Record:
        """Return the record at an address; one that the image did not write becomes a new record."""
        known = self.memory.record_at.get(address)
        if known is not None:
            return known
        declared = self.memory.rules.vocabulary.records[name].fields
        values = {
            part.name: self.decode(self.read_int64(address + 8 * index), part.type, f"{name}.{part.name}")
            for index, part in enumerate(declared)
        }
        return Record(name, address, {key: value for key, value in values.items() if value is not None})

    def read_crossing(self, address: int) -> Crossing:
        """Return the crossing at an address."""
        side, back, over, along, share = (self.read_int64(address + 8 * index) for index in range(5))
        return Crossing((side >> SIDE_BITS, side & 0xFFFF), back, over, bool(along), Fraction(_ratio_of(share)))


def encode_number(value: Value, *, is_ratio: bool) -> int:
    """Return the word that encodes a number; `NotRepresentableError` if it is out of range."""
    if is_ratio:
        exact = Fraction(value)
        if abs(exact.numerator) > MOST_NUMERATOR or exact.denominator > MOST_NUMERATOR:
            raise NotRepresentableError(f"{value} as a ratio")
        return exact.numerator << RATIO_BITS | exact.denominator
    number = plain(value)
    if not isinstance(number, int) or abs(number) > MOST_WHOLE:
        raise NotRepresentableError(f"{value} as a whole number")
    return number


def _ratio_of(raw: int) -> int | Fraction:
    """Return the number that a word packs, the numerator above the denominator; a whole one as an int."""
    return plain(Fraction(raw >> RATIO_BITS, raw & 0xFFFFFFFF))


def _bit_set_index(member_type: graph.Type) -> str:
    """Return the index space of a bit set of such members; "" if sets of them are sequences."""
    match member_type:
        case graph.Piece():
            return "piece"
        case graph.Hex():
            return "hex"
        case graph.Enum():
            return "enum"
        case _:
            return ""


def _read_constant_cell(table: graph.Table, row: int) -> tuple[str, Value]:
    """Return kind and value of a row of constants."""
    found = table.rows[row]
    return found.kind, None if found.value is None else literal_value(found.value)
