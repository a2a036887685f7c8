"""A worker process: results are the same as without it, also if it fails, dies or cannot be started."""

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from select import select
from types import SimpleNamespace

import pytest

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.checks.checking import check_stack
from rulewright.system import worker
from rulewright.system.worker import Future, SharedJobs, Worker, run_parallel, worker_for
from rulewright.write.new_packages import new_game
from tests.sample import sampled

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
HERE = os.getpid()


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "count_cores", lambda: 2)
    # Other tests may have left threads running; none holds a lock that a worker of these tests needs.
    monkeypatch.setattr(worker, "threading", SimpleNamespace(active_count=lambda: 1))


def fail_elsewhere() -> int:
    if os.getpid() != HERE:
        raise ValueError
    return os.getpid()


def die_elsewhere() -> int:
    if os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def test_the_work_runs_in_another_process() -> None:
    with run_parallel(os.getpid) as result:
        assert result() != os.getpid()


@sampled(1)
@pytest.mark.parametrize(("cores", "is_written"), [(1, False), (2, True)])
def test_a_check_writes_stacks_only_while_it_waits_for_a_worker(
    cores: int, is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process without a worker writes stacks at its end, after its reply."""
    monkeypatch.setattr(worker, "count_cores", lambda: cores)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    written: list[int] = []
    monkeypatch.setattr("rulewright.library.cache.write_pending", lambda: written.append(cores))
    new_game("toy", tmp_path / "set")
    check_stack("toy", [tmp_path / "set"], MOST_PROOF_STEPS)
    assert bool(written) is is_written


@pytest.mark.parametrize("work", [fail_elsewhere, die_elsewhere])
def test_failed_work_is_repeated_in_this_process(work: Callable[[], int], capfd: pytest.CaptureFixture[str]) -> None:
    with run_parallel(work) as result:
        assert result() == os.getpid()
    assert capfd.readouterr() == ("", "")


def test_a_result_that_cannot_be_pickled_is_computed_in_this_process() -> None:
    with run_parallel(lambda: lambda: 5) as result:
        assert result()() == 5


def test_a_worker_is_killed_and_reaped_at_its_end() -> None:
    def wait() -> None:
        signal.pause()

    waiting = Worker(Future(wait))
    process = waiting._process
    assert process
    waiting.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(process, os.WNOHANG)


def test_results_of_a_worker_before_its_death_are_used() -> None:
    first, then = Future(os.getpid), Future(die_elsewhere)
    with worker_for(first, then):
        assert then.result() == os.getpid()
        assert first.result() != os.getpid()


def test_a_refused_fork_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    with run_parallel(os.getpid) as result:
        assert result() == os.getpid()


def test_each_job_runs_once() -> None:
    jobs = SharedJobs([lambda at=at: (at, os.getpid()) for at in range(6)])  # type: ignore[misc]
    with run_parallel(jobs.take) as result:
        second_result = result()
    first_job = jobs.take()
    assert first_job == {}
    assert [at for at, _ in jobs.results(first_job, second_result)] == [*range(6)]
    assert os.getpid() not in {pid for _, pid in second_result.values()}


def test_unfinished_jobs_of_a_worker_run_in_this_process() -> None:
    jobs = SharedJobs([fail_elsewhere, os.getpid, die_elsewhere])
    with run_parallel(jobs.take) as result:
        done = result()
    assert jobs.results(done) == [os.getpid()] * 3


def test_jobs_without_a_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "count_cores", lambda: 1)
    jobs = SharedJobs([os.getpid, os.getpid])
    with run_parallel(jobs.take) as result:
        assert jobs.results(jobs.take(), result()) == [os.getpid()] * 2


def wait_and_answer_much(started: Path) -> bytes:
    started.write_text(str(os.getpid()))
    time.sleep(0.2)
    return bytes(1_000_000)  # More than a pipe holds: without a reader the worker would be blocked.


def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    """It would compute for nobody, and then wait forever for a reader."""
    reading, writing = os.pipe()
    parent = os.fork()
    if not parent:
        try:
            os.close(reading)
            with run_parallel(partial(wait_and_answer_much, tmp_path / "started")):
                time.sleep(60)
        finally:
            os._exit(0)
    os.close(writing)
    while not (tmp_path / "started").exists():
        time.sleep(0.01)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    ready, _, _ = select([reading], [], [], 10)
    os.close(reading)
    if not ready:
        os.kill(int((tmp_path / "started").read_text()), signal.SIGKILL)
    assert ready, "the worker still has the pipe"


def test_a_large_result_that_nobody_reads_does_not_block_the_next() -> None:
    first, second = Future(lambda: "x" * 1_000_000), Future(os.getpid)
    with worker_for(first, second):
        assert second.result() != os.getpid()
        assert len(first.result()) == 1_000_000
