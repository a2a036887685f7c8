"""Ask of a member first whether it is near enough, where a question about it comes to that anyway.

In: a pass. Out: its condition, before each question that is denied beyond some distance that distance. Most of a pass
over everybody is too far away, and neither the record that the question is about need be made for them nor the rest
be asked.
"""

from runtime.answer.conditions import conjuncts
from runtime.answer.denials import is_near, may_bound, undenied
from runtime.graph import nodes as graph
from runtime.graph.free import free


def nearer(made: graph.Fold, rules: graph.Graph) -> graph.Expr | None:
    """Write the condition of a pass with those on distances ahead of the questions that need them."""
    parts = tuple(conjuncts(made.where))
    first = [bounds(part, made.var, rules) for part in parts]
    if not any(first):
        return made.where
    return graph.Op("and", tuple([each for ahead, part in zip(first, parts, strict=True) for each in (*ahead, part)]))


def bounds(condition: graph.Expr, member: str, rules: graph.Graph) -> list[graph.Expr]:
    """List how near a member must be for a question not to be denied."""
    if not isinstance(condition, graph.Ask):
        return []
    return [part for part in undenied(condition, rules, may_bound) if is_near(part) and member in free(part)]
