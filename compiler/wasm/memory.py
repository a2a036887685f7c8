"""Compute the arrays that a core module reads, the layout that holds them, and the constants that follow it.

In: functions and procedures of the core. Out: the arrays with their element types, and addresses of constants.
"""

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from compiler.core import ir
from compiler.core.representation import (
    EnumMember,
    Hex,
    Int,
    Piece,
    Ratio,
    Representation,
    Set,
    is_bit_set,
)
from compiler.wasm.validity import AnswerValidity
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT64, RATIO_BITS, Layout

if TYPE_CHECKING:
    from compiler.wasm.counting import CountWriter

# Arrays that helpers read for any map, and for pieces.
ARRAYS_OF_MEMORY: dict[str, tuple[str, str]] = {
    "board:x": ("hex", "i32"),
    "board:y": ("hex", "i32"),
    "board:all": ("hex", "bits"),
    "board:sheet": ("hex", "i32"),
    "board:slots": ("hex", "i32"),
    "board:beside": ("slot", "i32"),
    "board:near": ("hex", "rows:hex"),
    "board:around": ("hex", "rows:hex"),
    "board:neighbor": ("hex", "six"),
    "board:by_place": ("slot", "i32"),
    "board:size": ("", "i32"),
    "board:far": ("", "i32"),
    "first_at": ("hex", "i32"),
    "next_at": ("piece", "i32"),
    "on_map": ("piece", "bits"),
    "reserve": ("piece", "bits"),
    "hex": ("piece", "i32"),
}
OF_HEXES = ("feature", "path_hexes")
OF_SLOTS = ("side_feature", "path")
OF_PIECES = ("kind", "trait", "face", "gone", "off", "printed", "partner")


def used_arrays(nodes: Iterable[Any], vocabulary: graph.Vocabulary) -> dict[str, tuple[str, str]]:
    """Return the arrays that core nodes read, each with the type of its index and of its elements."""
    found = dict(ARRAYS_OF_MEMORY)
    for node in nodes:
        match node:
            case ir.Load(array, _, representation):
                found[array] = (index_type(array, vocabulary), element_type(representation))
            case ir.Present(array):
                found.setdefault(array, (index_type(array, vocabulary), "?"))
            case ir.Bit(array, _) | ir.SideBit(array, _):
                found[array] = (index_type(array, vocabulary), "bits")
            case ir.Partners(relation) | ir.Payload(relation):
                found[f"pairs:{relation}"] = ("piece", "pair")
            case ir.Apply(ir.Primitive.WRITTEN_RECORDS, _, _, name):
                found[f"written:{name}"] = ("", "i32")
            case ir.Apply(ir.Primitive.MASK, _, _, name):
                found[name] = (index_type(name, vocabulary), "bits")
            case ir.Apply(ir.Primitive.ACROSS, _, _, name):
                found[f"across:{name}"] = ("hex", "rows:hex")
            case ir.Apply(_, _, Set(Piece()), kinds) if kinds:
                found |= {f"kind:{kind}": ("piece", "bits") for kind in kinds.split(",")}
            case _:
                pass
    return found


def index_type(array: str, vocabulary: graph.Vocabulary) -> str:
    """Return the type of the index of an array."""
    sort, _, key = array.partition(":")
    owner = key.partition(".")[0]
    if sort in OF_HEXES or array in ("hex_name", "hex_board", "hex_boards"):
        return "hex"
    if sort in OF_SLOTS:
        return "slot"
    if (
        sort in OF_PIECES
        or sort == "printed"
        or array in ("hex", "side", "kind", "counter", "came_as", "regained", "place", "area", "arrives")
    ):
        return "piece"
    if sort in ("fact", "spot", "written"):
        return ""
    if owner in vocabulary.kinds:
        return "piece"
    return {"hex": "hex", "hexside": "slot"}.get(owner, "enum")


def element_type(representation: Representation) -> str:
    """Return how values of a representation are stored."""
    return {Int: "i64", Ratio: "ratio"}.get(type(representation), "i32")


class ConstantPool:
    """The layout of a module with its constants, which are allocated behind it on demand."""

    def __init__(self, layout: Layout, validity: AnswerValidity, counts: "CountWriter | None" = None) -> None:
        """Start a pool without constants; `counts` places what is recorded of the use of rules."""
        self.layout = layout
        self.validity = validity
        self.rank = {word: index for index, word in enumerate(layout.enum_members)}
        self.data: list[tuple[int, bytes]] = []
        self.counts = counts
        self.end_address = counts.reserve(layout, layout.constants) if counts else layout.constants
        self.known: dict[bytes, int] = {}
        self.has_one_map = False  # Whether what code remembers of the map stays right in an instance of the module.

    def address_of(self, array: str) -> int:
        """Return the address of an array."""
        return self.layout.arrays[array].base

    def store(self, data: bytes) -> int:
        """Store constant bytes and return their address; equal bytes are stored once."""
        if data not in self.known:
            self.known[data] = self.end_address
            self.data.append((self.end_address, data))
            self.end_address += (len(data) + 7) // 8 * 8
        return self.known[data]

    def reserve(self, size: int) -> int:
        """Reserve bytes that are 0 at instantiation and that are not part of a position; return their address."""
        address = self.end_address
        self.end_address += (size + 7) // 8 * 8
        return address

    def encode(self, constant: ir.Const | ir.EnumConst) -> int:
        """Encode a constant as an integer."""
        match constant:
            case ir.EnumConst(word):
                return self.rank[word]
            case ir.Const((numerator, denominator)):
                return numerator << RATIO_BITS | denominator
            case ir.Const(value):
                assert isinstance(value, int)
                return value

    def store_members(self, constant: ir.Members) -> int:
        """Store a constant set or sequence; return its address."""
        numbers = [self.encode(element) for element in constant.elements]
        if is_bit_set(constant.representation):
            assert isinstance(constant.representation, Set)
            size = self.bitset_words(constant.representation.element) * 8
            return self.store(sum(1 << number for number in numbers).to_bytes(size, "little"))
        return self.store(struct.pack(f"<q{len(numbers)}q", len(numbers), *numbers))

    def store_array(self, cells: tuple[ir.Const | ir.EnumConst | None, ...]) -> int:
        """Store an array of constants, where None is absent; return its address."""
        return self.store(
            struct.pack(f"<{len(cells)}q", *(ABSENT64 if cell is None else self.encode(cell) for cell in cells))
        )

    def store_domain(self, values: tuple[int | str, ...]) -> int:
        """Store the position of each enum member in a domain, -1 for those outside it; return its address."""
        places = [-1] * self.layout.enum_capacity
        for index, word in enumerate(values):
            places[self.rank[str(word)]] = index
        return self.store(struct.pack(f"<{len(places)}i", *places))

    def bitset_words(self, representation: Representation | None) -> int:
        """Return the number of 64-bit words of a bit set of such members."""
        match representation:
            case Piece():
                return self.layout.bitset_words("piece")
            case Hex():
                return self.layout.bitset_words("hex")
            case EnumMember():
                return self.layout.bitset_words("enum")
            case _:
                raise AssertionError(representation)
