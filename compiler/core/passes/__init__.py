"""Optimization passes of the core: functions from core to core, one in each module, sequenced by `optimize`.

In: a module as `lower_questions` builds it. Out: a module whose functions return the same values and trap on the same
inputs; where two traps are possible, the other one may be raised.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.footprint import compute_footprints
from compiler.core.passes.inline import inline_calls, inlined_calls
from compiler.core.passes.memoization import memoize_functions
from compiler.core.passes.partial_inlining import PartialInlining, split_verdicts
from compiler.core.passes.promote import bind_hexes, promote_hexes
from compiler.core.passes.push_down import PushDown
from compiler.core.passes.repeated_subexpressions import RepeatedSubexpressions
from compiler.core.passes.rewriting import FreshNames
from compiler.core.passes.shared_conditions import share_conditions
from compiler.core.passes.simplify import simplify
from compiler.core.passes.totality import is_total
from compiler.core.sharing import Footprint

Functions = dict[str, ir.Function]


def optimize(module: ir.Module) -> ir.Module:
    """Return the module after all passes."""
    return optimize_game(module, ()).module


class _OptimizedGame(NamedTuple):
    """The functions of a module after all passes, what they read, and the passes for an expression of a procedure."""

    module: ir.Module
    footprints: dict[str, Footprint]
    change: Callable[[Core], Core]


def optimize_game(module: ir.Module, option_functions: Iterable[str]) -> _OptimizedGame:
    """Return the module after all passes.

    `option_functions` are functions that are called for each option of a choice. Answers are memoized for a position,
    so that code that changes the position has to number the change (validity.py).
    """
    fresh, functions = FreshNames(), split_verdicts(module)
    functions = map_bodies(functions, simplify)
    functions = inline_calls(functions, fresh)
    functions = map_bodies(functions, PartialInlining(functions, fresh).inline_tests)
    functions = bind_hexes(promote_hexes(functions, fresh))
    functions = map_bodies(functions, simplify)
    functions = share_conditions(functions, fresh)
    # A trap of a procedure names the term, so that only terms without traps are inlined there.
    total_functions = {name: function for name, function in functions.items() if is_total(function.body)}
    push_down = PushDown(functions, fresh).push_down
    footprints = compute_footprints(functions)
    functions = memoize_functions(functions, footprints, option_functions)
    functions = map_bodies(functions, RepeatedSubexpressions(functions, fresh).with_names)

    def change(node: Core) -> Core:
        return push_down(simplify(inlined_calls(simplify(node), total_functions, fresh)))

    return _OptimizedGame(map_bodies(functions, push_down), footprints, change)


def map_bodies(functions: Mapping[str, ir.Function], change: Callable[[Core], Core]) -> Functions:
    """Return the functions with a rewriting applied to the body of each."""
    return {name: ir.Function(name, function.parameters, change(function.body)) for name, function in functions.items()}
