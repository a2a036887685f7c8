"""Totality: which expressions certainly have a value wherever they are evaluated.

In: an expression, and the names of pieces that are known to be on the map. Calls, loops, lazy values, rules and cells
of charts are assumed to trap, and so are values that a test around them says are present: an analysis of these, with
summaries of functions, led to the same modules.
"""

from compiler.core import ir
from compiler.core.construct import NO
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.rewriting import child_expressions
from compiler.core.representation import ENUM, INT, PIECE, Representation, Set, is_bit_set

Pieces = frozenset[str]  # Names of pieces that stand on the map.
NO_PIECES: Pieces = frozenset()
NEVER_ABSENT = {"side", "kind", "counter", "place", "area", "arrives", "hex_name", "hex_board", "hex_boards"}
ON_MAP = (Primitive.PIECES_ON_MAP, Primitive.PIECES_AT, Primitive.PIECES_IN)
TOTAL = {
    Primitive.NOT, Primitive.EQUAL, Primitive.LESS, Primitive.MEMBER, Primitive.DIFFERENCE, Primitive.INTERSECTION,
    Primitive.MINIMUM, Primitive.MAXIMUM, Primitive.FLOOR, Primitive.CEILING, Primitive.DISTANCE, Primitive.ADJACENT,
    Primitive.NEIGHBORS, Primitive.BESIDE, Primitive.ACROSS, Primitive.WITHIN, Primitive.PIECES_AT,
    Primitive.PIECES_ON_MAP, Primitive.PIECES_IN_RESERVE, Primitive.PIECES_IN, Primitive.ALL_HEXES,
    Primitive.ALL_HEXSIDES, Primitive.MASK, Primitive.WRITTEN_RECORDS,
}  # fmt: skip


def is_total(node: Core, on_map: Pieces = NO_PIECES) -> bool:
    """Return whether an expression certainly has a value, given the pieces that are known to be on the map."""
    match node:
        case ir.Load(array, index):
            is_present = array in NEVER_ABSENT or (
                array == "hex" and isinstance(index, ir.Local) and index.name in on_map
            )
            return is_present and (index is None or is_total(index, on_map))
        case Apply(primitive, operands, representation):
            return _is_total_operation(primitive, operands, representation) and all(
                is_total(operand, on_map) for operand in operands
            )
        case (
            ir.Local() | ir.Const() | ir.EnumConst() | ir.Members() | ir.If()
            | ir.Reachable() | ir.Bit() | ir.SideBit() | ir.Present() | ir.HasField()
        ):  # fmt: skip
            return all(is_total(part, on_map) for part in child_expressions(node))
        case _:
            return False


def _is_total_operation(primitive: Primitive, operands: tuple[Core, ...], representation: Representation) -> bool:
    """Return whether a primitive is defined for all operands of their representations."""
    match primitive:
        case Primitive.UNION:
            return len(operands) > 1 or not is_bit_set(representation)
        case Primitive.SET_OF:
            # A hex off the map is not a member of a bit set.
            return representation == Set(PIECE) or representation == Set(ENUM) or not is_bit_set(representation)
        case Primitive.ADD | Primitive.SUBTRACT | Primitive.NEGATE:
            return representation == INT
        case _:
            return primitive in TOTAL


def are_all_on_map(source: Core) -> bool:
    """Return whether all pieces of a set are on the map."""
    match source:
        case Apply(Primitive.DIFFERENCE, (first, _)):
            return are_all_on_map(first)
        case Apply(primitive):
            return primitive in ON_MAP
        case _:
            return False


def core_conjuncts(node: Core) -> list[Core]:
    """Split a conjunction into its operands."""
    if isinstance(node, ir.If) and node.orelse == NO:
        return [*core_conjuncts(node.condition), *core_conjuncts(node.then)]
    return [node]
