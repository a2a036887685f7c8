"""The memory layout of a compiled module.

In: a graph and the size of a situation. Out: a `Layout`, whose addresses the compiler emits as constants, and by which
the engine encodes positions. All addresses are byte offsets in linear memory. The index spaces:

  piece  one element per piece      hex    one per hex, with `BELOW` elements before the first, for pieces off the map
  enum   one per member of any enumeration             slot   one per side of a hex (a directed neighbor relation)
  ""     one element

Elements are `i32` (truth values, indices, references), `i64` (whole numbers, ratios), or `bits`: one bit an index.
"""

from collections.abc import Iterable
from itertools import chain

from runtime.graph import nodes as graph
from runtime.graph.count_layout import CountLayout
from runtime.graph.frozen_dataclass import frozen_dataclass

FIRST_ADDRESS = 1024  # Where arrays begin; the helpers of a module have what lies before.
ABSENT32 = -(1 << 31)
ABSENT64 = -(1 << 63)
BELOW = 4  # A piece that is not on the map stands in hex -1 to -4.
RATIO_BITS = 32  # Numerator above, denominator below.
SIDE_BITS = 16  # The first hex of a hexside above, the second below.
MOST_PAIRS = 2  # Related pairs a piece, for each relation.
MOST_SLOTS = 8  # Neighbors a hex, on average: as many as a square has.
# The encodings of options in the log of choices: a value, a ratio, no loggable value, or the index of a record in the
# list of its type, whose address the module has.
PLAIN_WORD, RATIO_NUMBER, UNLOGGED, RECORD_PLACE = range(4)


@frozen_dataclass
class Array:
    """A part of the position. `element` is i32, i64, ratio or bits; `rows` bit sets have one set for each index."""

    name: str
    index: str
    element: str
    base: int


@frozen_dataclass
class Site:
    """An offer or choice in the code: its question, the type of its options, and its procedure.

    `actions` are those of an offer, by number; for a choice `member` is "hex", "piece" or "" for other types.
    """

    question: str
    actions: tuple[str, ...]
    member: str
    procedure: str


# The name prefixes of constant arrays.
STANDING = frozenset({
    "across", "board", "hex_name", "hex_board", "hex_boards", "feature", "path_hexes", "side_feature", "path", "spot",
})  # fmt: skip

# The name prefixes of arrays with epochs of last changes, which are no part of a position.
LAST_CHANGES = frozenset({"version", "touched"})
CHANGES = 2


@frozen_dataclass
class Layout:
    """The addresses. Members of enumerations are in canonical order; those that a position adds follow.

    `fractional` are the slots whose numbers are ratios: a term, `term(parameter)`, `record.field`, `pairs:relation`;
    for an array its element type decides. Arrays from `changing` on are mutable, those from `changes` on hold the epoch
    of the last change of a part. `sites` are the offers and choices. `counts`: where the use of rules is recorded.
    """

    pieces: int
    hexes: int
    enum_capacity: int
    enum_members: tuple[str, ...]
    arrays: dict[str, Array]
    fractional: frozenset[str]
    constants: int
    heap: int
    changing: int
    changes: int
    sites: tuple[Site, ...] = ()
    counts: CountLayout | None = None

    def bitset_words(self, index: str) -> int:
        """Return the number of 64-bit words of a bit set over an index space."""
        return size_of(index, self.pieces, self.hexes, self.enum_capacity) // 64


def size_of(index: str, pieces: int, hexes: int, words: int) -> int:
    """Return the number of elements of an array over an index space, without those before the first."""
    return {"piece": pieces, "hex": hexes, "enum": words, "slot": hexes * MOST_SLOTS, "": 1}[index]


def round_to_words(size: int) -> int:
    """Return a number of indices, rounded up to whole 64-bit words; at least 64."""
    return max(64, (size + 63) // 64 * 64)


def enum_members_in_order(vocabulary: graph.Vocabulary, others: Iterable[str], line: Iterable[str]) -> tuple[str, ...]:
    """Return all members of enumerations: those ordered by `line`, then the others by name."""
    ranked = tuple(dict.fromkeys(line))
    known = set(ranked)
    rest = {*chain(vocabulary.kinds, (flag.name for flag in vocabulary.flags.values() if flag.what == "place"), others)}
    return (*ranked, *sorted(rest - known))


def lay_out(
    uses: dict[str, tuple[str, str]],
    pieces: int,
    hexes: int,
    enum_capacity: int,
    words: tuple[str, ...],
    fractional: frozenset[str],
) -> Layout:
    """Assign addresses to arrays. `uses` holds index space and element type by name."""
    arrays: dict[str, Array] = {}
    address = FIRST_ADDRESS
    changing = changes = 0
    for name, (index, element) in sorted(uses.items(), key=lambda each: (_array_section(each[0]), each[0])):
        changing = changing or (0 if _is_constant_array(name) else address)
        changes = changes or (address if _array_section(name) == CHANGES else 0)
        count = size_of(index, pieces, hexes, enum_capacity)
        below = BELOW if index == "hex" else 0
        wide = {"i32": 4, "i64": 8, "ratio": 8, "pair": 16, "six": 24}.get(element)
        if element == "pair":
            count = count * MOST_PAIRS + 1
        if element == "bits":
            size = count // 8
            first = address
        elif element.startswith("rows:"):
            wide = size_of(element.removeprefix("rows:"), pieces, hexes, enum_capacity) // 8
            first, size = address + below * wide, (count + below) * wide
        else:
            assert wide is not None
            first, size = address + below * wide, (count + below) * wide
        arrays[name] = Array(name, index, element, first)
        address += (size + 7) // 8 * 8
    return Layout(
        pieces,
        hexes,
        enum_capacity,
        words,
        arrays,
        fractional,
        address,
        address,
        changing or address,
        changes or address,
    )


def partner_masks(array: str) -> tuple[str, ...]:
    """Return the bit sets of the pieces with a left and with a right partner, for an array of pairs; else none."""
    sort, _, relation = array.partition(":")
    return (f"partner:{relation}.left", f"partner:{relation}.right") if sort == "pairs" else ()


def _array_section(array: str) -> int:
    """Return the section of an array: constants, position, or epochs of last changes."""
    return CHANGES if array.partition(":")[0] in LAST_CHANGES else int(not _is_constant_array(array))


def _is_constant_array(array: str) -> bool:
    """Return whether an array is constant during games."""
    return array.partition(":")[0] in STANDING
