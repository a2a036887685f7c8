"""A `check` of the largest game after an edit: by the command, and the findings of the rules in an editor.

In seconds of time and not of a core, as `check` works with two processes. Each round edits a text that was not seen
before, in a copy of the program that git keeps, as most rules are kept.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path

from bench.compiling import GAME, environment_with
from bench.finding import Finding
from rulewright.library.shipped_folders import rules_folder
from rulewright.serve.editor.proving import Prover

SECTION = "checking"
FILE = "games/panzer_leader/forts.rules"
PACKAGES = ("compiler", "runtime", "rulewright", "rules")
PROJECT = ("pyproject.toml", "README.md")
WANTED = 1.0  # Seconds.
LAW = "when u is fired\n"
EDITS: dict[str, Callable[[str, int], str]] = {
    "nothing": lambda text, _: text,
    "a comment": lambda text, number: f"{text}\n# {number}\n",
    "an example": lambda text, number: (
        f'{text}\nexample "a car {number}" {{\n  row A\n  piece P: puma at A\n  ask counts_hard(P) = yes\n}}\n'
    ),
    "a law": lambda text, number: text.replace(LAW, f"when u is fired and game.turn > {number}\n", 1),
}


def checking(*, quick: bool) -> Iterator[Finding]:
    """Measure it, after one `check` from nothing."""
    rounds = 1 if quick else 3
    with tempfile.TemporaryDirectory() as place, ExitStack() as until:
        copy = Path(place, "copy")
        copy.mkdir()
        # Modules compiled once, as in any folder that Python may write to.
        compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{place}/modules"}
        until.enter_context(environment_with(RULEWRIGHT_CACHE=f"{place}/cache", PYTHONPATH=str(copy), **compiled))
        for name in PACKAGES:
            shutil.copytree(rules_folder().parent / name, copy / name)
        for name in PROJECT:
            shutil.copy(rules_folder().parent / name, copy)
        for command in (("init", "-q"), ("add", "-A"), ("-c", "user.name=x", "-c", "user.email=x", "commit", "-qmx")):
            subprocess.run(("git", *command), cwd=copy, check=True)
        path, numbers = copy / "rules" / FILE, count()
        text = path.read_text(encoding="utf-8")
        _checked(copy)
        for what, edit in EDITS.items():
            spent = []
            for _ in range(rounds):
                path.write_text(edit(text, next(numbers)), encoding="utf-8")
                spent.append(_spent(partial(_checked, copy)))
            yield _held(f"`check {GAME}` after an edit of {what} / {WANTED:.0f} s", min(spent))
        path.write_text(text, encoding="utf-8")
        texts = [EDITS["a law"](text, next(numbers)) for _ in range(rounds + 1)]
        first, last = asyncio.run(_in_editor(path, texts))
    yield _held(f"in an editor, a law edited: what the rules of {GAME} prove / {WANTED:.0f} s", first)
    yield _held(f"in an editor, a law edited: cards and walks of {GAME} as well / {WANTED:.0f} s", last)


def _held(name: str, spent: float) -> Finding:
    return Finding(SECTION, name, "s", spent, WANTED, spent / WANTED, 1.0)


def _spent(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def _checked(copy: Path) -> None:
    command = (sys.executable, "-m", "rulewright", "check", GAME)
    completed = subprocess.run(command, cwd=copy, env=dict(os.environ), capture_output=True, text=True, check=False)
    if "0 errors" not in completed.stdout:
        raise RuntimeError(completed.stdout + completed.stderr)


async def _in_editor(path: Path, texts: list[str]) -> tuple[float, float]:
    """Prove one text after the other; give the least seconds to what the rules prove, and to all."""
    durations: asyncio.Queue[float] = asyncio.Queue()
    prover = Prover(lambda _path, _found: durations.put_nowait(time.perf_counter()))
    early, late = [], []
    try:
        for text in texts:
            began = time.perf_counter()
            prover.begin([{"path": str(path), "text": text, "packages": [], "steps": 1_000_000, "buffers": {}}], 0)
            early.append(await durations.get() - began)
            late.append(await durations.get() - began)
    finally:
        prover.stop()
        prover.close()
        await asyncio.sleep(0.1)  # Until the loop has seen the process end.
    return min(early[1:]), min(late[1:])  # The first compiles what later ones have at hand.
