"""Options and fixtures of all tests; `--reset` writes the golden files again, and their diff is the review.

A test marked `long` is left out unless `--all` is given or the test is named with `::`. `--long K/N` runs one part of
the long tests, and nothing else. A run of the whole suite has of a test marked `sampled(n)` only n cases, `--rest` the
others, and nothing else; `--full` has all of them.
"""

import gc
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache as memoized
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from compiler.rulebook import book
from compiler.source.files import PackageFile, is_unsaved, read_text, walk_files
from compiler.source.finding import Finding
from compiler.source.span import NOWHERE, Span
from rulewright.library import cache
from rulewright.library.shipped_folders import rules_folder
from tests.books.browser import Tab, tab

# New objects since the last collection that start another: several times the objects of a large stack.
MUCH = 2_000_000
# The shipped stacks are 97, with scenario cards 150; the stacks that tests create are small.
STACKS_IN_MEMORY = 240
# Long tests in sequence that are in the same part.
BLOCK = 8

# The number of long tests, and of cases beyond the samples, that a run leaves out.
LEFT_OUT = pytest.StashKey[tuple[int, int]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--reset`, `--all`, `--long`, `--full` and `--rest`."""
    parser.addoption("--reset", action="store_true", help="record golden outputs again instead of comparing")
    parser.addoption("--all", action="store_true", help="run what takes long, too")
    parser.addoption("--long", metavar="K/N", type=fraction, help="run only part K of N, from 1, of what takes long")
    parser.addoption("--full", action="store_true", help="run every case of samples in a run of the whole suite, too")
    parser.addoption("--rest", action="store_true", help="run only what a run of the whole suite leaves out of samples")


def fraction(text: str) -> tuple[int, int]:
    """Parse K/N with 1 <= K <= N; ArgumentTypeError for anything else."""
    part, separator, parts = text.partition("/")
    if separator and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts):
        return int(part), int(parts)
    raise ArgumentTypeError(f"{text}: expected K/N with K from 1 to N, such as 1/12")


def pytest_configure(config: pytest.Config) -> None:
    """Turn off automatic garbage collection, and set the caches of bytecode and of compiled stacks.

    Stacks that are compiled during collection are then found by the tests, and not compiled again.
    """
    gc.disable()
    if pytest_cache := getattr(config, "cache", None):
        keep_bytecode(Path(pytest_cache.mkdir("bytecode")))
        patched = pytest.MonkeyPatch()
        patched.setenv("RULEWRIGHT_CACHE", str(pytest_cache.mkdir("rulewright")))
        # A process of a user writes one book and runs one command: the templates and the parser of the command line are
        # made once. A process of tests would make them some hundred times, a fifteenth of the time of all tests.
        templates = _TemplateCache(str(pytest_cache.mkdir("templates")))
        patched.setattr(book, "Environment", partial(Environment, bytecode_cache=templates))
        build = typer.main.get_command
        parser = memoized(lambda app, _: build(app))
        patched.setattr(typer.main, "get_command", lambda app: parser(app, tuple(app.registered_commands)))
        config.add_cleanup(patched.undo)


def keep_bytecode(folder: Path) -> None:
    """Store the bytecode of modules in a folder if Python does not write it beside the sources.

    Tests start processes, and each would compile all modules again: two thirds of its time to start.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix or str(folder)
        sys.dont_write_bytecode = False


def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules in reverse order in every second worker.

    Rewriting their assertions takes longer than the rest of the collection. So each worker rewrites half of them, and
    reads the files that the other has written.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if int(worker.removeprefix("gw") or 0) % 2 and is_whole_suite(session.config):
        folder = Path(__file__).parent
        for file in sorted(folder.rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # The collection imports it again, and reports the error.
                import_module(".".join(file.relative_to(folder.parent).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the long tests, or with `--long` all but one part of them; every run has a sample of them (sample.py).

    Parts take blocks of neighbors in turn: neighbors share fixtures, and take about as long as each other. A run of
    the whole suite deselects the cases beyond the samples as well, `--rest` all others.
    """
    if config.getoption("--all") or any("::" in named for named in config.args):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    rest: set[pytest.Item] = set()
    if part := config.getoption("--long"):
        number, parts = part
        chosen = [item for index, item in enumerate(long) if index // BLOCK % parts == number - 1]
    else:
        chosen = [item for item in items if not item.get_closest_marker("long")]
        only_rest = config.getoption("--rest")
        if only_rest or (is_whole_suite(config) and not config.getoption("--full")):
            rest = beyond_samples(chosen)
            chosen = [item for item in chosen if (item in rest) == only_rest]
    selected = set(chosen)
    config.stash[LEFT_OUT] = len(set(long) - selected), len(rest - selected)
    config.hook.pytest_deselected(items=[item for item in items if item not in selected])
    items[:] = chosen


def is_whole_suite(config: pytest.Config) -> bool:
    """Return whether a run names no folder or file."""
    return [Path(each).name for each in config.args] == ["tests"]


def beyond_samples(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the cases of tests marked `sampled(n)` without n of each test, which are spread evenly."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    numbers: dict[tuple[Path, str], int] = {}
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            test = item.path, item.nodeid.partition("[")[0]
            cases.setdefault(test, []).append(item)
            [numbers[test]] = mark.args
    found: set[pytest.Item] = set()
    for test, group in cases.items():
        sample = {index * len(group) // numbers[test] for index in range(min(numbers[test], len(group)))}
        found.update(item for index, item in enumerate(group) if index not in sample)
    return found


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the numbers of deselected tests to the process that reports, since a worker prints nothing."""
    gc.freeze()  # pytest collects garbage twice at its end, and would visit every compiled object.
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = session.config.stash.get(LEFT_OUT, (0, 0))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Store the numbers of deselected tests that a worker reports; all workers report the same."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", (0, 0))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print how many long tests, and how many cases beyond the samples, were left out."""
    long, rest = config.stash.get(LEFT_OUT, (0, 0))
    if part := config.getoption("--long"):
        number, parts = part
        terminalreporter.write_line(
            f"part {number} of {parts} of the long tests; {long} of them left out, and all others"
        )
        return
    if config.getoption("--rest"):
        terminalreporter.write_line("only what samples leave out; all others left out")
    if rest:
        terminalreporter.write_line(f"{rest} tests beyond the samples left out; `python3 -m tests --rest` runs them")
    if long:
        terminalreporter.write_line(f"{long} long tests left out; `python3 -m tests --all` runs them too")


class _TemplateCache(FileSystemBytecodeCache):
    """A store of compiled templates that is not filled while a test limits the size of files."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template, if that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@pytest.fixture
def reset(request: pytest.FixtureRequest) -> bool:
    """Return whether golden files are to be written."""
    return bool(request.config.getoption("--reset"))


@pytest.fixture(autouse=True)
def own_cache(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Set the cache of compiled stacks to a folder of the checkout, which the next run reads again.

    The name of an entry is a hash of all its inputs, the code of the compiler included, so no entry is stale. If pytest
    has no cache, each run has a folder of its own.
    """
    cache = getattr(pytestconfig, "cache", None)
    folder = Path(cache.mkdir("rulewright")) if cache else tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder))
    return folder


@pytest.fixture(autouse=True, scope="session")
def shipped_files_read_once() -> Iterator[None]:
    """List the shipped files once, and read each once: no test changes any, and each command reads five hundred."""
    shipped, known = f"{rules_folder()}{os.sep}", dict[PackageFile, tuple[str, tuple[Finding, ...]]]()
    listed: list[PackageFile] = []

    def read_once(found: PackageFile, written_at: Span = NOWHERE) -> tuple[str, tuple[Finding, ...]]:
        if is_unsaved(found) or not str(found.path).startswith(shipped):
            return read_text(found, written_at)
        if found not in known:
            known[found] = read_text(found, written_at)
        return known[found]

    def list_once(root: Path, display_name: str, found: list[Finding]) -> Iterable[PackageFile]:
        if root != rules_folder() or display_name != root.name:
            return walk_files(root, display_name, found)
        listed[:] = listed or walk_files(root, display_name, found)
        return listed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("compiler.source.content.read_text", read_once)
        patched.setattr("compiler.source.package.walk_files", list_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def keep_stacks_in_memory() -> Iterator[None]:
    """Hold more stacks in memory than are shipped, and write none of them to disk at the end.

    Tests of all stacks request each stack several times, after all the others. Writing one takes as long as compiling
    it, and the many small games of the tests would soon evict it.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cache, "MOST_IN_MEMORY", STACKS_IN_MEMORY)
        yield
    cache.forget_unwritten()


@pytest.fixture(scope="session")
def opened() -> Iterator[Tab]:
    """Open one browser tab for all tests that examine pages."""
    with tab() as found:
        yield found


@pytest.fixture(autouse=True)
def collect_garbage_between_tests() -> Iterator[None]:
    """Collect garbage after a test if more than `MUCH` objects were created since the last collection.

    Compiled stacks stay in memory, and the collector would visit their millions of objects again and again: a fifth of
    the time of all tests.
    """
    yield
    if gc.get_count()[0] > MUCH:
        gc.collect()
        gc.freeze()
