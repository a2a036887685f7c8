"""Positions where two options of a game meet come out as the sources lead one to expect."""

from pathlib import Path

import pytest

from rulewright.library.example_targets import all_targets
from rulewright.library.stacks import PackageSet, open_packages
from runtime.examples.run import run_examples
from tests.sample import sampled

LAYERS = ("beside_each_other", "leaders_beside_each_other", "grenadiers_beside_each_other")
PACKAGES = open_packages(tuple(Path(__file__).parent / layer for layer in LAYERS))
STACKS = [target.name for target in all_targets(PACKAGES) if set(LAYERS) & set(target.name.split("+"))]


@pytest.fixture(scope="module")
def package_set() -> PackageSet:
    return PACKAGES


@sampled(2)
@pytest.mark.parametrize("name", STACKS)
def test_the_positions_come_out_as_expected(package_set: PackageSet, name: str) -> None:
    rules = package_set.compiled(name).graph
    assert rules is not None
    failures = [
        failure for run in run_examples(rules) if run.example.origin.layer in LAYERS for failure in run.failures
    ]
    assert not failures, failures[0]


def test_there_are_positions_of_many_pairs() -> None:
    assert len(STACKS) > 50
