"""Situations imported from the public facts, and played by the ordinary commands.

The facts are not part of this repository. RULEWRIGHT_FACTS names their folder; without it, a folder `facts` is searched
for near the clone. They are a folder of plain facts as docs/importing.md describes it.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.commands.planting import say

ROOT = Path(__file__).parents[2]
MARK = "boards/board-01.yaml"

# The option with which situations of a family are played a second time.
OPTIONS = {
    "panzer_leader": "opportunity_fire",
    "pl1940": "opportunity_fire",
    "panzerblitz": "pb_mounted_guns",
    "panssari_salama": "pb_mounted_guns",
}
TWENTY = [
    *(f"opb_panzer_leader_{number:02d}" for number in (4, 6, 7, 8, 9, 10, 14, 16, 20)),
    *(f"opb_panzerblitz_{number:02d}" for number in (1, 2, 3, 5, 6, 8)),
    "opb_paths_of_rommel_47",
    "opb_russia_1941_03",
    "opb_russia_1941_05",
    "opb_winter_war_03",
    "opb_winter_war_05",
]


@dataclass(frozen=True, slots=True)
class Game:
    """One game as the command reports it."""

    name: str
    rules: str
    players: str
    seed: str
    code: int
    data: dict[str, Any]
    message_text: str


def find_facts() -> Path | None:
    """Return the folder of the facts, or None."""
    named = os.environ.get("RULEWRIGHT_FACTS")
    if named:
        return Path(named)
    near = (place for up in ROOT.parents[:2] for place in sorted(up.glob("*/facts")))
    return next((place for place in near if (place / MARK).is_file()), None)


def stacks_of(name: str, package: Path) -> list[str]:
    """Return the two stacks of a situation: its own, and its own with an option."""
    card = (package / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
    uses = next(line.removeprefix("uses: ") for line in card.splitlines() if line.startswith("uses: "))
    return [uses, f"{uses}+{OPTIONS[uses.partition('+')[0]]}"]


def games(names: list[str], package: Path, players: list[str], seed: str) -> Iterator[Game]:
    """Play every situation on both its stacks, and yield the games."""
    for name in names:
        for rules in stacks_of(name, package):
            for player in players:
                command = ["play", name, "--rules", rules, "--players", player, "--seed", seed]
                done = say([*command, "--path", str(package), "--format", "json"])
                data = json.loads(done.out) if done.code == 0 else {}
                yield Game(name, rules, player, seed, done.code, data, done.out + done.err)
