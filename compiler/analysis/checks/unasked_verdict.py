"""A verdict that nothing in play asks: its rules allow or forbid something, and whatever is done is done without them.

Asked is what a step of a procedure asks, a precondition, a fact that always holds, the end of a relation or the
outcome, and what the rules of all these ask. A precondition `at the table` is left to the players. Rules
without a sequence of play are for others to ask.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import UnaskedVerdict
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.questions_in_play import passed_in_play, terms_in
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import expressions_of_term
from runtime.graph import nodes as graph


def unasked_verdict(stack: graph.Graph) -> Iterator[Problem]:
    """Find them; of those that only another such verdict asks, it is told of that one."""
    if not is_whole_game(stack):
        return
    asked, _ = passed_in_play(stack)
    idle = [each for each in stack.terms.values() if each.form == "verdict" and each.rules and each.name not in asked]
    inner = frozenset(name for each in idle for name in _asked_by(each, stack) if name != each.name)
    for term in idle:
        if term.name not in inner:
            yield UnaskedVerdict(Party(term.name, "", term.cites, term.origin), len(term.rules))


def _asked_by(term: graph.Term, stack: graph.Graph) -> frozenset[str]:
    """Name the terms that the rules of a term ask."""
    return frozenset(name for expr in expressions_of_term(term, stack) for name in terms_in(expr))
