"""Rules whose guards exclude each other are found without a proof, and the prover agrees."""

from dataclasses import replace
from itertools import combinations

from bench.compiling import compile_afresh
from compiler.analysis.exclusion import (
    RequiredValues,
    are_mutually_exclusive,
    require_different_values,
    required_values,
    unexcluded_rules,
)
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proof_context import open_proof_context
from runtime.graph import nodes as graph
from tests.sample import sampled
from tests.toys.build import num, op, rule

G, D = graph.Var("g"), graph.Var("d")


def wood(name: str) -> graph.Expr:
    return graph.Member("ground", name)


def ruled(label: str, *parts: graph.Expr, defeats: tuple[str, ...] = ()) -> graph.Rule:
    return replace(rule(label, "cost", "is", num(1), guard=op("and", *parts)), defeats=defeats)


def test_guards_that_require_different_values_of_one_variable_exclude() -> None:
    in_woods = required_values(ruled("a", op("=", G, wood("woods")), op("=", D, num(1))))
    in_swamp = required_values(ruled("b", op("=", wood("swamp"), G), op(">", D, num(1))))
    on_two = required_values(ruled("c", op("=", D, num(2))))
    assert require_different_values(in_woods, in_swamp)
    assert require_different_values(in_woods, on_two)
    assert not require_different_values(in_swamp, on_two)
    assert not require_different_values(in_woods, required_values(ruled("d")))


@sampled(0)
def test_1200_rules_on_different_variables_overlap_in_all_pairs() -> None:
    """Rules that require values of different variables overlap; so do rules with one value in different units."""
    required: dict[str, RequiredValues] = {str(n): {graph.Var(str(n)): num(1)} for n in range(1_200)}
    assert {len(others) for others in unexcluded_rules(required).values()} == {1_199}
    same: dict[str, RequiredValues] = {str(n): {G: num(1, "MP" if n % 2 else "")} for n in range(20)}
    assert {len(others) for others in unexcluded_rules(same).values()} == {19}


def test_a_rule_and_its_exception_exclude_each_other() -> None:
    base, exception = ruled("base"), ruled("exception", defeats=("base",))
    assert are_mutually_exclusive(base, exception)
    assert are_mutually_exclusive(exception, base)
    assert not are_mutually_exclusive(base, ruled("other"))


def test_the_prover_agrees_on_a_shipped_stack() -> None:
    laws = laws_of(compile_afresh("low_tide"))
    seen = 0
    for term in laws.stack.terms.values():
        context = open_proof_context(laws, term, Intervals(laws.stack))
        for one, other in combinations(context.rules, 2):
            if are_mutually_exclusive(one, other) or require_different_values(
                required_values(one), required_values(other)
            ):
                seen += 1
                assert not context.is_possible(context.live[one.label], context.live[other.label])
    assert seen
