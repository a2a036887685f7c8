"""Checks that do not depend on the examples of a stack: `check` reuses their findings if only examples have changed."""

from dataclasses import replace
from typing import Any, NoReturn

import pytest

from compiler.analysis.checks import check_of_examples, check_of_stack
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.checks.invariant_breaches import misprinted_facts
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.witness.find_witness import BOUND
from tests.proved import prove
from tests.sample import sampled


class Unread(tuple[graph.Example, ...]):
    """Examples that raise at any access."""

    __slots__ = ()

    def _read(self, *_: Any) -> NoReturn:
        raise AssertionError("looked at an example: a check that does is under `@check_of_examples`")

    __iter__ = __len__ = __getitem__ = __contains__ = __bool__ = __hash__ = __eq__ = _read


@pytest.fixture(scope="module", params=["low_tide", "panssari_salama"])
def rules(request: pytest.FixtureRequest) -> tuple[PackageSet, graph.Graph]:
    package_set = open_packages()
    rules = package_set.compiled(request.param).graph
    assert rules is not None
    assert rules.examples
    return package_set, replace(rules, examples=Unread())


@sampled(1)
def test_checks_without_examples_do_not_read_any(rules: tuple[PackageSet, graph.Graph]) -> None:
    for check in check_of_stack.checks():
        list(check(rules[1]))


def test_checks_of_examples_read_them(rules: tuple[PackageSet, graph.Graph]) -> None:
    for check in check_of_examples.checks():
        with pytest.raises(AssertionError, match="looked at an example"):
            list(check(rules[1]))


@sampled(1)
def test_proofs_do_not_read_examples(rules: tuple[PackageSet, graph.Graph], monkeypatch: pytest.MonkeyPatch) -> None:
    _, stack = rules
    monkeypatch.setattr(check_of_examples, "checks", list)
    prove(stack, lambda suspect: confirming_witness(stack, suspect), BOUND)
    list(misprinted_facts(stack))
