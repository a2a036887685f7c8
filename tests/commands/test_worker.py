"""A second process: what it comes to is the same as without it, whatever happens to it."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from compiler.analysis.budgets import MOST_STEPS
from rulewright import worker
from rulewright.checking import check_stack
from rulewright.new_packages import new_game
from rulewright.worker import Future, Jobs, Worker, run_parallel, worker_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
HERE = os.getpid()


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "count_cores", lambda: 2)
    # Other tests may have left threads behind; none of them holds a lock that a worker here would wait for.
    monkeypatch.setattr(worker, "threading", SimpleNamespace(active_count=lambda: 1))


def fail_elsewhere() -> int:
    if os.getpid() != HERE:
        raise ValueError
    return os.getpid()


def die_elsewhere() -> int:
    if os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def test_the_work_is_done_by_another_process() -> None:
    with run_parallel(os.getpid) as result:
        assert result() != os.getpid()


def test_one_core_works_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "count_cores", lambda: 1)
    with run_parallel(os.getpid) as result:
        assert result() == os.getpid()


def test_it_is_known_who_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    with worker_for(future := Future(os.getpid)):
        assert future.is_elsewhere
        future.result()
        assert not future.is_elsewhere
    monkeypatch.setattr(worker, "count_cores", lambda: 1)
    with worker_for(future := Future(os.getpid)):
        assert not future.is_elsewhere


@pytest.mark.parametrize(("cores", "is_written"), [(1, False), (2, True)])
def test_a_check_writes_stacks_only_while_it_waits_for_a_worker(
    cores: int, is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does all the work itself writes them at its end, after its reply."""
    monkeypatch.setattr(worker, "count_cores", lambda: cores)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    written: list[int] = []
    monkeypatch.setattr("rulewright.library.cache.write_pending", lambda: written.append(cores))
    new_game("toy", tmp_path / "set")
    check_stack("toy", [tmp_path / "set"], MOST_STEPS)
    assert bool(written) is is_written


@pytest.mark.parametrize("work", [fail_elsewhere, die_elsewhere])
def test_what_a_worker_cannot_do_is_done_here(work: Callable[[], int], capfd: pytest.CaptureFixture[str]) -> None:
    with run_parallel(work) as result:
        assert result() == os.getpid()
    assert capfd.readouterr() == ("", "")


def test_what_cannot_travel_is_made_here() -> None:
    with run_parallel(lambda: lambda: 5) as result:
        assert result()() == 5


def test_a_worker_that_nobody_waits_for_is_stopped() -> None:
    def wait() -> None:
        signal.pause()

    waiting = Worker(Future(wait))
    process = waiting._process
    assert process
    waiting.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(process, os.WNOHANG)


def test_each_result_is_there_as_soon_as_it_is_made() -> None:
    def wait() -> None:
        signal.pause()

    first, then = Future(os.getpid), Future(wait)
    with worker_for(first, then):
        assert first.result() != os.getpid()


def test_of_work_in_turn_what_a_worker_did_before_it_died_counts() -> None:
    first, then = Future(os.getpid), Future(die_elsewhere)
    with worker_for(first, then):
        assert then.result() == os.getpid()
        assert first.result() != os.getpid()


def test_a_fork_that_is_refused_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    with run_parallel(os.getpid) as result:
        assert result() == os.getpid()


def test_jobs_are_shared_and_each_is_done_once() -> None:
    jobs = Jobs([lambda at=at: (at, os.getpid()) for at in range(6)])  # type: ignore[misc]
    with run_parallel(jobs.take) as result:
        second_result = result()
    first_job = jobs.take()
    assert first_job == {}
    assert [at for at, _ in jobs.results(first_job, second_result)] == [*range(6)]
    assert os.getpid() not in {pid for _, pid in second_result.values()}


def test_jobs_that_a_worker_did_not_end_are_done_here() -> None:
    jobs = Jobs([fail_elsewhere, os.getpid, die_elsewhere])
    with run_parallel(jobs.take) as result:
        done = result()
    assert jobs.results(done) == [os.getpid()] * 3


def test_jobs_without_a_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "count_cores", lambda: 1)
    jobs = Jobs([os.getpid, os.getpid])
    with run_parallel(jobs.take) as result:
        assert jobs.results(jobs.take(), result()) == [os.getpid()] * 2


@pytest.mark.parametrize("count", [256, 25_001])
def test_there_may_be_any_number_of_jobs(count: int) -> None:
    jobs = Jobs([lambda at=at: at for at in range(count)])  # type: ignore[misc]
    with run_parallel(jobs.take) as result:
        assert jobs.results(jobs.take(), result()) == [*range(count)]
