"""Loop-invariant code motion.

In: an expression. Out: one in which the largest subexpressions of a loop that use no variable bound by the loop, and
whose cost exceeds a threshold, are bound outside it. The binding is lazy: its value is computed when the loop first
uses it, or never, so a value that traps may be moved, too (Muchnick 1997, 13.2; lazily, as in Peyton Jones, Partain and
Santos 1996, Let-Floating).
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.cost import Costs
from compiler.core.passes.rewriting import FreeNames, FreshNames, bound_names, with_parts
from compiler.core.representation import Record, Representation, is_bit_set, is_sequence
from compiler.core.sharing import LetLazy

WORTH = 5.0  # The least cost of an expression that is moved.
# A fold over one of these is a loop that builds no set.
STREAMED = (Primitive.PIECES_ON_MAP, Primitive.PIECES_IN_RESERVE, Primitive.PIECES_AT)


class Hoisting:
    """Loop-invariant code motion in the functions of a module."""

    def __init__(self, functions: Mapping[str, ir.Function], fresh: FreshNames) -> None:
        """Set up the analysis of free names and the cost model."""
        self.free_names = FreeNames()
        self.costs = Costs(functions)
        self.fresh_names = fresh

    def hoist(self, node: Core) -> Core:
        """Move invariants out of the loops of an expression, outer loops first."""
        if isinstance(node, ir.Fold | ir.Cheapest):
            return self.hoist_from_loop(node)
        return with_parts(node, self.hoist)

    def hoist_from_loop(self, node: ir.Fold | ir.Cheapest) -> Core:
        """Bind the invariants of a loop before it."""
        found: dict[Core, str] = {}
        bound = frozenset(bound_names(node))

        def hoist_part(part: Core | None) -> Core | None:
            return None if part is None else self.without_invariants(part, bound, found)

        if isinstance(node, ir.Fold):
            node = replace(node, condition=hoist_part(node.condition), body=hoist_part(node.body))
        else:
            node = replace(node, gate=hoist_part(node.gate), price=hoist_part(node.price))
        inner = with_parts(node, self.hoist)
        for value, name in reversed(found.items()):
            inner = LetLazy(name, self.hoist(value), inner, inner.representation)
        return inner

    def without_invariants(self, node: Core, bound: frozenset[str], found: dict[Core, str]) -> Core:
        """Replace the largest subexpressions that use none of the bound names by references; `found` collects them."""
        if not self.free_names.free_names(node) & bound and self.is_worthwhile(node):
            name = found.setdefault(node, "") or self.fresh_names.fresh_name("once")
            found[node] = name
            return ir.Force(name, node.representation)
        inner = bound | frozenset(bound_names(node))
        return with_parts(node, lambda part: self.without_invariants(part, inner, found))

    def is_worthwhile(self, node: Core) -> bool:
        """Return whether a value can be stored and its cost exceeds the threshold."""
        if isinstance(node, ir.Force) or (isinstance(node, Apply) and node.primitive in STREAMED):
            return False
        return is_kept(node.representation) and self.costs.cost_of(node) >= WORTH


def is_kept(representation: Representation) -> bool:
    """Return whether a value can be stored: it fits a local, or is a bit set, which has a place in memory."""
    return is_bit_set(representation) or not (is_sequence(representation) or isinstance(representation, Record))
