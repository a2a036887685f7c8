"""`python3 -m tests --changed [REV]`: run the tests nearest to the files that differ from a revision.

Input: the files that git reports as different from the last commit, or from the named revision. Output: the test files
that depend on them, nearest first. The distance of a Python file is the number of imports on the shortest path from the
test to it; that of any other file is counted from the nearest file that mentions its name. After `SECONDS` no further
test starts; the last line reports how many tests and test files were left out, so that this is not mistaken for the
whole run.
"""

import re
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 24
# The number of test files that are collected; those farther away are not.
MOST_FILES = 12
# The number of tests that run even if collection used up the time.
FEWEST = 3
FOLDERS = ("runtime", "compiler", "rulewright", "docs", "editors", "bench", "tests")
# The test that compiles every layer and plays its examples.
SHIPPED = "tests/shipped/test_stacks.py"
# The distance of a test that names only the first folder of a changed file; deeper folders are nearer.
BY_FOLDER = 3

_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n]+)|import ([\w.]+))", re.MULTILINE)
_WORD = re.compile(r"\w+")


def changed_files(revision: str = "HEAD", root: Path = ROOT) -> list[str]:
    """List the files that differ from a revision, new and deleted ones included; ValueError if git fails."""
    return sorted(
        {
            *_git(root, "diff", "--name-only", "--relative", revision, "--"),
            *_git(root, "ls-files", "--others", "--exclude-standard"),
        }
    )


def _git(root: Path, *words: str) -> list[str]:
    try:
        run = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError:
        raise ValueError("--changed asks git, which is not here") from None
    if run.returncode:
        raise ValueError(f"--changed: {run.stderr.strip()}")
    return run.stdout.splitlines()


def sources(root: Path = ROOT) -> dict[str, str]:
    """Read all Python files of the clone, by path."""
    files = (file for folder in FOLDERS for file in sorted((root / folder).rglob("*.py")))
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in files}


def imported(text: str, known: Iterable[str]) -> set[str]:
    """List the known files that a source imports, at its top or within functions."""
    files = set(known)
    found: set[str] = set()
    for of, names, plain in _IMPORT.findall(text):
        module = (of or plain).replace(".", "/")
        inside = (f"{module}/{name}.py" for name in _WORD.findall(names))
        found |= {f"{module}.py", f"{module}/__init__.py", *inside} & files
    return found


def distances(changed: Sequence[str], texts: Mapping[str, str]) -> dict[str, int]:
    """Return for each test file that depends on a changed file the number of imports between them."""
    known = {*texts, *changed}
    importers: dict[str, list[str]] = {}
    for file, text in texts.items():
        for target in imported(text, known):
            importers.setdefault(target, []).append(file)
    reached: dict[str, int] = {}
    beginning = sorted((away, file) for of in changed for file, away in _start_files(of, texts).items())
    for away, file in beginning:
        waiting = deque([(file, away)])
        while waiting:
            here, steps = waiting.popleft()
            if reached.get(here, steps + 1) <= steps:
                continue
            reached[here] = steps
            waiting.extend((each, steps + 1) for each in importers.get(here, ()))
    return {file: steps for file, steps in reached.items() if is_test(file)}


def _start_files(changed: str, texts: Mapping[str, str]) -> dict[str, int]:
    """Return the files where a search for importers starts, by distance: the changed file, and tests that name it."""
    path = Path(changed)
    if path.name == "conftest.py":
        return {file: 1 for file in texts if is_test(file) and path.parent in Path(file).parents}
    found: dict[str, int] = {}
    for depth, folder in enumerate(path.parts[:-1]):
        away = max(BY_FOLDER - depth, 1)
        found |= {file: away for file, text in texts.items() if is_test(file) and f'"{folder}"' in text}
    if path.suffix == ".py":
        return found | {changed: 0}
    if path.parts[0] == "rules":
        found |= {file: 2 for file, text in texts.items() if is_test(file) and f'"{layer_of(path)}"' in text}
    found |= {file: 1 for file, text in texts.items() if path.name in text}
    return found | ({SHIPPED: 0} if path.parts[0] == "rules" and SHIPPED in texts else {})


def is_test(file: str) -> bool:
    """Return whether pytest collects a file."""
    return file.startswith("tests/") and Path(file).name.startswith("test_")


def layer_of(path: Path, root: Path = ROOT) -> str:
    """Name the layer of a file of rules/; a file outside of all layers gives its own name."""
    return next((each.name for each in path.parents if (root / each / "layer.yaml").is_file()), path.stem)


def nearest(changed: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """Order the test files that depend on changed files by distance, by words shared with their paths, and by size."""
    found = distances(changed, texts)
    words = {part.removesuffix(".py").removeprefix("test_") for file in changed for part in Path(file).parts}

    def rank(file: str) -> tuple[int, int, int, str]:
        own_words = {Path(file).stem.removeprefix("test_"), Path(file).parent.name}
        return found[file], -len(own_words & words), len(texts.get(file, "")), file

    return sorted(found, key=rank)


@dataclass(slots=True)
class Nearest:
    """A plugin of pytest that runs tests named after changed files first, and starts none after `SECONDS`."""

    names: frozenset[str]
    order: Mapping[str, int]
    farther: int
    began_at: float = field(default_factory=time.monotonic)
    run: int = 0
    left: int = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests: those parametrized by a changed file or layer first, then by the distance of their files."""
        items.sort(key=lambda item: (self.order.get(item.nodeid.split("::")[0], 0), not self._named(item)))
        items.sort(key=lambda item: not self._named(item))

    def _named(self, item: pytest.Item) -> bool:
        return any(f"[{name}]" in item.name for name in self.names)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Leave a test out if the time is up and `FEWEST` tests have run."""
        if self.run < FEWEST or time.monotonic() - self.began_at < SECONDS:
            self.run += 1
            return None
        self.left += 1
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print how many tests and test files were left out."""
        if self.left or self.farther:
            terminalreporter.write_line(
                f"{SECONDS} seconds: {self.left} tests and {self.farther} test files that are farther from the change "
                "were left out; `python3 -m tests` runs them too"
            )


def run_changed(arguments: Sequence[str], revision: str) -> int:
    """Run the tests nearest to the files that differ from a revision; return the exit code."""
    try:
        changed = changed_files(revision)
    except ValueError as error:
        print(error)  # noqa: T201
        return 2
    if not changed:
        print(f"nothing differs from {revision}; `--changed=REV` looks at what has changed since REV")  # noqa: T201
        return 0
    texts = sources()
    found = nearest(changed, texts)
    text = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
    print(f"{len(changed)} changed: {text}; {len(found)} test files rest on that")  # noqa: T201
    if not found:
        return 0
    chosen = [file for file in found if file in texts][:MOST_FILES]
    order = {file: at for at, file in enumerate(chosen)}
    plugin = Nearest(frozenset(_names(changed)), order, len(found) - len(chosen))
    return int(pytest.main([*arguments, *chosen], plugins=[plugin]))


def _names(changed: Iterable[str]) -> Iterator[str]:
    for path in map(Path, changed):
        yield layer_of(path) if path.parts[0] == "rules" else path.name
