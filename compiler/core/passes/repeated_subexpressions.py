"""Evaluate once what stands several times in an expression.

In: an expression. Out: one in which what stands several times, and costs something, has a lazy name where all names in
it are known: as it is evaluated when it is first used, nothing is evaluated that was not, and nothing is a trap that
was none (common subexpression elimination, Cocke 1970; the place as in Peyton Jones, Partain and Santos 1996).
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Apply, Core
from compiler.core.passes.cost import Costs
from compiler.core.passes.hoist import STREAMED, is_kept
from compiler.core.passes.rewriting import (
    FreeNames,
    FreshNames,
    bound_by,
    child_expressions,
    node_count,
    subexpressions,
    with_parts,
)
from compiler.core.representation import is_bit_set
from compiler.core.sharing import LetLazy

WORTH, WORTH_OF_SETS = 8.0, 40.0  # What an expression costs at least that gets a name; a set is copied, too.
LARGEST = 12  # Nodes of one: its code stands at each of its uses.


class RepeatedSubexpressions:
    """Names what the functions of a module evaluate several times."""

    def __init__(self, functions: Mapping[str, ir.Function], fresh: FreshNames) -> None:
        """Keep what says what an expression depends on, and what it costs."""
        self.free = FreeNames()
        self.costs = Costs(functions)
        self.fresh = fresh

    def with_names(self, node: Core) -> Core:
        """Name what stands several times in a body or in what a node binds names for."""
        return self.named_subexpressions(with_parts(node, self.named_inside))

    def named_inside(self, node: Core) -> Core:
        """Look for the parts that are evaluated with names of their own."""
        match node:
            case ir.Fold() | ir.Cheapest():
                bound = frozenset(bound_by(node))
                return with_parts(
                    node,
                    lambda part: (
                        self.with_names(part) if self.free.free_names(part) & bound else self.named_inside(part)
                    ),
                )
            case ir.Let(name, value, body, of):
                return ir.Let(name, self.named_inside(value), self.with_names(body), of)
            case LetLazy(name, value, body, of):
                return LetLazy(name, self.named_inside(value), self.with_names(body), of)
            case _:
                return with_parts(node, self.named_inside)

    def named_subexpressions(self, node: Core) -> Core:
        """Name what stands several times in an expression and uses no name that the expression binds."""
        while True:
            found: dict[Core, int] = {}
            self.count_candidates(node, frozenset(), found)
            often = [each for each, number in found.items() if number > 1]
            if not often:
                return node
            largest = max(often, key=node_count)
            name = self.fresh.fresh_name("same")
            body = replaced_expression(node, largest, ir.Force(name, largest.of))
            node = LetLazy(name, largest, body, node.of)

    def count_candidates(self, node: Core, bound: frozenset[str], found: dict[Core, int]) -> None:
        """Count the expressions that may get a name."""
        if not self.free.free_names(node) & bound and self.is_worth_it(node):
            found[node] = found.get(node, 0) + 1
        inner = bound | frozenset(bound_by(node))
        for part in child_expressions(node):
            self.count_candidates(part, inner, found)

    def is_worth_it(self, node: Core) -> bool:
        """Return whether an expression may have a name and costs enough."""
        if isinstance(node, ir.Force | ir.Local | ir.Const | ir.EnumConst | ir.Trap | LetLazy) or not is_kept(node.of):
            return False
        if isinstance(node, Apply) and node.primitive in STREAMED:
            return False
        worth = WORTH_OF_SETS if is_bit_set(node.of) else WORTH
        return self.costs.cost_of(node) >= worth and sum(1 for _ in subexpressions(node)) <= LARGEST


def replaced_expression(node: Core, old: Core, new: Core) -> Core:
    """Substitute an expression for another."""
    return new if node == old else with_parts(node, lambda part: replaced_expression(part, old, new))
