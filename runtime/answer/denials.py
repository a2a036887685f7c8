"""What has to hold for a question not to be denied.

In: a question that is answered yes or no. Out: the contrary of each rule that denies it and that nothing lifts. Each
may be asked before the others, as the rules of a term may be asked in any order.
"""

from collections.abc import Iterator

from runtime.answer.conditions import conjuncts
from runtime.answer.written_out import NO, YES, looked_through
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free

DENIES = ("forbids", "fails")
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def undenied(question: graph.Ask, rules: graph.Graph) -> Iterator[graph.Expr]:
    """List what must hold for a question to be granted."""
    term = rules.terms[question.term]
    said = [rules.rules[label] for label in term.rules]
    lifted = {label for rule in said for label in rule.defeats}
    given = dict(zip((parameter.name for parameter in term.parameters), question.arguments, strict=True))
    taken = free(question.arguments) | given.keys()
    for rule in said:
        if rule.verb in DENIES and rule.label not in lifted and not rule.names and not binds(rule.guard) & taken:
            parts = [looked_through(part, rules) for part in conjuncts(filled(rule.guard, given))]
            left = [part for part in parts if part != YES]
            if left and NO not in left:
                yield contrary(left)


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
