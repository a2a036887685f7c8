"""Kills `compare` at random moments, resumes it, and compares its result with that of an uninterrupted run.

Every run is a process of its own and is killed with SIGKILL, which cannot be caught. A chain kills one experiment
repeatedly and then lets it finish; file and printed data must have the same bytes.
"""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from rulewright.write.new_packages import new_game
from runtime.play.dice import Stream

ROOT = Path(__file__).resolve().parents[2]
GAMES = 60
VARIANT = {
    "layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
    "sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1]}\n",
    "mine.rules": 'rule dear-marsh [V.1] "Marshes are dearer."\n  replaces cell price[marsh, foot] = 3 MP by 5 MP\n',
}


@dataclass(slots=True)
class Kills:
    """Counts of kills: in total, between games, with a truncated line, and after the end.

    And the results that differ.
    """

    folder: Path
    jobs: int = 1
    done: int = 0
    playing: int = 0
    torn: int = 0
    unhurt: int = 0
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0
    wanted: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        """Write the game, and run the experiment without interruption."""
        self.plant(self.folder)
        self.finish("warm")  # Compiles and fills caches, which no later run does.
        began = monotonic()
        self.wanted = self.finish("undisturbed")
        self.seconds = monotonic() - began

    @staticmethod
    def plant(folder: Path) -> None:
        """Write a toy game and a variant of it."""
        new_game("toy", folder / "packages")
        (folder / "packages" / "mine").mkdir()
        for name, text in VARIANT.items():
            (folder / "packages" / "mine" / name).write_text(text)

    def start(self, name: str) -> "subprocess.Popen[bytes]":
        """Start or resume an experiment."""
        command = [
            sys.executable, "-m", "rulewright", "compare", "first_toy", "--rules", "toy", "--rules", "mine",
            "--path", "packages", "-n", str(GAMES), "-j", str(self.jobs), "--players", "random",
            "--out", f"{name}.jsonl", "--format", "json",
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with (self.folder / f"{name}.err").open("wb") as error_output:
            return subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=error_output
            )

    def finish(self, name: str) -> tuple[bytes, ...]:
        """Run an experiment to its end; return its output, and results, or its error."""
        process = self.start(name)
        printed, _ = process.communicate()
        if process.returncode:
            error = (self.folder / f"{name}.err").read_text()
            return (f"exits with {process.returncode}: {error}".encode(),)
        return printed, (self.folder / f"{name}.jsonl").read_bytes()

    def kill(self, name: str, rows: int, after: float) -> None:
        """Start an experiment, and kill it `after` seconds after `rows` games are written, or after its start."""
        process = self.start(name)
        file = self.folder / f"{name}.jsonl"
        while rows and process.poll() is None and len(written(file)) <= rows:
            sleep(0.002)
        sleep(after)
        process.kill()
        process.communicate()
        self.done += 1
        self.unhurt += process.returncode == 0
        lines = written(file)
        self.playing += 0 < len(lines) <= GAMES
        self.torn += bool(lines) and not lines[-1].endswith(b"\n")


def written(file: Path) -> list[bytes]:
    """Read the lines of the results: a heading and a line a game."""
    return file.read_bytes().splitlines(keepends=True) if file.exists() else []


def chain(kills: Kills, name: str, times: int) -> None:
    """Kill an experiment `times` times, finish it, and compare its result."""
    for number in range(times):
        chance = Stream(name, str(number))
        drawn = chance.draw(1000) / 1000
        there = len(written(kills.folder / f"{name}.jsonl"))
        # The start takes most of a run and has little to lose: one kill in four is in it.
        if chance.draw(4) == 0:
            kills.kill(name, 0, kills.seconds * drawn / 2)
        else:
            kills.kill(name, max(1, there) + chance.draw(max(1, GAMES // times)), drawn / 50)
    found = kills.finish(name)
    if found != kills.wanted:
        kills.differences.append(f"{name}: {first_difference(found, kills.wanted)}")


def first_difference(found: tuple[bytes, ...], wanted: tuple[bytes, ...]) -> str:
    """Return the error of a failed run, or the first difference from the expected result."""
    if len(found) != len(wanted):
        return found[0].decode(errors="replace")[-2000:]
    here, there = next((here, there) for here, there in zip(found, wanted, strict=True) if here != there)
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"byte {at}: {here[max(0, at - 80) : at + 80]!r} instead of {there[max(0, at - 80) : at + 80]!r}"
