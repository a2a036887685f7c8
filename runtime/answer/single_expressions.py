"""Terms whose answer is a single expression.

In: a term. Out: the expression of its only rule; else None.
"""

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.type_of import type_of


def sole_expression(term: graph.Term, rules: graph.Graph) -> graph.Expr | None:
    """Return the expression of a term with one unconditional rule, or with none; else None."""
    if term.form not in ("value", "set") or term.capped is not None:
        return None
    match rules_of_term(rules, term):
        case ():
            return term.otherwise
        case (rule,) if rule.guard is None and not rule.names and rule.value is not None:
            return rule.value if rule.verb == "is" or _is_whole_set(term, rule.value, rules) else None
        case _:
            return None


def _is_whole_set(term: graph.Term, value: graph.Expr, rules: graph.Graph) -> bool:
    """Return whether the included value is the whole of a set term, already in canonical order."""
    type_ = type_of(value, {p.name: p.type for p in term.parameters}, rules)
    return term.form == "set" and isinstance(type_, graph.Many) and type_.shape == "set"
