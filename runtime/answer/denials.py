"""What has to hold for a question not to be denied.

In: a question that is answered yes or no. Out: the contrary of each rule that denies it and that nothing lifts, or of
those alone that bound a distance. Each may be asked before the others: rules of a term may be asked in any order.
"""

from collections.abc import Callable

from runtime.answer.conditions import conjuncts
from runtime.answer.quick_first import is_plain
from runtime.answer.written_out import NO, YES, looked_through, said_plainly
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free

DENIES = ("forbids", "fails")
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def undenied(
    question: graph.Ask, rules: graph.Graph, wanted: Callable[[graph.Rule], bool] = lambda _: True
) -> list[graph.Expr]:
    """List what must hold for a question to be granted: first how near somebody must be, which is seen at once."""
    term = rules.terms[question.term]
    said = [rules.rules[label] for label in term.rules]
    denying = [rule for rule in said if rule.verb in DENIES and not rule.names and wanted(rule)]
    if not denying:
        return []
    lifted = {label for rule in said for label in rule.defeats}
    given = dict(zip((parameter.name for parameter in term.parameters), question.arguments, strict=True))
    taken = free(question.arguments) | given.keys()
    found: list[graph.Expr] = []
    for rule in denying:
        if rule.label not in lifted and not binds(rule.guard) & taken:
            parts = [looked_through(part, rules) for part in conjuncts(filled(rule.guard, given))]
            left = [part for part in parts if part != YES]
            if left and NO not in left:
                found.append(measured(contrary(left), rules))
    return sorted(found, key=lambda part: not is_near(part))


def may_bound(rule: graph.Rule) -> bool:
    """Say whether a rule may deny what is too far away: it speaks where something is more than something else."""
    return any(isinstance(part, graph.Op) and part.op in (">", ">=") for part in conjuncts(rule.guard))


def measured(condition: graph.Expr, rules: graph.Graph) -> graph.Expr:
    """Write out a distance that a condition compares."""
    match condition:
        case graph.Op(op, (far, most)) if op in CONTRARY:
            plainly = looked_through(said_plainly(far, rules), rules)
            return graph.Op(op, (plainly, most)) if is_distance(plainly) else condition
        case _:
            return condition


def is_near(condition: graph.Expr) -> bool:
    """Say whether a condition is that a distance is small enough."""
    return isinstance(condition, graph.Op) and condition.op in ("<", "<=") and is_distance(condition.arguments[0])


def is_distance(expr: graph.Expr) -> bool:
    """Say whether an expression is how far somebody is from somewhere."""
    match expr:
        case graph.Op("distance", (one, other)):
            return is_plain(one) and is_plain(other)
        case _:
            return False


def contrary(parts: list[graph.Expr]) -> graph.Expr:
    """Say that not all of these hold."""
    match parts:
        case [graph.Op("not", (inner,))]:
            return inner
        case [graph.Op(op, pair)] if op in CONTRARY:
            return graph.Op(CONTRARY[op], pair)
        case [only]:
            return graph.Op("not", (only,))
        case _:
            return graph.Op("not", (graph.Op("and", tuple(parts)),))
