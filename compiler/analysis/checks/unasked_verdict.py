"""Verdicts that nothing in play queries: what they allow or forbid is done without them.

A query is in a step of a procedure, a precondition, an invariant, the end of a relation, the outcome, or the rules of
all these. A precondition `at the table` is left to the players. Rules without a sequence of play may serve others.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import UnaskedVerdict
from compiler.analysis.parties import named_party
from compiler.analysis.problems import Problem
from compiler.analysis.questions_in_play import passed_in_play, terms_in
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import expressions_of_term
from runtime.graph import nodes as graph


def unasked_verdict(stack: graph.Graph) -> Iterator[Problem]:
    """Find such verdicts; those that only another one queries are covered by its finding."""
    if not is_whole_game(stack):
        return
    reached_terms, _ = passed_in_play(stack)
    idle = [
        each
        for each in stack.terms.values()
        if each.form == "verdict" and each.rules and each.name not in reached_terms
    ]
    inner = frozenset(name for each in idle for name in _queried_terms(each, stack) if name != each.name)
    for term in idle:
        if term.name not in inner:
            yield UnaskedVerdict(named_party(term), len(term.rules))


def _queried_terms(term: graph.Term, stack: graph.Graph) -> frozenset[str]:
    """Return the terms that the rules of a term query."""
    return frozenset(name for expr in expressions_of_term(term, stack) for name in terms_in(expr))
