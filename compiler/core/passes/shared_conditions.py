"""Shared conditions: what a filter asks of its members whatever set or record it is about becomes a function.

In: all functions. Out: the same, where a function of a set or a record has no filter any more whose first conditions
read only other arguments: the members that pass these are a function of the other arguments, and those that pass the
conditions that read no piece or hex another one. Memoization evaluates them once for all sets and records, and for all
hexes (loop-invariant code motion, Muchnick 1997, 13.2, out of the loop over the calls of a function).
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import all_hold
from compiler.core.heads import is_filter
from compiler.core.ir import Core, Fold, Local
from compiler.core.passes.cost import Costs
from compiler.core.passes.memoization import INDICES
from compiler.core.passes.rewriting import FreeNames, FreshNames, substitute, with_parts
from compiler.core.passes.totality import core_conjuncts
from compiler.core.representation import BOOL, ENUM, Representation, is_bit_set

MEMBERS = "@members"  # Behind the name of a function: the members that pass first conditions of its filter.
WORTH = 300.0  # The least cost of conditions that become a function, for all members.
FEW_VALUES = (ENUM, BOOL)


def share_conditions(functions: Mapping[str, ir.Function], fresh: FreshNames) -> dict[str, ir.Function]:
    """Return all functions with the shared conditions of filters in functions of their own."""
    costs = Costs(functions)
    found: dict[str, ir.Function] = {}
    for function in functions.values():
        of_contents = _SharedConditions(function, INDICES, costs, fresh)
        found[function.name] = of_contents.rest()
        for members in of_contents.new_functions:
            of_places = _SharedConditions(members, FEW_VALUES, costs, fresh)
            found[members.name] = of_places.rest()
            found |= {each.name: each for each in of_places.new_functions}
    return found


class _SharedConditions:
    """The shared conditions in the filters of one function: those that read arguments of some representations."""

    def __init__(
        self, function: ir.Function, shared: tuple[Representation, ...], costs: Costs, fresh: FreshNames
    ) -> None:
        """Start without new functions."""
        self.function = function
        self.keys = {each.name for each in function.parameters if each.representation in shared}
        self.costs = costs
        self.fresh_names = fresh
        self.free_names = FreeNames()
        self.new_functions: list[ir.Function] = []

    def rest(self) -> ir.Function:
        """Return the function with calls in place of its shared conditions."""
        if len(self.keys) == len(self.function.parameters):
            return self.function
        return replace(self.function, body=self.split(self.function.body))

    def split(self, node: Core) -> Core:
        """Return an expression whose filters call functions for their shared conditions."""
        node = with_parts(node, self.split)
        if not isinstance(node, Fold) or not is_filter(node) or not is_bit_set(node.representation):
            return node
        rest = [] if node.condition is None else core_conjuncts(node.condition)
        shared: list[Core] = []
        while rest and self.free_names.free_names(rest[0]) <= self.keys | {node.name}:
            shared.append(rest.pop(0))
        members = replace(node, condition=all_hold(shared))
        names = self.free_names.free_names(members)
        if not shared or not rest or not names <= self.keys or self.costs.cost_of(members) < WORTH:
            return node
        parameters = tuple(each for each in self.function.parameters if each.name in names)
        name = f"{self.function.name}{MEMBERS}{len(self.new_functions) or ''}"
        self.new_functions.append(ir.Function(name, parameters, members))
        assert isinstance(node.body, Local)
        member = Local(self.fresh_names.fresh_name(node.name), node.body.representation)
        condition = substitute(all_hold(rest), {node.name: member})
        source = ir.Call(name, parameters, node.representation)
        return replace(node, name=member.name, source=source, condition=condition, body=member)
