"""Keep the answers of functions that are asked again and again.

In: all functions. Out: the same; those that are asked in loops, cost much, and are asked of few things that have
indices look into a table first (memoization, Michie 1968). What reads the map alone is kept as long as the map is,
other answers as long as the position is.
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.cost import Costs
from compiler.core.passes.hoist import is_kept
from compiler.core.passes.rewriting import every
from compiler.core.representation import BOOL, ENUM, HEX, PIECE
from compiler.core.sharing import Lifetime, Memo

KEYS = (PIECE, HEX, ENUM, BOOL)
MOST_KEYS = 3
# What an answer costs at least that is kept; a look into the table costs some ten.
WORTH = {Lifetime.MAP: 40.0, Lifetime.POSITION: 150.0}
OF_THE_MAP = {"feature", "side_feature", "path", "path_hexes", "hex_name", "hex_board", "hex_boards", "spot"}
OF_THE_POSITION = {
    Primitive.PIECES_AT,
    Primitive.PIECES_ON_MAP,
    Primitive.PIECES_IN_RESERVE,
    Primitive.PIECES_IN,
    Primitive.WRITTEN_RECORDS,
}


def tabulate(functions: Mapping[str, ir.Function], *, position_stands: bool) -> dict[str, ir.Function]:
    """Keep answers; those about a position only where it stands while functions are asked."""
    costs, repeated, reading = Costs(functions), asked_in_loops(functions), OfTheMap(functions)
    done = {}
    for name, function in functions.items():
        body = function.body
        if name in repeated and has_indices(function) and is_kept(body.of):
            lifetime = Lifetime.MAP if reading.of_function(name) else Lifetime.POSITION
            lasts = position_stands or lifetime is Lifetime.MAP
            if lasts and costs.of_function(name) >= WORTH[lifetime]:
                body = Memo(function.parameters, body, lifetime, body.of)
        done[name] = ir.Function(name, function.parameters, body)
    return done


def has_indices(function: ir.Function) -> bool:
    """Say whether a function is asked of few things, all with indices."""
    return 0 < len(function.parameters) <= MOST_KEYS and all(each.of in KEYS for each in function.parameters)


def asked_in_loops(functions: Mapping[str, ir.Function]) -> set[str]:
    """List the functions that are called in loops, or by such functions."""
    found: set[str] = set()
    todo = [call for function in functions.values() for call in calls_in_loops(function.body)]
    while todo:
        name = todo.pop()
        if name not in found and name in functions:
            found.add(name)
            todo += [node.function for node in every(functions[name].body) if isinstance(node, ir.Call)]
    return found


def calls_in_loops(body: Core) -> list[str]:
    """List the functions that a body calls in loops."""
    found: list[str] = []
    for node in every(body):
        match node:
            case ir.Fold(_, _, _, where, inner):
                repeated = (where, inner)
            case ir.Cheapest():
                repeated = (node.gate, node.price)
            case _:
                continue
        for part in repeated:
            if part is not None:
                found += [each.function for each in every(part) if isinstance(each, ir.Call)]
    return found


class OfTheMap:
    """Which functions read the map and their arguments alone."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Know nothing yet."""
        self.functions = functions
        self.known: dict[str, bool] = {}

    def of_function(self, name: str) -> bool:
        """Say whether a function does."""
        if name not in self.known:
            self.known[name] = False
            self.known[name] = all(map(self.of_node, every(self.functions[name].body)))
        return self.known[name]

    def of_node(self, node: Core) -> bool:
        """Say whether a node itself does."""
        match node:
            case ir.Load(array) | ir.Present(array) | ir.Bit(array) | ir.SideBit(array):
                return array.partition(":")[0] in OF_THE_MAP and not array.startswith("spot:piece")
            case ir.Partners() | ir.HasPartner() | ir.Payload():
                return False
            case ir.Call(name):
                return self.of_function(name)
            case Apply(Primitive.MASK, _, _, name):
                return name.partition(":")[0] in OF_THE_MAP
            case Apply(primitive):
                return primitive not in OF_THE_POSITION
            case _:
                return True
