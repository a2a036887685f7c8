"""A sample of planted faults: each kind can be planted, nothing is found where nothing is wrong, and the measure holds.

The sample is small in every run. How many a seed finds is no promise of the next seed; what is held here is that a
change of the checks does not lose what they find by accident.
"""

from pathlib import Path

import pytest

from rulewright.library.stacks import open_packages
from tests.faults import exchanges, prose
from tests.faults.draw import DEVELOP, HELD_OUT, KINDS, all_faults, drawn, half_of
from tests.faults.fault import Fault
from tests.faults.judge import CAUSE, MISSED, Judge
from tests.sample import LONG

# Files of small packages, so that the sample takes a few seconds.
SMALL = ("games/low_tide", "games/two_clans")
# Of faults in small packages so many are drawn of each sort, and at least so many are found at the cause.
SORTS = {"text": (6, 3), "law": (3, 2)}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Copy the rules once."""
    return Judge.in_copy(tmp_path_factory.mktemp("faults"))


def test_every_kind_has_places_that_are_held_out() -> None:
    """Otherwise a kind is measured where it was developed, or nowhere; some stand in cards only, all held out."""
    halves = {kind: {half_of(each.file) for each in faults} for kind, faults in all_faults().items()}
    assert {kind for kind, found in halves.items() if HELD_OUT not in found} <= {"layer withdraws"}
    assert {kind for kind, found in halves.items() if DEVELOP not in found} <= {"data victory"}
    assert halves.keys() == set(KINDS)


@pytest.mark.parametrize("sort", ["text", pytest.param("law", marks=LONG)])
def test_a_sample_is_found(sort: str, judge: Judge) -> None:
    """Faults of small packages, by a seed."""
    count, least = SORTS[sort]
    found = [judge.judge(each, prose=each.kind in prose.READ).outcome for each in sample(sort, count)]
    assert len(found) == count
    assert found.count(CAUSE) >= least


def sample(sort: str, count: int) -> list[Fault]:
    """Draw faults of a sort from small packages, kind after kind."""
    kinds = [kind for kind in KINDS if kind.startswith(sort)]
    faults = [each for each in drawn("sample", 90, kinds=kinds) if each.file.startswith(SMALL)]
    rounds: dict[str, list[Fault]] = {}
    for each in faults:
        rounds.setdefault(each.kind, []).append(each)
    ordered = [own_faults[at] for at in range(count) for own_faults in rounds.values() if at < len(own_faults)]
    return ordered[:count]


def test_a_verb_is_exchanged_for_its_contrary() -> None:
    """Without the exchange the stack has no findings; with it, its rule has one."""
    stack = open_packages(()).compiled("long_frost").graph
    assert stack is not None
    known = exchanges.told_of(stack)
    assert known == set()
    [exchange] = [
        each for each in exchanges.exchanges(stack) if (each.label, each.now) == ("not-onto-others", "leaves")
    ]
    assert exchange.kind == "verb"
    assert exchanges.is_found(stack, exchange, known)


@LONG
@pytest.mark.parametrize(
    ("sort", "share"), [("text", 0.2), ("law", 0.75), ("step", 0.4), ("layer", 0.6), ("data", 0.3)]
)
def test_the_measure_holds(sort: str, share: float, tmp_path: Path) -> None:
    """Faults of all packages; the shares were set before a whole run and are no measure."""
    kinds = [kind for kind in KINDS if kind.startswith(sort)]
    whole = Judge.in_copy(tmp_path)
    verdicts = [whole.judge(each, prose=each.kind in prose.READ) for each in drawn("long", 4, kinds=kinds)]
    found = [each.outcome for each in verdicts]
    assert found.count(CAUSE) >= share * len(found), f"{found.count(MISSED)} of {len(found)} missed"
