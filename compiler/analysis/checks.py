"""The checks: what each examines, and all that examine the same.

A check is a function in a file of findings/, beside the finding that it yields. Its decorator states what it examines;
mypy compares that with its argument. unguarded_step.py and contrary_aim.py are searches, called where their arguments
are at hand.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from compiler.analysis import findings
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import Finding, load_findings
from runtime.graph import nodes as graph

StackCheck = Callable[[graph.Graph], Iterator[Finding]]
TermCheck = Callable[[ProofContext], Iterator[Finding]]
StackCheckT = TypeVar("StackCheckT", bound=StackCheck)
TermCheckT = TypeVar("TermCheckT", bound=TermCheck)

_of_stack: list[StackCheck] = []
_of_examples: list[StackCheck] = []
_of_card: list[StackCheck] = []
_of_term: list[TermCheck] = []


def check_of_stack(check: StackCheckT) -> StackCheckT:
    """Register a check of a whole stack, which reads no example."""
    _of_stack.append(check)
    return check


def check_of_examples(check: StackCheckT) -> StackCheckT:
    """Register a check of a stack that reads its examples: after an edit of one it is repeated."""
    _of_examples.append(check)
    return check


def check_of_card(check: StackCheckT) -> StackCheckT:
    """Register a check of the stack of a situation card."""
    _of_card.append(check)
    return check


def check_of_term(check: TermCheckT) -> TermCheckT:
    """Register a check of the rules of one term, which asks its proof context."""
    _of_term.append(check)
    return check


def checks_of_stack() -> list[StackCheck]:
    """Return the checks of a stack, except those that read examples."""
    return _loaded(_of_stack)


def checks_of_examples() -> list[StackCheck]:
    """Return the checks that read examples; what all others and the proofs find does not depend on examples."""
    return _loaded(_of_examples)


def checks_of_card() -> list[StackCheck]:
    """Return the checks of the stack of a card."""
    return _loaded(_of_card)


def checks_of_term() -> list[TermCheck]:
    """Return the checks of one term."""
    return _loaded(_of_term)


CheckT = TypeVar("CheckT", StackCheck, TermCheck)


def _loaded(checks: list[CheckT]) -> list[CheckT]:
    """Return the checks in the order of their files, of which the first call imports all."""
    load_findings(findings.__name__)
    return sorted(checks, key=lambda check: check.__module__)
