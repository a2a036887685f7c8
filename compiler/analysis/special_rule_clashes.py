"""Conflicts of the special rules of a situation card with the rules of its game: on the card both are one rulebook.

In: the stack of a card. Out: suspects, pairs of rules that may conclude different answers, at least one of them the
card's. Rules of the game alone are proved with the game.
"""

from collections.abc import Callable, Iterator

from compiler.analysis.card_invariants import card_invariants_of
from compiler.analysis.confirmation import grouped_overlaps, problem_of
from compiler.analysis.idle_card_lines import card_constants, rules_of_card
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.proof_context import BY_CASES, ProofStrategy, open_proof_context
from compiler.analysis.suspects import Suspect, possible_overlaps
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.witness_position import WitnessPosition


def special_clashes(
    rules: graph.Graph,
    confirm: Callable[[Suspect], WitnessPosition | None],
    bound: str,
    arithmetic: ProofStrategy | None,
    laws: Laws | None,
) -> tuple[Finding, ...]:
    """Return the rules of a card that conflict with one another or with the game; `laws` as for `idle_lines`."""
    if rules.scenario is None:
        return ()
    laws = laws or laws_of(rules)
    stack = laws.stack
    intervals = Intervals(stack, card_invariants=card_invariants_of(laws))
    card_labels = frozenset(rule.label for rule in rules_of_card(rules))
    terms = [term for term in rules.terms.values() if not card_labels.isdisjoint(term.rules)]
    found = (
        problem_of(stack, suspect, confirm(suspect), bound)
        for term in terms
        for suspect in _suspects(laws, term, card_labels, intervals, arithmetic or BY_CASES)
    )
    return tuple(grouped_overlaps(stack, [problem for problem in found if problem]))


def _suspects(
    laws: Laws, term: graph.Term, card_labels: frozenset[str], intervals: Intervals, strategy: ProofStrategy
) -> Iterator[Suspect]:
    """List possible conflicts of a rule of the card with another rule, under the constant facts of the card."""
    if term.form not in {"value", "flag"}:
        return
    proof_context = open_proof_context(laws, term, intervals, strategy)
    yield from possible_overlaps(
        proof_context,
        [pair for pair in proof_context.differences if not card_labels.isdisjoint(pair)],
        card_constants(proof_context.translator, intervals),
    )
