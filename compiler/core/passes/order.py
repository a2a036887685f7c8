"""Reordering of conditions by cost.

In: an expression. Out: the same with the conditions of `and`, `or` and `where` in order of cost. A condition that may
trap keeps its place: only runs of total conditions between such are sorted (Hanani 1977, An Optimal Evaluation of
Boolean Expressions in an Online Query System; the selectivity of conditions is unknown).
"""

from collections.abc import Callable, Mapping

from compiler.core import ir
from compiler.core.construct import NO, YES, conjunction, disjunction
from compiler.core.ir import Core
from compiler.core.passes.cost import Costs
from compiler.core.passes.rewriting import with_parts
from compiler.core.passes.totality import NOTHING, Needs, Totality, conjuncts, disjuncts, stands_on_map
from compiler.core.representation import BOOL
from compiler.core.sharing import LetLazy


class Ordering:
    """Reordering of the conditions of a module."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Set up the totality analysis and the cost model."""
        self.totality = Totality(functions)
        self.costs = Costs(functions)

    def order_conditions(self, node: Core, on_map: Needs = NOTHING) -> Core:
        """Order conditions in an expression, given the names of pieces that are known to be on the map."""
        match node:
            case LetLazy(name, value):
                self.totality.lazy[name] = value
                return with_parts(node, lambda part: self.order_conditions(part, on_map))
            case ir.If(_, _, orelse, representation) if representation == BOOL and orelse == NO:
                return self.order_chain(conjuncts(node), conjunction, on_map)
            case ir.If(_, then, _, representation) if representation == BOOL and then == YES:
                return self.order_chain(disjuncts(node), disjunction, on_map)
            case ir.Fold(_, name, source) if stands_on_map(source):
                return with_parts(node, lambda part: self.order_conditions(part, on_map | {name}))
            case _:
                return with_parts(node, lambda part: self.order_conditions(part, on_map))

    def order_chain(self, conditions: list[Core], join: Callable[[list[Core]], Core], on_map: Needs) -> Core:
        """Order the conditions of a conjunction or disjunction."""
        found: list[Core] = []
        run: list[Core] = []
        for each in (self.order_conditions(condition, on_map) for condition in conditions):
            if self.totality.is_total(each, on_map):
                run.append(each)
            else:
                found += [*sorted(run, key=self.costs.cost_of), each]
                run = []
        return join([*found, *sorted(run, key=self.costs.cost_of)])
