"""Pairs of options of the two small documents compile, and all options of one game are played together."""

from itertools import combinations

import pytest

from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import PackageSet
from tests.sample import first_of_each, sampled
from tests.soak.games import Soak
from tests.soak.stacks import compiled, options, package_set, together

PACKAGES = package_set()
PAIRS = [
    *combinations(options(PACKAGES, "panzer_grenadier"), 2),
    *combinations([name for name in options(PACKAGES, "panzerblitz") if name.startswith("panzerbitz")], 2),
]


@pytest.fixture(scope="module")
def found() -> PackageSet:
    """Return the shipped packages with the layers that watch them."""
    return PACKAGES


@pytest.mark.parametrize("pair", first_of_each(PAIRS, lambda pair: pair[0]), ids="+".join)
def test_two_options_compile_together(found: PackageSet, pair: tuple[str, str]) -> None:
    stack = found.compiled("+".join(pair))
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]


@sampled(0)
def test_all_options_are_played_at_hazel_ford(found: PackageSet) -> None:
    card = found.library.scenarios["hazel_ford"]
    stack = together(found, card.uses.text, options(found, card.uses.text))
    rules = compiled(found, card, stack)
    assert rules.scenario is not None
    soak = Soak(rules, stack, hears=False)
    for number in range(2):
        soak.play(dict.fromkeys(rules.scenario.order, "random"), f"sample-{number}")
    assert not soak.tally.wrong
    assert {"drive", "bombard", "lay", "mount_up", "plot_hex"} <= set(soak.tally.option_counts)
