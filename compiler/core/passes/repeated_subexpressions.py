"""Common subexpression elimination.

In: an expression. Out: one in which expressions that occur several times, and whose cost exceeds a threshold, are bound
lazily in the innermost scope of their free names: as the value is computed on first use, nothing is evaluated, and
nothing traps, that was not before (Cocke 1970; the place of the binding as in Peyton Jones, Partain and Santos 1996).
"""

from collections.abc import Mapping
from itertools import islice

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes import rewriting
from compiler.core.passes.cost import Costs
from compiler.core.representation import is_bit_set
from compiler.core.sharing import LetLazy

WORTH, WORTH_OF_SETS = 8.0, 40.0  # The least cost of an expression that is bound; a set is also copied.
ATOMIC = ir.Force | ir.Local | ir.Const | ir.EnumConst | ir.Trap
MOST_SHARED_NODES = 12  # The most nodes of one: its code is repeated at each use.


class RepeatedSubexpressions:
    """Common subexpression elimination in the functions of a module."""

    def __init__(self, functions: Mapping[str, ir.Function], fresh: rewriting.FreshNames) -> None:
        """Set up the analysis of free names and the cost model."""
        self.free_names = rewriting.FreeNames()
        self.costs = Costs(functions)
        self.fresh_names = fresh
        self._worthwhile: dict[int, tuple[Core, bool]] = {}

    def with_names(self, node: Core) -> Core:
        """Bind the repeated subexpressions of a body, and those of each scope within it."""
        return self.named_subexpressions(rewriting.with_parts(node, self.bind_repeated))

    def bind_repeated(self, node: Core) -> Core:
        """Return a node with the repeated subexpressions of its scopes bound."""
        match node:
            case ir.Fold() | ir.Cheapest() | ir.Reachable():
                bound = frozenset(rewriting.bound_names(node))
                return rewriting.with_parts(
                    node,
                    lambda part: (
                        self.with_names(part) if self.free_names.free_names(part) & bound else self.bind_repeated(part)
                    ),
                )
            case ir.Let(name, value, body, representation):
                return ir.Let(name, self.bind_repeated(value), self.with_names(body), representation)
            case LetLazy(name, value, body, representation):
                return LetLazy(name, self.bind_repeated(value), self.with_names(body), representation)
            case _:
                return rewriting.with_parts(node, self.bind_repeated)

    def named_subexpressions(self, node: Core) -> Core:
        """Bind the repeated subexpressions of an expression that use no name bound within it."""
        while True:
            found: dict[Core, int] = {}
            self.count_candidates(node, frozenset(), found)
            often = [each for each, number in found.items() if number > 1]
            if not often:
                return node
            largest = max(often, key=rewriting.node_count)
            name = self.fresh_names.fresh_name("same")
            body = _replaced_expression(node, largest, ir.Force(name, largest.representation))
            node = LetLazy(name, largest, body, node.representation)

    def count_candidates(self, node: Core, bound: frozenset[str], found: dict[Core, int]) -> None:
        """Count the occurrences of the candidates for a binding; `found` collects them."""
        if isinstance(node, ATOMIC):
            return
        if not self.free_names.free_names(node) & bound and self.is_worthwhile(node):
            found[node] = found.get(node, 0) + 1
        inner = bound | frozenset(rewriting.bound_names(node))
        for part in rewriting.child_expressions(node):
            self.count_candidates(part, inner, found)

    def is_worthwhile(self, node: Core) -> bool:
        """Return whether an expression can be bound and its cost exceeds the threshold; memoized by node."""
        memo = self._worthwhile.get(id(node))
        if memo is None:
            memo = self._worthwhile[id(node)] = (node, self._is_costly(node))
        return memo[1]

    def _is_costly(self, node: Core) -> bool:
        if isinstance(node, LetLazy) or not rewriting.is_storable(node.representation):
            return False
        if next(islice(rewriting.subexpressions(node), MOST_SHARED_NODES, None), None) is not None:
            return False  # A larger one is not traversed: every expression within it is asked about, too.
        return self.costs.cost_of(node) >= (WORTH_OF_SETS if is_bit_set(node.representation) else WORTH)


def _replaced_expression(node: Core, old: Core, new: Core) -> Core:
    """Substitute an expression for another."""
    return new if node == old else rewriting.with_parts(node, lambda part: _replaced_expression(part, old, new))
