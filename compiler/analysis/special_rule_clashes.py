"""Special rules of a situation card held against the rules of its game: both are one rulebook where the card is played.

In: the stack of a card. Out: suspects, pairs of rules that may answer one question differently, at least one of them
the card's. What the game does without the card is proved of the game alone.
"""

from collections.abc import Callable, Iterator

from compiler.analysis.card_invariants import card_invariants_of
from compiler.analysis.idle_card_lines import card_constants, rules_of_card
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.problems import Problem, Witness
from compiler.analysis.proofs import BY_CASES, ProofStrategy, open_proof_context
from compiler.analysis.prove import grouped_overlaps, problem_of
from compiler.analysis.suspects import Suspect, possible_overlaps
from runtime.graph import nodes as graph


def special_clashes(
    rules: graph.Graph,
    confirm: Callable[[Suspect], Witness | None],
    bound: str,
    arithmetic: ProofStrategy | None = None,
    laws: Laws | None = None,
) -> tuple[Problem, ...]:
    """Find the rules of a card that contradict one another or the game; `laws` as for `idle_lines`."""
    if rules.scenario is None:
        return ()
    laws = laws or laws_of(rules)
    stack = laws.stack
    intervals = Intervals(stack, card_invariants=card_invariants_of(laws))
    own = frozenset(rule.label for rule in rules_of_card(rules))
    terms = [term for term in rules.terms.values() if not own.isdisjoint(term.rules)]
    found = (
        problem_of(stack, suspect, confirm(suspect), bound)
        for term in terms
        for suspect in _suspects(laws, term, own, intervals, arithmetic or BY_CASES)
    )
    return tuple(grouped_overlaps(stack, [problem for problem in found if problem]))


def _suspects(
    laws: Laws, term: graph.Term, own: frozenset[str], intervals: Intervals, strategy: ProofStrategy
) -> Iterator[Suspect]:
    """List where a rule of the card may clash with another, as far as the facts of the card allow it."""
    if term.form not in {"value", "flag"}:
        return
    proof_context = open_proof_context(laws, term, intervals, strategy)
    yield from possible_overlaps(
        proof_context,
        [pair for pair in proof_context.differ if not own.isdisjoint(pair)],
        card_constants(proof_context.translator, intervals),
    )
