"""Prove one stack: run every check, and have a position looked for where proofs alone cannot tell.

In: a rule graph and `confirm`, which looks for a position (the compiler knows no boards; the front
door passes runtime's finder). Out: problems, in the order of terms and rules.
"""

from collections.abc import Callable, Iterator

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
    return (*static_problems(stack), *(confirmed(stack, each, confirm(each), bound) for each in suspects(stack)))


def static_problems(stack: graph.Graph) -> Iterator[Problem]:
    """List what can be seen without looking for a position."""
    for check_stack in OF_STACK:
        yield from check_stack(stack)
    laws = laws_of(stack)
    for term in stack.terms.values():
        desk = open_desk(laws, term)
        for check_term in OF_TERM:
            yield from check_term(desk)


def suspects(stack: graph.Graph) -> tuple[Suspect, ...]:
    """List what only a position can settle."""
    laws = laws_of(stack)
    return tuple(suspect for term in stack.terms.values() for suspect in suspects_of(open_desk(laws, term)))


def confirmed(stack: graph.Graph, suspect: Suspect, witness: Witness | None, bound: str) -> Problem:
    """Make a problem of a suspect: proved by a witness, or open within the bound."""
    parties = tuple(Writer(stack.vocabulary).party(stack.rules[label]) for label in suspect.labels)
    if suspect.kind == "overlap":
        return RulesOverlap(suspect.term, parties[0], parties[1], suspect.when, witness, bound)
    term = stack.terms[suspect.term]
    return AnswerMissing(Party(term.name, "", term.cites, term.origin), parties, suspect.when, witness, bound)
