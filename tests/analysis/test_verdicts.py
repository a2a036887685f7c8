"""The solver decides once whether formulas are satisfiable; later processes reuse the verdict and its steps."""

from fractions import Fraction

from compiler.analysis.formula import Conjunction, Disjunction, Formula, Holds, Negation, Sum, Unknown
from compiler.analysis.proof_context import ProofStrategy
from compiler.analysis.solve import TOO_MANY, Assignment, TooManyCases, solve
from compiler.analysis.space import YES_NO_OPTIONS, NumberInterval, Space
from compiler.analysis.translate import Translator
from compiler.analysis.verdicts import memoizing_strategy
from compiler.query.traces import StoredTrace


class Memory:
    """A trace store in memory."""

    def __init__(self) -> None:
        self.stored: dict[str, list[StoredTrace]] = {}

    def traces(self, key: str) -> list[StoredTrace]:
        """Return the traces that are stored under a key."""
        return self.stored.get(key, [])

    def add(self, key: str, trace: StoredTrace) -> None:
        """Store another trace."""
        self.stored.setdefault(key, []).append(trace)


class Counted:
    """A solver that counts its questions, and gives up if `gives_up` is set."""

    def __init__(self, *, gives_up: bool = False) -> None:
        self.question_count = 0
        self.gives_up = gives_up

    def __call__(self, space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:
        """Count a question, and answer it."""
        self.question_count += 1
        return TOO_MANY if self.gives_up else solve(space, *formulas, example=example)


def space_of(*names: str) -> Space:
    space = Space()
    for name in names:
        space.add_unknown(name, YES_NO_OPTIONS if name.islower() else NumberInterval(0, 9))
    return space


def test_a_verdict_is_reused_under_other_numbers_of_unknowns() -> None:
    store, counted = Memory(), Counted()
    one, other = space_of("a", "b"), space_of("c", "b", "a")
    never, at_times = Conjunction((Unknown(0), Negation(Unknown(0)))), Disjunction((Unknown(0), Unknown(1)))
    solve = memoizing_strategy(ProofStrategy(Translator, counted), store).solve
    assert solve(one, never) is None
    assert solve(one, at_times) == {0: False, 1: True}
    second_solve = memoizing_strategy(ProofStrategy(Translator, counted), store).solve
    assert second_solve(other, Conjunction((Unknown(2), Negation(Unknown(2))))) is None
    assert second_solve(other, Disjunction((Unknown(2), Unknown(1))), example=False) == {}
    assert counted.question_count == 2
    assert second_solve(other, Disjunction((Unknown(2), Unknown(1)))) == {
        2: False,
        1: True,
    }  # A stored verdict has no assignment, so the solver is asked again.
    assert second_solve(other, Disjunction((Unknown(0), Unknown(1))), example=False) == {
        0: False,
        1: True,
    }  # The unknowns have other names, so this is another question.
    assert counted.question_count == 4


def test_an_equal_formula_over_another_domain_is_another_question() -> None:
    store, counted = Memory(), Counted()
    solve = memoizing_strategy(ProofStrategy(Translator, counted), store).solve
    small, large = Space(), Space()
    small.add_unknown("N", NumberInterval(0, 9))
    large.add_unknown("N", NumberInterval(0, 99))
    above = Holds(Sum(((Fraction(1), Unknown(0)),), Fraction(-50)), ">")
    for space in (small, large):
        space.add_cut(0, Fraction(50))
    assert solve(small, above) is None
    assert solve(large, above) is not None
    assert counted.question_count == 2
