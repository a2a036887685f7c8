"""The checks: what each examines, and all that examine the same.

A check is a function in a file of findings/, beside the finding that it yields. Its decorator states what it examines;
mypy compares that with its argument. unguarded_step.py and contrary_aim.py are searches, called where their arguments
are at hand.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from compiler.analysis import findings
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import Finding, load_findings
from runtime.graph import nodes as graph

StackCheck = Callable[[graph.Graph], Iterator[Finding]]
TermCheck = Callable[[ProofContext], Iterator[Finding]]
CheckT = TypeVar("CheckT", StackCheck, TermCheck)
OfStack = TypeVar("OfStack", bound=StackCheck)
OfTerm = TypeVar("OfTerm", bound=TermCheck)


class _CheckRegister(Generic[CheckT]):
    """The checks that examine the same."""

    def __init__(self) -> None:
        self._checks: list[CheckT] = []

    def checks(self) -> list[CheckT]:
        """Return the checks in the order of their files, of which the first call imports all."""
        load_findings(findings.__name__)
        return sorted(self._checks, key=lambda check: check.__module__)


class _StackCheckRegister(_CheckRegister[StackCheck]):
    """Checks of a stack."""

    def __call__(self, check: OfStack) -> OfStack:
        """Register a check, as a decorator does; the check keeps its own type."""
        self._checks.append(check)
        return check


class _TermCheckRegister(_CheckRegister[TermCheck]):
    """Checks of the rules of a term."""

    def __call__(self, check: OfTerm) -> OfTerm:
        """Register a check, as a decorator does; the check keeps its own type."""
        self._checks.append(check)
        return check


# The checks of a whole stack, which read no example; those that read its examples, and are repeated after an edit of
# one; those of the stack of a situation card; those of the rules of one term, which ask its proof context.
check_of_stack = _StackCheckRegister()
check_of_examples = _StackCheckRegister()
check_of_card = _StackCheckRegister()
check_of_term = _TermCheckRegister()
