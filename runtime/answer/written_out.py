"""What a question or an operator comes to, as far as what is written decides it.

In: a term, an expression or the parts of an operator. Out: the same in fewer words: the one thing that a term always
answers, a field of a record just made, a comparison of two words.
"""

from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free
from runtime.graph.type_of import type_of
from runtime.graph.walk import fields_of

YES, NO = graph.Truth(value=True), graph.Truth(value=False)


def folded(op: str, parts: tuple[graph.Expr, ...]) -> graph.Expr:
    """Work out an operator as far as what is written out decides it."""
    match op, parts:
        case "=", (graph.Member(_, one), graph.Member(_, other)):
            return graph.Truth(one == other)
        case "!=", (graph.Member(_, one), graph.Member(_, other)):
            return graph.Truth(one != other)
        case "in", (graph.Member(_, one), graph.SetOf(members)) if all(isinstance(m, graph.Member) for m in members):
            return graph.Truth(any(isinstance(m, graph.Member) and m.name == one for m in members))
        case "not", (graph.Truth(value),):
            return graph.Truth(not value)
        case "if", (graph.Truth(value), yes, no):
            return yes if value else no
        case (("and" | "or"), _):
            deciding, idle = (NO, YES) if op == "and" else (YES, NO)
            if deciding in parts:
                return deciding
            left = tuple([part for part in parts if part != idle])
            return graph.Op(op, left) if len(left) > 1 else left[0] if left else idle
        case _:
            return graph.Op(op, parts)


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
    """Say whether a value that is included is all of a set, in its order already."""
    type_ = type_of(value, {p.name: p.type for p in term.parameters}, rules)
    return term.form == "set" and isinstance(type_, graph.Many) and type_.shape == "set"


def said_plainly(expr: graph.Expr, rules: graph.Graph) -> graph.Expr:
    """Say what a question is short for, itself or through others."""
    match expr:
        case graph.Ask(name, arguments):
            term = rules.terms[name]
            value = only_value(term, rules)
            given = dict(zip((parameter.name for parameter in term.parameters), arguments, strict=True))
            if value is None or binds(value) & (free(arguments) | given.keys()):
                return expr
            return said_plainly(filled(value, given), rules)
        case _:
            return expr


def looked_through(expr: Any, rules: graph.Graph) -> Any:
    """Put in the place of what is read of a record just made what was put into it, and settle what that settles."""
    match expr:
        case graph.Get(base, "record", _, field):
            made = said_plainly(base, rules)
            given = dict(made.fields) if isinstance(made, graph.New) else {}
            return looked_through(given[field], rules) if field in given else expr
        case graph.Op(op, arguments):
            return folded(op, looked_through(arguments, rules))
        case tuple():
            return tuple([looked_through(part, rules) for part in expr])
        case _:
            names = fields_of(expr.__class__)
            return expr.__class__(*[looked_through(getattr(expr, name), rules) for name in names]) if names else expr
