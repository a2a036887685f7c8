"""Binding-time analysis of guards: static subexpressions in terms that also read the position.

In: a term. Out: the subexpressions of its guards that are static (Jones, Gomard and Sestoft, Partial Evaluation,
1993): the map and a few reads of the arguments determine them. Each becomes a function that is memoized per map, as
whole terms are (state_reads.py). Without it, a single dynamic rule on an expensive static question would have the
question evaluated again after each event.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.state_reads import MemoKey, StateDependence
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import inner_expressions


class StaticPart(NamedTuple):
    """A static subexpression of the guard of a rule, with its memo key."""

    rule: str
    expr: graph.Expr
    key: MemoKey


def find_static_parts(term: graph.Term, dependence: StateDependence) -> Iterator[StaticPart]:
    """Yield the static subexpressions of a term's guards; none where the term itself is memoized per map, or traced."""
    if dependence.emitter.is_traced or dependence.memo_reads(term.name) is not None:
        return
    for rule in rules_of_term(dependence.rules, term):
        for part in conjuncts(rule.guard):
            for expr, key in _largest(part, term, dependence):
                yield StaticPart(rule.label, expr, key)


def _largest(expr: graph.Expr, term: graph.Term, dependence: StateDependence) -> Iterator[tuple[graph.Expr, MemoKey]]:
    """Yield the maximal static subexpressions of an expression, outside the bodies of aggregates."""
    key = dependence.part_key(expr, term)
    if key is not None:
        yield expr, key
        return
    parts = (expr.source, expr.otherwise) if isinstance(expr, graph.Fold) else inner_expressions(expr)
    for inner in parts:
        if isinstance(inner, graph.Expr):
            yield from _largest(inner, term, dependence)
