"""What a module records of the use of rules, and where.

`CountRequest` is requested of the compiler; `CountLayout` states where the module that it emits records it.
"""

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CountRequest:
    """The terms, charts and actions whose use is recorded, by name in their order, and whether shown counters are."""

    terms: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    counters: bool = False


@frozen_dataclass
class CountLayout:
    """The addresses of what a module records.

    At `bits_at` are `words` words of 64 bits. A term or chart has the bit `first_bits` if it was asked, then one for
    each of its rules that was live, or rows that were read, in the order of the graph, then one where none was. At
    `calls_at` is a number of 32 bits for each procedure, in the order of `procedures`, then for each of `steps`, the
    instructions of the sequence of play that enter a phase or call a resolution: "phase" or "do", name, phase they are
    in. At `faces_at` is a byte for each piece and member of an enumeration: whether the piece showed this counter at a
    decision; 0 where that is not recorded. `phases` are those of the offers and choices of the sequence of play, by
    site; others are in that of the position.
    """

    bits_at: int
    words: int
    first_bits: dict[str, int]
    calls_at: int
    procedures: tuple[str, ...]
    steps: tuple[tuple[str, str, str], ...]
    faces_at: int
    phases: dict[int, str]
