"""The cost model: estimates of the evaluation time of expressions, in rough nanoseconds.

In: expressions. Out: costs, by which expressions are selected for sharing or memoization.
The cost of a fold is the cost of its body times the usual cardinality of its source (Selinger et al. 1979, Access Path
Selection in a Relational Database, does so for joins).
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.rewriting import child_expressions
from compiler.core.representation import PIECE, RATIO
from compiler.core.sharing import Memo

OF_PRIMITIVES = {
    Primitive.LINE: 30.0, Primitive.WITHIN: 1500.0, Primitive.ALL_HEXSIDES: 5000.0,
    Primitive.TOUCHING: 3000.0, Primitive.DISTANCE: 6.0, Primitive.BETWEEN: 2.0,
    Primitive.TOWARD: 40.0, Primitive.SPAN: 40.0, Primitive.SET_OF: 15.0, Primitive.UNION: 15.0,
    Primitive.DIFFERENCE: 15.0, Primitive.INTERSECTION: 15.0, Primitive.PIECES_AT: 20.0, Primitive.ENDS: 15.0,
    Primitive.PIECES_ON_MAP: 15.0, Primitive.PIECES_IN_RESERVE: 15.0, Primitive.BEYOND: 30.0, Primitive.EDGE: 20.0,
    Primitive.DIVIDE: 20.0, Primitive.TO_RATIO: 15.0,
    Primitive.MULTIPLY: 4.0, Primitive.FLOOR_DIVIDE: 6.0, Primitive.CEILING_DIVIDE: 6.0,
}  # fmt: skip
SIZE_OF_DOMAIN = {
    Primitive.MASK: 15.0, Primitive.PIECES_IN: 3.0,
    Primitive.PIECES_AT: 2.0, Primitive.PIECES_ON_MAP: 40.0, Primitive.PIECES_IN_RESERVE: 20.0,
    Primitive.ALL_HEXES: 500.0, Primitive.NEIGHBORS: 6.0, Primitive.BESIDE: 6.0, Primitive.ACROSS: 3.0,
    Primitive.WITHIN: 20.0, Primitive.LINE: 6.0, Primitive.ENDS: 2.0, Primitive.WRITTEN_RECORDS: 8.0,
    Primitive.ALL_HEXSIDES: 1500.0,
}  # fmt: skip
OTHERWISE = 10.0  # Members of any other collection.
OF_RATIOS, OF_PAIRS, OF_SIDES, OF_CALLS, OF_TABLES, OF_SEARCHES = 20.0, 15.0, 12.0, 4.0, 8.0, 50_000.0
HEXES_REACHED = 100.0
ENDLESS = 1e6


class Costs:
    """The cost model of a module; the costs of functions are computed on first use and memoized."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Start with no function estimated."""
        self.functions = functions
        self.known: dict[str, float] = {}

    def function_cost(self, name: str) -> float:
        """Return the estimated cost of one call of a function; a recursive one is unbounded."""
        if name not in self.known:
            self.known[name] = ENDLESS
            self.known[name] = self.cost_of(self.functions[name].body)
        return self.known[name]

    def cost_of(self, node: Core) -> float:
        """Return the estimated cost of an expression."""
        match node:
            case ir.If(condition, then, orelse):
                return 1.0 + self.cost_of(condition) + (self.cost_of(then) + self.cost_of(orelse)) / 2
            case ir.Fold(_, _, source, filter_condition, body, default):
                each = 2.0 + sum(self.cost_of(part) for part in (filter_condition, body) if part is not None)
                rest = 0.0 if default is None else self.cost_of(default)
                return self.cost_of(source) + self.member_count(source) * each + rest
            case ir.Reachable(_, start, following):
                return self.cost_of(start) + HEXES_REACHED * self.cost_of(following)
            case ir.Call(name, arguments):
                return OF_CALLS + self.function_cost(name) + sum(map(self.cost_of, arguments))
            case Memo():
                return OF_CALLS + OF_TABLES
            case _:
                return _own_cost(node) + sum(map(self.cost_of, child_expressions(node)))

    def member_count(self, source: Core) -> float:
        """Return the estimated cardinality of a collection."""
        match source:
            case Apply(primitive) if primitive in SIZE_OF_DOMAIN:
                return SIZE_OF_DOMAIN[primitive]
            case Apply(Primitive.INTERSECTION, operands):
                return min(map(self.member_count, operands)) / 2
            case Apply(Primitive.UNION | Primitive.DIFFERENCE, operands):
                return self.member_count(operands[0])
            case ir.Reachable():
                return HEXES_REACHED
            case ir.Members(elements):
                return float(len(elements))
            case ir.Fold(_, _, inner):
                return self.member_count(inner)
            case _:
                return OTHERWISE


def _own_cost(node: Core) -> float:
    """Return the estimated cost of a node without its operands."""
    match node:
        case Apply(primitive, operands, representation):
            ratios = representation == RATIO or any(each.representation == RATIO for each in operands)
            return OF_PRIMITIVES.get(primitive, OF_RATIOS if ratios else 1.0)
        case ir.Partners() | ir.Payload():
            return OF_PAIRS
        case ir.SideBit():
            return OF_SIDES
        case ir.TableLookup():
            return OF_TABLES
        case ir.Cheapest():
            return OF_SEARCHES
        case ir.Local() | ir.Const() | ir.EnumConst():
            return 0.0
        case _:
            return 2.0 if node.representation == PIECE else 1.5
