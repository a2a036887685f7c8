"""The memory of a compiled module: where each part of a position lies.

The compiler makes a layout for a graph and a size of situation and bakes its addresses into the code; the engine writes
positions into memory by it. All addresses are bytes from the beginning of linear memory. What `index` says:

  piece  one element a piece        hex    one a hex, `BELOW` more before the first one, for whoever is off the map
  enum   one a member of any enumeration               slot   one a side of a hex (a neighbor as seen from a hex)
  ""     one element

Elements are `i32` (truth values, indices, references), `i64` (whole numbers, ratios), or `bits`: one bit an index.
"""

from collections.abc import Iterable
from itertools import chain

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass

ABSENT32 = -(1 << 31)
ABSENT64 = -(1 << 63)
BELOW = 4  # A piece that is not on the map stands in hex -1, -2 or -3.
RATIO_BITS = 32  # Numerator above, denominator below.
SIDE_BITS = 16  # The first hex of a hexside above, the second below.
MOST_PAIRS = 2  # Related pairs a piece, for each relation.
MOST_SLOTS = 6  # Neighbors a hex, on average.
# How the log of choices writes what is taken: the number that stands for it, that of a ratio, nothing that has a
# meaning later on, or the place of a record in the line of those of its type. For the last a module has the address of
# that line.
PLAIN, RATIO_NUMBER, UNLOGGED, PLACE = range(4)


@dataclass(frozen=True, slots=True)
class Array:
    """A part of the position. `element` is i32, i64, ratio or bits; `rows` bit sets have one set for each index."""

    name: str
    index: str
    element: str
    base: int


@dataclass(frozen=True, slots=True)
class Site:
    """A place that asks: its question as players are asked it, what its options stand for, and in which procedure.

    `actions` are those of an offer, by number; of a choice `member` is "hex", "piece" or "" for anything else.
    """

    question: str
    actions: tuple[str, ...]
    member: str
    procedure: str


# The first part of the names of arrays that no game changes.
STANDING = frozenset({
    "board", "hex_name", "hex_board", "hex_boards", "feature", "path_hexes", "side_feature", "path", "spot",
})  # fmt: skip

# The first part of the names of arrays that say when what changed last; they are no part of a position.
LAST_CHANGES = frozenset({"version", "touched"})
CHANGES = 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Addresses. Words stand in the order of sets of them; those that a position adds come after them.

    `fractional` are the slots whose numbers are ratios: a term, `term(parameter)`, `record.field`, `pairs:relation`;
    of an array its element says so. Arrays from `changing` on may change in play, those from `changes` on say when what
    changed last. `sites` are the places that ask.
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

    def bitset_words(self, index: str) -> int:
        """Return how many 64-bit words a bit set over an index has."""
        return size_of(index, self.pieces, self.hexes, self.enum_capacity) // 64


def size_of(index: str, pieces: int, hexes: int, words: int) -> int:
    """Return how many elements an array over an index has, without those before the first."""
    return {"piece": pieces, "hex": hexes, "enum": words, "slot": hexes * MOST_SLOTS, "": 1}[index]


def round_to_words(size: int) -> int:
    """Round a number of indices up to whole 64-bit words."""
    return max(64, (size + 63) // 64 * 64)


def enum_members_in_order(vocabulary: graph.Vocabulary, others: Iterable[str], line: Iterable[str]) -> tuple[str, ...]:
    """List all words a graph knows: those that have an order in `line`, then the others by name."""
    ranked = tuple(dict.fromkeys(line))
    known = set(ranked)
    rest = {*chain(vocabulary.kinds, (flag.name for flag in vocabulary.flags.values() if flag.what == "place"), others)}
    return (*ranked, *sorted(rest - known))


def lay_out(  # noqa: PLR0913 -- what a layout consists of
    uses: dict[str, tuple[str, str]],
    pieces: int,
    hexes: int,
    enum_capacity: int,
    words: tuple[str, ...],
    fractional: frozenset[str],
    base: int = 1024,
) -> Layout:
    """Assign each array its address. `uses` gives index and element of each by name."""
    arrays: dict[str, Array] = {}
    at = base
    changing = changes = 0
    for name, (index, element) in sorted(uses.items(), key=lambda each: (part_of(each[0]), each[0])):
        changing = changing or (0 if is_constant(name) else at)
        changes = changes or (at if part_of(name) == CHANGES else 0)
        count = size_of(index, pieces, hexes, enum_capacity)
        below = BELOW if index == "hex" else 0
        wide = {"i32": 4, "i64": 8, "ratio": 8, "pair": 16, "six": 24}.get(element)
        if element == "pair":
            count = count * MOST_PAIRS + 1
        if element == "bits":
            size = count // 8
            first = at
        elif element.startswith("rows:"):
            wide = size_of(element.removeprefix("rows:"), pieces, hexes, enum_capacity) // 8
            first, size = at + below * wide, (count + below) * wide
        else:
            assert wide is not None
            first, size = at + below * wide, (count + below) * wide
        arrays[name] = Array(name, index, element, first)
        at += (size + 7) // 8 * 8
    return Layout(pieces, hexes, enum_capacity, words, arrays, fractional, at, at, changing or at, changes or at)


def part_of(array: str) -> int:
    """Return in which part of the layout an array lies: what stands, the position, and when what changed last."""
    return CHANGES if array.partition(":")[0] in LAST_CHANGES else int(not is_constant(array))


def is_constant(array: str) -> bool:
    """Return whether no game changes an array."""
    return array.partition(":")[0] in STANDING
