"""A real scheduler with two workers gives the same results as one process."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from rulewright.cli.app import run
from runtime.experiment.cluster import NoCluster, connect_cluster, no_listener
from runtime.experiment.processes import play_range
from tests.lab import bench
from tests.lab.killing import ROOT
from tests.sample import LONG, sampled

pytest.importorskip("distributed", reason="the extra `cluster` is not installed: NOTHING OF DASK IS TESTED")

PATIENCE = 60


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a scheduler and two workers as processes, and yield the address."""
    folder = tmp_path_factory.mktemp("dask")
    known = folder / "scheduler.json"
    scheduler = start("dask_scheduler", folder, "--port", "0", "--no-dashboard", "--scheduler-file", str(known))
    workers = [
        start("dask_worker", folder, "--scheduler-file", str(known), "--nthreads", str(threads), "--no-dashboard")
        for threads in (1, 2)
    ]
    try:
        yield where(known)
    finally:
        for process in (*workers, scheduler):
            process.kill()  # On SIGTERM they would wait for each other for seconds.
        for process in (*workers, scheduler):
            process.wait(PATIENCE)


def start(what: str, folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    """Start a process of distributed that can import this clone."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    call = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from distributed.cli.{what} import main; main()"
    return subprocess.Popen([sys.executable, "-c", call, *options], cwd=folder, **quiet)  # type: ignore[call-overload,no-any-return]  # two of many options


def where(known: Path, workers: int = 2) -> str:
    """Wait for the scheduler and its workers; return the address."""
    from distributed import Client  # noqa: PLC0415 -- an extra

    for _ in range(PATIENCE * 10):
        if known.exists():
            break
        sleep(0.1)
    with Client(scheduler_file=str(known), timeout=PATIENCE) as client:
        client.wait_for_workers(workers, timeout=PATIENCE)
        return str(client.scheduler.address)


@sampled(0)
def test_a_cluster_gives_the_same_rows(address: str) -> None:
    plan = bench.race(both=True).plan()
    with connect_cluster(address, tell=no_listener) as pool:
        assert pool.workers == 3
        assert list(play_range(pool, plan, 0, 30)) == list(play_range(bench.ALONE, plan, 0, 30))


@LONG
@pytest.mark.parametrize("games", [9, 25])
def test_a_cluster_gives_the_same_summary(games: int, address: str) -> None:
    with connect_cluster(address, tell=no_listener) as pool:
        assert bench.run(bench.race(), games, pool) == bench.run(bench.race(), games)


@LONG
def test_no_package_logs_a_lost_scheduler(address: str) -> None:
    """Each of these would log a traceback when a connection closes during a read."""
    with connect_cluster(address, tell=no_listener):
        for name in ("distributed.client", "tornado.application", "asyncio"):
            assert not logging.getLogger(name).isEnabledFor(logging.CRITICAL), name


def test_an_address_without_a_scheduler_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(NoCluster, match="no scheduler answers at nowhere"),
        connect_cluster("nowhere:at-all", tell=no_listener),
    ):
        pass
    command = ["compare", "skirmish", "--path", str(bench.PACKAGES), "--dask", "nowhere:at-all", "-n", "1"]
    assert run(command) == 2
    assert "`--dask`: no scheduler answers" in capsys.readouterr().err
