"""Parts of guards that the map decides, in terms that ask for more than the map.

In: a term. Out: the parts of its guards that are static, as binding-time analysis calls them (Jones, Gomard and
Sestoft, Partial Evaluation, 1993): together with a few looks at the arguments the map decides them. Each becomes a
function whose answers are kept with the map, as those of whole terms are (state_reads.py). Without it one rule on a
line of sight that reads what changes, smoke say, has every line of sight worked out again after each event.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.conditions import conjuncts
from runtime.answer.emit_memory import MemoKey
from runtime.answer.state_reads import Dependence
from runtime.graph import nodes as graph
from runtime.graph.walk import inner_expressions


class StaticPart(NamedTuple):
    """A part of the guard of a rule, and by what its value is kept."""

    rule: str
    expr: graph.Expr
    key: MemoKey


def static_parts(term: graph.Term, dependence: Dependence) -> Iterator[StaticPart]:
    """Find the parts of a term's guards that are kept with the map; none where its answers are, or are heard."""
    if dependence.emitter.is_traced or dependence.memo_reads(term.name) is not None:
        return
    for label in term.rules:
        for part in conjuncts(dependence.rules.rules[label].guard):
            for expr, key in _largest(part, term, dependence):
                yield StaticPart(label, expr, key)


def _largest(expr: graph.Expr, term: graph.Term, dependence: Dependence) -> Iterator[tuple[graph.Expr, MemoKey]]:
    """Find the largest static parts of an expression outside of what passes bind names for."""
    key = dependence.part_key(expr, term)
    if key is not None:
        yield expr, key
        return
    inside = (expr.source, expr.otherwise) if isinstance(expr, graph.Fold) else inner_expressions(expr)
    for inner in inside:
        if isinstance(inner, graph.Expr):
            yield from _largest(inner, term, dependence)
