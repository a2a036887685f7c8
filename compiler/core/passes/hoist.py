"""Move what does not change out of loops.

In: an expression. Out: one in which the largest parts of a loop that depend on nothing the loop binds, and that cost
something, have a name outside. The name is lazy: its value is evaluated when the loop first comes to it, or never, so
whether it is a trap does not matter (loop-invariant code motion, Muchnick 1997, 13.2; lazily, as in Peyton Jones,
Partain and Santos 1996, Let-Floating).
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.cost import Costs
from compiler.core.passes.rewriting import FreeNames, FreshNames, bound_by, with_parts
from compiler.core.representation import Record, Representation, is_bit_set, is_sequence
from compiler.core.sharing import LetLazy

WORTH = 5.0  # What a part costs at least that is moved.
# Passes over these are loops of their own, which make no set.
STREAMED = (Primitive.PIECES_ON_MAP, Primitive.PIECES_IN_RESERVE, Primitive.PIECES_AT)


class Hoisting:
    """Moves parts out of the loops of a module."""

    def __init__(self, functions: Mapping[str, ir.Function], fresh: FreshNames) -> None:
        """Keep what says what depends on what, and what it costs."""
        self.free = FreeNames()
        self.costs = Costs(functions)
        self.fresh = fresh

    def hoist(self, node: Core) -> Core:
        """Move parts out of the loops of an expression, outer loops first."""
        if isinstance(node, ir.Fold | ir.Cheapest):
            return self.hoist_from_loop(node)
        return with_parts(node, self.hoist)

    def hoist_from_loop(self, node: ir.Fold | ir.Cheapest) -> Core:
        """Move parts out of a loop."""
        found: dict[Core, str] = {}
        bound = frozenset(bound_by(node))

        def outside(part: Core | None) -> Core | None:
            return None if part is None else self.without_invariants(part, bound, found)

        if isinstance(node, ir.Fold):
            node = replace(node, where=outside(node.where), body=outside(node.body))
        else:
            node = replace(node, gate=outside(node.gate), price=outside(node.price))
        inner = with_parts(node, self.hoist)
        for value, name in reversed(found.items()):
            inner = LetLazy(name, self.hoist(value), inner, inner.of)
        return inner

    def without_invariants(self, node: Core, bound: frozenset[str], found: dict[Core, str]) -> Core:
        """Replace the largest parts that use none of these names."""
        if not self.free.free_names(node) & bound and self.is_worth_it(node):
            name = found.setdefault(node, "") or self.fresh.fresh_name("once")
            found[node] = name
            return ir.Force(name, node.of)
        inner = bound | frozenset(bound_by(node))
        return with_parts(node, lambda part: self.without_invariants(part, inner, found))

    def is_worth_it(self, node: Core) -> bool:
        """Return whether a part may be kept and costs enough."""
        if isinstance(node, ir.Force) or (isinstance(node, Apply) and node.primitive in STREAMED):
            return False
        return is_kept(node.of) and self.costs.cost_of(node) >= WORTH


def is_kept(of: Representation) -> bool:
    """Return whether a value may outlive what is made after it: one in a local, or a bit set, which has a place."""
    return is_bit_set(of) or not (is_sequence(of) or isinstance(of, Record))
