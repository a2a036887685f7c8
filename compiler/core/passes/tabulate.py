"""Keep the answers of functions that are asked again and again.

In: all functions. Out: the same; those that are asked in loops, cost much, and are asked of few things that have
indices look into a table first (memoization, Michie 1968). An answer is kept as long as what it rests on is as it was.
"""

from collections.abc import Iterable, Mapping

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.cost import Costs
from compiler.core.passes.footprint import compute_footprints
from compiler.core.passes.hoist import is_kept
from compiler.core.passes.rewriting import subexpressions
from compiler.core.representation import BOOL, ENUM, HEX, PIECE
from compiler.core.sharing import Memo

KEYS = (PIECE, HEX, ENUM, BOOL)
MOST_KEYS = 3
# What an answer costs at least that is kept; a look into the table costs some ten.
WORTH, WORTH_OF_POSITION = 40.0, 20.0


def tabulate(
    functions: Mapping[str, ir.Function], *, position_stands: bool, option_functions: Iterable[str] = ()
) -> dict[str, ir.Function]:
    """Keep answers; those about a position only where it stands while functions are asked.

    `option_functions` are functions that are asked again and again from outside: of each option of a choice.
    """
    costs, repeated, reading = (
        Costs(functions),
        called_in_loops(functions, option_functions),
        compute_footprints(functions),
    )
    done = {}
    for name, function in functions.items():
        body = function.body
        if name in repeated and has_indices(function) and is_kept(body.of):
            footprint = reading[name]
            worth = WORTH_OF_POSITION if footprint else WORTH
            if (position_stands or not footprint) and costs.of_function(name) >= worth:
                body = Memo(function.parameters, body, footprint, body.of)
        done[name] = ir.Function(name, function.parameters, body)
    return done


def has_indices(function: ir.Function) -> bool:
    """Return whether a function is asked of few things, all with indices."""
    return 0 < len(function.parameters) <= MOST_KEYS and all(each.of in KEYS for each in function.parameters)


def called_in_loops(functions: Mapping[str, ir.Function], option_functions: Iterable[str]) -> set[str]:
    """List the functions that are called in loops, or by such functions."""
    found: set[str] = set()
    todo = [*option_functions]
    todo += [call for function in functions.values() for call in calls_in_loops(function.body)]
    while todo:
        name = todo.pop()
        if name not in found and name in functions:
            found.add(name)
            todo += [node.function for node in subexpressions(functions[name].body) if isinstance(node, ir.Call)]
    return found


def calls_in_loops(body: Core) -> list[str]:
    """List the functions that a body calls in loops."""
    found: list[str] = []
    for node in subexpressions(body):
        match node:
            case ir.Fold(_, _, _, where, inner):
                repeated = (where, inner)
            case ir.Cheapest():
                repeated = (node.gate, node.price)
            case _:
                continue
        for part in repeated:
            if part is not None:
                found += [each.function for each in subexpressions(part) if isinstance(each, ir.Call)]
    return found
