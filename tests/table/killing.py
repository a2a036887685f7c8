"""Kills processes during play at random moments, and checks that no acknowledged line of the journal is lost.

A person types `1` at every prompt and the other side plays at random, so a game does not depend on interruptions: its
journal must equal that of an uninterrupted game. A prompt on the screen acknowledges every choice before it.
"""

import os
import random
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rulewright.games.scenarios import game_of, load_scenario
from rulewright.serve.terminal.game_display import GameDisplay
from runtime.players.player import seat_players
from runtime.players.player_names import PLAYERS
from runtime.trial.interactive_game import InteractiveGame
from tests.table.scripted import Script

SCENARIO = "before_the_tide"
NAMES = {"north": "human", "south": "random"}
PROMPT = b", the Northers> "
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Whole:
    """An uninterrupted game: the lines of its journal, and for each prompt how many of them it acknowledges."""

    lines: list[str]
    acknowledged: list[int]


def whole(seed: str) -> Whole:
    """Play a game without interruption in this process."""
    rules = load_scenario(SCENARIO, None).graph
    assert rules is not None
    game = game_of(rules)
    lines: list[str] = []
    acknowledged: list[int] = []

    def typed() -> str:
        acknowledged.append(len(lines))
        return "1"

    interactive = InteractiveGame(game, game.start(seed), lines.append)
    interactive.write_heading(NAMES, seed)
    seats = seat_players({"south": PLAYERS["random"]}, seed)
    assert GameDisplay(interactive, ["north"], Script(iter(typed, None))).play(seats) is not None
    return Whole(lines, acknowledged)


@dataclass
class Killer:
    """Plays one game by processes that it kills; counts kills and truncated lines."""

    file: Path
    seed: str
    chance: random.Random
    kills: int = 0
    torn: int = 0

    def play(self, wanted: Whole, kills: int) -> None:
        """Kill `kills` processes, then let one finish; compare the journal with the whole game after each."""
        while self.kills < kills and self.session(wanted, self.chance.randrange(1, 12)):
            self.hold(wanted)
        self.session(wanted, 0)
        text = self.file.read_text(encoding="utf-8")
        assert text == "".join(f"{line}\n" for line in wanted.lines)

    def session(self, wanted: Whole, prompts: int) -> bool:
        """Continue the game, kill it shortly after `prompts` prompts (0: never), and return whether it was killed."""
        before = self.complete()
        command = (
            ["--resume", str(self.file)] if before else [SCENARIO, "--seed", self.seed, "--record", str(self.file)]
        )
        if not before:
            self.file.unlink(missing_ok=True)  # The process was killed before it wrote a line.
            command += ["--players", "human,random"]
        process = subprocess.Popen(
            [sys.executable, "-m", "rulewright", "play", *command],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"1\n" * len(wanted.acknowledged))
        process.stdin.flush()
        output = b""
        while part := os.read(process.stdout.fileno(), 4096):
            output += part
            if prompts and output.count(PROMPT) >= prompts:
                # A kill between two system calls, at a moment that depends on the machine.
                for _ in range(self.chance.randrange(0, 40_000)):
                    pass
                process.send_signal(signal.SIGKILL)
                output += process.stdout.read()
                break
        process.stdin.close()
        killed = process.wait() == -signal.SIGKILL
        self.kills += killed
        assert killed or process.returncode == 0, output.decode()
        seen = output.count(PROMPT)
        first = next((place for place, lines in enumerate(wanted.acknowledged) if lines >= max(1, before)), 0)
        if seen:
            promised = wanted.acknowledged[min(first + seen, len(wanted.acknowledged)) - 1]
            assert self.complete() >= promised, f"{promised} lines were acknowledged, {self.complete()} are there"
        return killed

    def complete(self) -> int:
        """Return the number of complete lines in the file."""
        return self.file.read_bytes().count(b"\n") if self.file.exists() else 0

    def hold(self, wanted: Whole) -> None:
        """Compare the complete lines with the whole game; sometimes append a truncated line."""
        lines = self.file.read_text(encoding="utf-8").split("\n") if self.file.exists() else [""]
        assert lines[:-1] == wanted.lines[: len(lines) - 1]
        if lines[:-1] and not lines[-1] and len(lines) <= len(wanted.lines) and self.chance.random() < 0.5:
            line = wanted.lines[len(lines) - 1]
            with self.file.open("a", encoding="utf-8") as handle:
                handle.write(line[: self.chance.randrange(1, len(line))])
            self.torn += 1
