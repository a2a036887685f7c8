"""Prove one stack: run every check, and have a position looked for where proofs alone cannot tell.

In: a rule graph and `confirm`, which looks for a position (the compiler knows no boards; the front
door passes runtime's finder). Out: problems, in the order of terms and rules.
"""

from collections.abc import Callable

from compiler.analysis.checks import OF_STACK, OF_TERM
from compiler.analysis.laws import laws_of
from compiler.analysis.problems import AnswerMissing, Party, Problem, RulesOverlap, Witness
from compiler.analysis.proofs import open_desk
from compiler.analysis.suspects import Suspect, suspects_of
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph

Confirm = Callable[[Suspect], Witness | None]


def prove(stack: graph.Graph, confirm: Confirm, bound: str) -> tuple[Problem, ...]:
    """Find everything wrong with a stack; `bound` says how far `confirm` searches."""
    known, suspects = examine(stack)
    return (*known, *(confirmed(stack, suspect, confirm(suspect), bound) for suspect in suspects))


def examine(stack: graph.Graph) -> tuple[tuple[Problem, ...], tuple[Suspect, ...]]:
    """Split what can go wrong into what is certain and what only a position can settle."""
    known = [problem for check in OF_STACK for problem in check(stack)]
    suspects: list[Suspect] = []
    laws = laws_of(stack)
    for term in stack.terms.values():
        desk = open_desk(laws, term)
        known += [problem for check in OF_TERM for problem in check(desk)]
        suspects += suspects_of(desk)
    return tuple(known), tuple(suspects)


def confirmed(stack: graph.Graph, suspect: Suspect, witness: Witness | None, bound: str) -> Problem:
    """Make a problem of a suspect: proved by a witness, or open within the bound."""
    parties = tuple(Writer(stack.vocabulary).party(stack.rules[label]) for label in suspect.labels)
    if suspect.kind == "overlap":
        return RulesOverlap(suspect.term, parties[0], parties[1], suspect.when, witness, bound)
    term = stack.terms[suspect.term]
    return AnswerMissing(Party(term.name, "", term.cites, term.origin), parties, suspect.when, witness, bound)
