"""What a term always answers, where one expression says it.

In: a term. Out: the expression that its answer is, of its only rule or of one rule with one exception; else None.
"""

from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of


def only_value(term: graph.Term, rules: graph.Graph) -> graph.Expr | None:
    """Find the one thing that a term always answers: of its only rule, or of none."""
    if term.form not in ("value", "set") or term.capped is not None:
        return None
    match tuple(rules.rules[label] for label in term.rules):
        case ():
            return term.otherwise
        case (rule,) if rule.guard is None and not rule.names and rule.value is not None:
            return rule.value if rule.verb == "is" or is_set(term, rule.value, rules) else None
        case _:
            return None


def with_exception(term: graph.Term, rules: graph.Graph) -> graph.Expr | None:
    """Find what a term answers that has one rule and one exception to it."""
    if term.form != "value" or term.capped is not None:
        return None
    match tuple(rules.rules[label] for label in term.rules):
        case (first, rule) if rule.label in first.defeats and rule.guard is None and not (first.names or rule.names):
            if first.guard is None or first.value is None or rule.value is None:
                return None
            return graph.Op("if", (first.guard, first.value, rule.value))
        case _:
            return None


def is_set(term: graph.Term, value: graph.Expr, rules: graph.Graph) -> bool:
    """Return whether a value that is included is all of a set, in its order already."""
    type_ = type_of(value, {p.name: p.type for p in term.parameters}, rules)
    return term.form == "set" and isinstance(type_, graph.Many) and type_.shape == "set"
