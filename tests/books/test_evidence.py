"""The outcomes of a book's examples do not depend on the number of processes, even if the budget ends."""

import os
from types import SimpleNamespace

import pytest

from rulewright.book.book_evidence import ExampleEvidence, gather_evidence
from rulewright.library import cache
from rulewright.library.stacks import open_packages
from rulewright.system import worker
from runtime.examples import example_budget

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
STACK = "low_tide"
# The default budget, and one that ends before the examples do.
AMPLE, SCANT = example_budget.MOST_OF_ALL, 200


def gather(monkeypatch: pytest.MonkeyPatch, cores: int) -> ExampleEvidence:
    """Play the examples in a number of processes, without the cache."""
    monkeypatch.setattr(worker, "count_cores", lambda: cores)
    # Other tests may have left threads; none of them holds a lock that a worker here waits for.
    monkeypatch.setattr(worker, "threading", SimpleNamespace(active_count=lambda: 1))
    monkeypatch.setattr(cache, "remember_result", lambda _key, make, **_: make())
    package_set = open_packages(())
    package_set.require_layers(STACK)
    return gather_evidence(package_set, package_set.compiled(STACK))


@pytest.mark.parametrize("limit", [AMPLE, SCANT])
def test_two_processes_have_the_outcomes_of_one(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(example_budget, "MOST_OF_ALL", limit)
    monkeypatch.setattr(example_budget, "MORE_EACH", 0)
    alone, together = gather(monkeypatch, 1), gather(monkeypatch, 2)
    assert together == alone
    assert bool(alone.failed) == (limit == SCANT)


def test_no_example_is_played_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[int] = []
    results = worker.SharedJobs.results

    def noted(jobs: worker.SharedJobs[object], *done: dict[int, object]) -> list[object]:
        shares.extend(map(len, done))
        return results(jobs, *done)

    monkeypatch.setattr(worker.SharedJobs, "results", noted)
    evidence = gather(monkeypatch, 2)
    assert sum(shares) == len(evidence.outcomes)
