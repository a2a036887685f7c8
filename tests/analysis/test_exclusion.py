"""Rules that exclude each other by their guards: the result without a proof equals that of a proof."""

from dataclasses import replace
from itertools import combinations

from bench.compiling import compile_afresh
from compiler.analysis.exclusion import (
    are_distinct_constants,
    are_mutually_exclusive,
    require_different_values,
    required_values,
)
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proofs import open_proof_context
from runtime.graph import nodes as graph
from tests.toys.build import num, op, rule

G, D = graph.Var("g"), graph.Var("d")


def wood(name: str) -> graph.Expr:
    return graph.Member("ground", name)


def ruled(label: str, *parts: graph.Expr, defeats: tuple[str, ...] = ()) -> graph.Rule:
    return replace(rule(label, "cost", "is", num(1), guard=op("and", *parts)), defeats=defeats)


def test_rules_are_apart_that_want_one_thing_to_be_two() -> None:
    in_woods = required_values(ruled("a", op("=", G, wood("woods")), op("=", D, num(1))))
    in_swamp = required_values(ruled("b", op("=", wood("swamp"), G), op(">", D, num(1))))
    on_two = required_values(ruled("c", op("=", D, num(2))))
    assert require_different_values(in_woods, in_swamp)
    assert require_different_values(in_woods, on_two)
    assert not require_different_values(in_swamp, on_two)
    assert not require_different_values(in_woods, required_values(ruled("d")))


def test_only_written_values_are_unlike_for_sure() -> None:
    assert are_distinct_constants(num(1), num(2))
    assert not are_distinct_constants(num(1, "MP"), num(1))
    assert not are_distinct_constants(num(1), G)
    assert not are_distinct_constants(graph.Place("odds", "1-1", 0), graph.Place("odds", "even", 0))


def test_who_silences_whom() -> None:
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
