"""Verdicts that nothing in play queries: what they allow or forbid is done without them.

A query is in a step of a procedure, a precondition, an invariant, the end of a relation, the outcome, or the rules of
all these. A precondition `at the table` is left to the players. Rules without a sequence of play may serve others.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, named_party, party_label
from compiler.analysis.questions_in_play import passed_in_play, terms_in
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import expressions_of_term
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0571", "unasked-verdict", WARNING)
class UnaskedVerdict(Finding):
    """A verdict has `rules` rules, and no step, precondition or other term of the play queries it."""

    verdict: Party
    rules: int

    def sentence(self) -> Sentence:
        counted = "its rule has" if self.rules == 1 else f"its {self.rules} rules have"
        return Sentence(
            f"`{self.verdict.label}` is never asked in play",
            (party_label(self.verdict, f"{counted} no effect there"),),
            f"ask it where it matters, as in `legal {self.verdict.label}(..)`, or in a precondition `at the table`",
        )


@check_of_stack
def unasked_verdict(stack: graph.Graph) -> Iterator[UnaskedVerdict]:
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
