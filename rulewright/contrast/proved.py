"""Prove that changes of rules have no effect, since the rules never apply.

In: a difference, and its two graphs. Out: the difference, in which an `unknown` change of a rule is `same` if the
compiler proves that the rule is never live in either stack.
"""

from dataclasses import replace

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.proof_context import BY_CASES, open_proof_context
from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import DifferingTerms
from runtime.witness.change_report import SAME, UNKNOWN, ChangeReport

NEVER = "it is proved never to apply, whatever the position"


def with_proofs(found: DifferingTerms, a: graph.Graph, b: graph.Graph) -> DifferingTerms:
    """Return the difference with undecided changes of rules proved to be `same` where possible."""
    if not any(_is_open(each) for each in found.changes):
        return found
    laws = [laws_of(each) for each in (a, b)]
    changes = (
        replace(each, status=SAME, reason=NEVER) if _is_open(each) and _never_applies(each.change.name, laws) else each
        for each in found.changes
    )
    return replace(found, changes=tuple(changes))


def _is_open(each: ChangeReport) -> bool:
    return each.status == UNKNOWN and each.change.kind == "rule"


def _never_applies(label: str, laws: list[Laws]) -> bool:
    """Return whether a rule is provably never live in each graph that has it; not proved for several questions."""
    return all(_is_dead(each, each.stack.rules[label]) for each in laws if label in each.stack.rules)


def _is_dead(laws: Laws, rule: graph.Rule) -> bool:
    if len(rule.terms) != 1:
        return False
    term = laws.stack.terms[rule.terms[0]]
    intervals = Intervals(laws.stack, recording=laws.recording)
    for method in filter(None, (BY_CASES, available_strategy())):
        context = open_proof_context(laws, term, intervals, method)
        if not context.is_satisfiable(context.live[rule.label]):
            return True
    return False
