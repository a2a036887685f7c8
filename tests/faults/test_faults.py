"""A sample of planted faults: each kind can be planted, a stack without faults has no findings, and enough are located.

The sample is small. The share that one seed finds does not hold for the next; the tests only detect that a change of
the checks loses findings.
"""

from pathlib import Path

import pytest

from tests.faults import prose
from tests.faults.draw import DEVELOP, HELD_OUT, KINDS, all_faults, drawn, half_of
from tests.faults.fault import Fault
from tests.faults.judge import CAUSE, MISSED, Judge
from tests.sample import LONG, sampled

# Files of small packages, whose sample takes a few seconds.
SMALL = ("games/low_tide", "games/two_clans")
# By sort: the number of faults drawn, and the least number that must be located at the cause.
SORTS = {"text": (6, 3), "law": (3, 2)}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Copy the rules once."""
    return Judge.in_copy(tmp_path_factory.mktemp("faults"))


@sampled(0)
def test_nearly_every_kind_has_faults_in_both_halves() -> None:
    """One kind occurs in the first half only, and one, of cards, in the other half only."""
    halves = {kind: {half_of(each.file) for each in faults} for kind, faults in all_faults().items()}
    assert {kind for kind, found in halves.items() if HELD_OUT not in found} <= {"layer withdraws"}
    assert {kind for kind, found in halves.items() if DEVELOP not in found} <= {"data victory"}
    assert halves.keys() == set(KINDS)


@sampled(0)
@pytest.mark.parametrize("sort", ["text", pytest.param("law", marks=LONG)])
def test_enough_faults_of_a_sample_are_located(sort: str, judge: Judge) -> None:
    """A sample of faults in small packages, by a fixed seed."""
    count, least = SORTS[sort]
    found = [judge.judge(each, prose=each.kind in prose.READ).outcome for each in sample(sort, count)]
    assert len(found) == count
    assert found.count(CAUSE) >= least


def sample(sort: str, count: int) -> list[Fault]:
    """Draw faults of a sort from small packages, one of each kind in turn."""
    kinds = [kind for kind in KINDS if kind.startswith(sort)]
    faults = [each for each in drawn("sample", 90, kinds=kinds) if each.file.startswith(SMALL)]
    rounds: dict[str, list[Fault]] = {}
    for each in faults:
        rounds.setdefault(each.kind, []).append(each)
    ordered = [own_faults[at] for at in range(count) for own_faults in rounds.values() if at < len(own_faults)]
    return ordered[:count]


@LONG
@pytest.mark.parametrize(
    ("sort", "share"), [("text", 0.2), ("law", 0.75), ("step", 0.4), ("layer", 0.6), ("data", 0.3)]
)
def test_enough_faults_of_all_packages_are_located(sort: str, share: float, tmp_path: Path) -> None:
    """The required shares are those set before a whole run, and no measurement."""
    kinds = [kind for kind in KINDS if kind.startswith(sort)]
    whole = Judge.in_copy(tmp_path)
    verdicts = [whole.judge(each, prose=each.kind in prose.READ) for each in drawn("long", 4, kinds=kinds)]
    found = [each.outcome for each in verdicts]
    assert found.count(CAUSE) >= share * len(found), f"{found.count(MISSED)} of {len(found)} missed"
