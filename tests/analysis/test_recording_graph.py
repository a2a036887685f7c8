"""Memos of one stack are reused for another only if they depend on equal parts: the proofs equal new ones."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise

import pytest

from compiler.analysis.prove import prove_graph
from compiler.query.database import Database
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.mutation.declaration_mutants import counter_mutants
from runtime.mutation.law_mutants import row_mutants, without_rule
from runtime.mutation.procedure_mutants import without_body
from tests.sample import LONG, sampled


@pytest.fixture(scope="module")
def package_set() -> PackageSet:
    return open_packages()


OPTIONS = ("pg_mire", "pg_ruins", "pg_smoke", "pg_tank_riders")


def graph_of(package_set: PackageSet, name: str) -> graph.Graph:
    rules = package_set.compiled(name).graph
    assert rules is not None
    return rules


def mutated_graphs(rules: graph.Graph, every: int) -> Iterator[graph.Graph]:
    """Yield graphs that differ from this one in a single node."""
    yield from (without_rule(rules, label) for label in [*rules.rules][::every])
    for term in [*rules.terms.values()][::every]:
        if term.default is not None:
            yield replace(rules, terms={**rules.terms, term.name: replace(term, default=not term.default)})
    yield from (without_body(rules, key) for key in [*rules.procedures][::every])
    for table in rules.tables.values():
        for number in range(0, len(table.rows), 3 * every):
            yield from chain.from_iterable(mutant.variants() for mutant in islice(row_mutants(rules, table, number), 1))
    for counter in [*rules.counters.values()][:: 3 * every]:
        yield from chain.from_iterable(mutant.variants() for mutant in counter_mutants(rules, counter))


@sampled(0)
@pytest.mark.parametrize(("name", "every"), [("low_tide", 1), pytest.param("panzer_grenadier", 9, marks=LONG)])
def test_a_mutant_is_proved_as_if_it_were_new(package_set: PackageSet, name: str, every: int) -> None:
    rules = graph_of(package_set, name)
    database = Database()
    prove_graph(rules, None, database)
    found = set()
    for mutant in mutated_graphs(rules, every):
        shared = prove_graph(mutant, None, database)
        assert shared == prove_graph(mutant)
        found.add(len(shared.problems) + len(shared.suspects))
    assert len(found) > 1  # Some mutants have findings of their own.
    assert prove_graph(rules, None, database) == prove_graph(rules)


@sampled(0)
@pytest.mark.parametrize("options", [OPTIONS[:2], pytest.param(OPTIONS, marks=LONG)], ids=["two", "all"])
def test_options_are_proved_as_if_alone(package_set: PackageSet, options: tuple[str, ...]) -> None:
    database = Database()
    for top in ("", *options, *(f"{one}+{other}" for one, other in pairwise(options))):
        rules = graph_of(package_set, "+".join(filter(None, ("panzer_grenadier", top))))
        assert prove_graph(rules, None, database) == prove_graph(rules)


def test_a_second_proof_adds_no_memo_and_that_of_a_mutant_few(package_set: PackageSet) -> None:
    database = Database()
    rules = graph_of(package_set, "panzer_grenadier")
    prove_graph(rules, None, database)
    known = sum(each.memos for each in database.uses())
    prove_graph(rules, None, database)
    assert sum(each.memos for each in database.uses()) == known
    without = without_rule(rules, next(iter(rules.rules)))
    prove_graph(without, None, database)
    assert sum(each.memos for each in database.uses()) < 1.2 * known
