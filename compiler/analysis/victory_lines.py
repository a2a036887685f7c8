"""The victory lines of a situation card: who reaches which level under which conditions.

In: the rules of a card. Out: those that offer a level to one side, with the conditions that remain.
"""

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class LineConditions:
    """A victory line: its rule, its side, its level, and its remaining conditions."""

    rule: graph.Rule
    side: str
    level: graph.Place
    conditions: tuple[graph.Expr, ...]


def victory_line(rule: graph.Rule, stack: graph.Graph) -> LineConditions | None:
    """Parse a rule as a victory line; None if it is not one."""
    if rule.verb != "offers" or not isinstance(rule.value, graph.Place):
        return None
    owners = [part.name for part in stack.terms[rule.terms[0]].parameters]
    for part in conjuncts(rule.guard):
        match part:
            case graph.Op("=", (graph.Var(name), graph.Member("side", side))) if name in owners:
                rest = tuple(each for each in conjuncts(rule.guard) if each is not part)
                return LineConditions(rule, side, rule.value, rest)
    return None
