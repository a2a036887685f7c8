"""Ask of a member first whether it is near enough, where a question about it comes to that anyway.

In: a pass. Out: its condition, before each question that is denied beyond some distance that distance. Most of a pass
over everybody is too far away, and neither the record that the question is about need be made for them nor the rest
be asked.
"""

from collections.abc import Iterator

from runtime.answer.conditions import conjuncts
from runtime.answer.denials import undenied
from runtime.answer.quick_first import is_plain
from runtime.answer.written_out import looked_through, said_plainly
from runtime.graph import nodes as graph


def nearer(made: graph.Fold, rules: graph.Graph) -> graph.Expr | None:
    """Write the condition of a pass with those on distances ahead of the questions that need them."""
    parts = tuple(conjuncts(made.where))
    first = [tuple(bounds(part, made.var, rules)) if isinstance(part, graph.Ask) else () for part in parts]
    if not any(first):
        return made.where
    return graph.Op("and", tuple([each for ahead, part in zip(first, parts, strict=True) for each in (*ahead, part)]))


def bounds(question: graph.Ask, member: str, rules: graph.Graph) -> Iterator[graph.Expr]:
    """List how near a member must be for a question not to be denied."""
    for part in undenied(question, rules):
        match part:
            case graph.Op("<" | "<=" as op, (far, most)):
                far = looked_through(said_plainly(far, rules), rules)
                if is_distance(far, member):
                    yield graph.Op(op, (far, most))
            case _:
                pass


def is_distance(expr: graph.Expr, member: str) -> bool:
    """Say whether an expression is how far a member is from somewhere."""
    match expr:
        case graph.Op("distance", (graph.Get(graph.Var(name), "given", _, "hex"), there)):
            return name == member and is_plain(there)
        case _:
            return False
