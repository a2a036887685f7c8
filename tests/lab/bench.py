"""Experiments for the tests: the hares, whose games take milliseconds, and a skirmish under the shipped rules."""

import re
from collections.abc import Sequence
from pathlib import Path

from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up, stacks_with_baseline
from runtime.experiment.processes import WorkerPool
from runtime.experiment.stopping import StoppingRule
from runtime.experiment.summary import Summary
from runtime.graph import nodes as graph
from tests.toys.hares import BOG_BARS, hares

PACKAGES = Path(__file__).parent / "packages"
ALONE = WorkerPool(None, 1)


def race(
    players: Sequence[str] = ("greedy,random",), seed: str = "x", *, both: bool = False, bar: graph.Rule = BOG_BARS
) -> Experiment:
    """Return an experiment of the hares with and without a rule, by default the one that bars bogs."""
    stacks = stacks_with_baseline([("hares", hares()), ("hares+bog", hares(bar))])
    return set_up(stacks, parse_seatings(stacks, players, swaps_sides=both), seed, "red")


def skirmish(*layers: str, ablate: Sequence[str] = ()) -> Experiment:
    """Return an experiment of the skirmish under Panzer Leader, alone and with each of these layers."""
    rules = ("panzer_leader", *(f"panzer_leader+{layer}" for layer in layers))
    stacks = load_stacks("skirmish", rules, ablate, [PACKAGES])
    return set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", "allied")


def silent(_: int, __: int) -> None:
    """Discard progress."""


def run(experiment: Experiment, games: int, pool: WorkerPool = ALONE, until: StoppingRule | None = None) -> Summary:
    """Run an experiment without storing its results."""
    return experiment.run(games, pool, silent, until)


def without_sizes(text: str) -> str:
    """Remove by how much a side wins more often from printed verdicts."""
    return re.sub(r", \w+ of \d+ games instead of \w+ \([^)]*\)", "", text)
