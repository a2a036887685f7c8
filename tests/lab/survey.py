"""A survey of the use of the shipped options in the shipped situations by greedy players.

In: the shipped library. Out: a line of JSON for each option in each situation (`RECORDED`), from which `page.py` beside
this file writes docs/options.md. An option is a layer of kind `optional` or `experimental`; it is compared with the
game under the layers that the option is on, so that only its own changes are counted. The games of a situation are
played once for all options with the same base.

`python3 -m tests.lab survey [SITUATION ..] [--option NAME ..] [-n 3] [-j 1]` plays them and writes file and page.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from compiler.source.nodes import Layer, Scenario
from compiler.source.package import Library
from rulewright.engines import NATIVE
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.library.stacks import open_packages
from runtime.experiment.change_use import ChangeUse
from runtime.experiment.processes import start_processes

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "lab" / "options.jsonl"
SEED = "1"
OPTIONAL = frozenset({"optional", "experimental"})


@dataclass(frozen=True, slots=True)
class Survey:
    """The uses of an option in a number of games of a situation, under its base and with the option."""

    situation: str
    option: str
    than: str
    games: int
    changes: tuple[ChangeUse, ...]


@cache
def shipped() -> Library:
    """Open the shipped library."""
    return open_packages(()).library


def options() -> tuple[Layer, ...]:
    """Return the shipped options of games, without those of variants, for whose counters there are no situations."""
    layers = shipped().layers
    found = (layers[name] for name in sorted(layers) if layers[name].kind.text in OPTIONAL)
    return tuple(each for each in found if all(layers[name].kind.text != "variant" for name in stands_on(each)))


def situations() -> tuple[Scenario, ...]:
    """Return the situations that can be played without further boards."""
    found = shipped().scenarios
    bases = {name for name, layer in shipped().layers.items() if layer.kind.text == "base"}
    return tuple(found[name] for name in sorted(found) if found[name].uses.text in bases)


def stands_on(option: Layer) -> frozenset[str]:
    """Return all layers below an option."""
    layers, found, todo = shipped().layers, set[str](), [word.text for word in option.on]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [word.text for word in layers[name].on]
    return frozenset(found)


def base_of(option: Layer, game: str) -> str:
    """Return the name of the stack that an option is compared with."""
    return "+".join((game, *(word.text for word in option.on if word.text != game)))


def pairs() -> Iterator[tuple[str, str]]:
    """Yield the situations with each of their options."""
    for card in situations():
        for option in options():
            if card.uses.text in stands_on(option):
                yield card.name.text, option.name.text


def not_played(played: Collection[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the options of each situation that are not in `played`."""
    missing: dict[str, list[str]] = {}
    for situation, option in pairs():
        if (situation, option) not in played:
            missing.setdefault(situation, []).append(f"`{option}`")
    return missing


def gaps(played: Collection[tuple[str, str]]) -> str:
    """Return the text on options that were not played in a situation, or ""."""
    gap_lines = (f"- {situation}: {', '.join(names)}\n" for situation, names in not_played(played).items())
    listed = "".join(gap_lines)
    return f"\nNot played yet, so that nothing is known of them there:\n\n{listed}" if listed else ""


def options_by_base(situation: str, only: Collection[str]) -> dict[str, list[str]]:
    """Return the options of a situation, or those in `only`, by the stack that they are compared with."""
    game = shipped().scenarios[situation].uses.text
    by_base: dict[str, list[str]] = {}
    for option in options():
        if game in stands_on(option) and (not only or option.name.text in only):
            by_base.setdefault(base_of(option, game), []).append(option.name.text)
    return by_base


def survey(situation: str, only: Collection[str], games: int, jobs: int) -> Iterator[Survey]:
    """Play a situation with each of its options, or with those in `only`."""
    for base, names in options_by_base(situation, only).items():
        stacks = load_stacks(situation, [base, *(f"{base}+{name}" for name in names)], [], [])
        assert isinstance(stacks, tuple), stacks.diagnostics
        experiment = set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), SEED, None, engine=NATIVE)
        with start_processes(jobs) as pool:
            summary = experiment.run(games, pool, lambda _, __: None)
        assert not summary.broken, summary.faults
        for name, found in zip(names, summary.differences, strict=True):
            yield Survey(situation, name, base, games, tuple(found.tried))


def recorded(path: Path = RECORDED) -> tuple[Survey, ...]:
    """Read the recorded surveys."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return tuple(Survey(**{**row, "changes": tuple(ChangeUse(**each) for each in row["changes"])}) for row in rows)


def record(found: Sequence[Survey], path: Path = RECORDED) -> None:
    """Add surveys to the file in the order of situations and options, in place of earlier ones of the same pair."""
    known = {(each.situation, each.option): each for each in (*recorded(path), *found)}
    ordered = (known[pair] for pair in pairs() if pair in known)
    lines = [json.dumps(asdict(each), ensure_ascii=False) for each in ordered]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
