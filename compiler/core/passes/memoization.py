"""Memoization of functions that are called repeatedly.

In: all functions. Out: the same, where expensive functions that are called in loops and have few parameters with small
integer representations are memoized in tables (Michie 1968). An entry is valid as long as no field of the footprint of
the function has changed.
"""

from collections.abc import Iterable, Mapping

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.cost import Costs
from compiler.core.passes.footprint import compute_footprints
from compiler.core.passes.rewriting import is_storable, subexpressions
from compiler.core.representation import BOOL, ENUM, HEX, PIECE
from compiler.core.sharing import Memo
from runtime.graph.closure import transitive_closure

KEYS = (PIECE, HEX, ENUM, BOOL)
MOST_KEYS = 3
# The least cost of a function that is memoized; a lookup costs about ten.
WORTH, WORTH_OF_POSITION = 40.0, 20.0


def memoize_functions(functions: Mapping[str, ir.Function], option_functions: Iterable[str]) -> dict[str, ir.Function]:
    """Memoize functions; of those that read a position, an entry is valid until it changes (validity.py).

    `option_functions` are called repeatedly from outside the module: for each option of a choice.
    """
    costs = Costs(functions)
    repeated = called_in_loops(functions, option_functions)
    reading = compute_footprints(functions)
    memoized_functions = {}
    for name, function in functions.items():
        body = function.body
        if name in repeated and has_indices(function) and is_storable(body.representation):
            footprint = reading[name]
            worth = WORTH_OF_POSITION if footprint else WORTH
            if costs.function_cost(name) >= worth:
                body = Memo(function.parameters, body, footprint, body.representation)
        memoized_functions[name] = ir.Function(name, function.parameters, body)
    return memoized_functions


def has_indices(function: ir.Function) -> bool:
    """Return whether a function has few parameters, all of which can index a table."""
    return 0 < len(function.parameters) <= MOST_KEYS and all(
        each.representation in KEYS for each in function.parameters
    )


def called_in_loops(functions: Mapping[str, ir.Function], option_functions: Iterable[str]) -> set[str]:
    """Return the functions that are called in loops, or by such functions."""

    def called_functions(name: str) -> list[str]:
        body = functions[name].body
        return [
            each.function for each in subexpressions(body) if isinstance(each, ir.Call) and each.function in functions
        ]

    starts = {*option_functions, *(call for function in functions.values() for call in calls_in_loops(function.body))}
    return transitive_closure(starts & functions.keys(), called_functions)


def calls_in_loops(body: Core) -> list[str]:
    """Return the functions that a body calls in loops."""
    found: list[str] = []
    for node in subexpressions(body):
        match node:
            case ir.Fold(_, _, _, filter_condition, inner):
                repeated = (filter_condition, inner)
            case ir.Cheapest():
                repeated = (node.gate, node.price)
            case _:
                continue
        for part in repeated:
            if part is not None:
                found += [each.function for each in subexpressions(part) if isinstance(each, ir.Call)]
    return found
