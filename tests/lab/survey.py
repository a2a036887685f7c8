"""A survey of the use of the shipped options in the shipped situations by greedy players.

In: the shipped library. Out: a line of JSON for each option in each situation (`RECORDED`), from which `page.py` beside
this file writes docs/options.md. An option is a layer of kind `optional` or `experimental`; it is compared with the
game under the layers that the option is on, so that only its own changes are counted. The games of a situation are
played once for all options with the same base.

`python3 -m tests.lab survey [SITUATION ..] [--option NAME ..] [-n 3] [-j 1] [--path DIR] [--steps N]` plays them and
writes file and page; the situations of the printed cards are played with `--path`, the folder of their boards.
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
from rulewright.library.example_targets import stack_content
from rulewright.library.stacks import PackageSet, open_packages
from runtime.experiment.change_use import ChangeUse
from runtime.experiment.processes import start_processes
from runtime.graph.grouping import group_by

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
def package_set() -> PackageSet:
    """Open the shipped packages."""
    return open_packages(())


def shipped() -> Library:
    """Return the shipped library."""
    return package_set().library


def options() -> tuple[Layer, ...]:
    """Return the shipped options, without the layers that the default stack of another layer has."""
    layers = shipped().layers
    included = {word.text for layer in layers.values() for word in layer.along}
    return tuple(layers[name] for name in sorted(layers) if layers[name].kind.text in OPTIONAL and name not in included)


def situations() -> tuple[Scenario, ...]:
    """Return the situations that can be played without further boards."""
    return tuple(each for each in _all_situations() if not package_set().missing_boards(each))


def printed_cards() -> tuple[Scenario, ...]:
    """Return the situations of the printed cards, whose boards are not shipped: `--path` brings them."""
    return tuple(each for each in _all_situations() if package_set().missing_boards(each))


def _all_situations() -> tuple[Scenario, ...]:
    found = shipped().scenarios
    return tuple(found[name] for name in sorted(found))


def _games_and_variants() -> frozenset[str]:
    return frozenset(name for name, layer in shipped().layers.items() if layer.kind.text in ("base", "variant"))


def stands_on(option: Layer) -> frozenset[str]:
    """Return all layers below an option."""
    layers, found, todo = shipped().layers, set[str](), [word.text for word in option.on]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [word.text for word in layers[name].on]
    return frozenset(found)


def base_of(option: Layer, stack: str) -> str:
    """Return the name of the stack that an option is compared with."""
    layers, _ = stack_content(shipped(), stack)
    return "+".join((stack, *(word.text for word in option.on if word.text not in layers)))


def options_of(card: Scenario) -> Iterator[Layer]:
    """Yield the options of the game, and of the variant, of a situation that its own stack lacks."""
    layers, _ = stack_content(shipped(), card.uses.text)
    return (
        each for each in options() if each.name.text not in layers and stands_on(each) & _games_and_variants() <= layers
    )


def pairs() -> Iterator[tuple[str, str]]:
    """Yield the situations with each of their options, the printed cards last."""
    for card in (*situations(), *printed_cards()):
        for option in options_of(card):
            yield card.name.text, option.name.text


def not_played(played: Collection[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the options of each situation that are not in `played`."""
    options_by_situation = group_by(pairs(), lambda pair: pair[0])
    missing = {name: [pair for pair in every if pair not in played] for name, every in options_by_situation.items()}
    return {
        name: ["all options"] if absent == options_by_situation[name] else [f"`{option}`" for _, option in absent]
        for name, absent in missing.items()
        if absent
    }


def gaps(played: Collection[tuple[str, str]]) -> str:
    """Return the text on options that were not played in a situation, or ""."""
    gap_lines = (f"- {situation}: {', '.join(names)}\n" for situation, names in not_played(played).items())
    listed = "".join(gap_lines)
    return f"\nNot played yet, or not to the end, so that nothing is known of them there:\n\n{listed}" if listed else ""


def options_by_base(situation: str, only: Collection[str]) -> dict[str, list[str]]:
    """Return the options of a situation, or those in `only`, by the stack that they are compared with."""
    card = shipped().scenarios[situation]
    by_base: dict[str, list[str]] = {}
    for option in options_of(card):
        if not only or option.name.text in only:
            by_base.setdefault(base_of(option, card.uses.text), []).append(option.name.text)
    return by_base


def survey(
    situation: str, only: Collection[str], games: int, jobs: int, packages: Sequence[Path] = ()
) -> Iterator[Survey]:
    """Play a situation with each of its options, or with those in `only`; `packages` bring boards that are missing.

    Options with a game that breaks off are left out, which the page tells.
    """
    for base, names in options_by_base(situation, only).items():
        stacks = load_stacks(situation, [base, *(f"{base}+{name}" for name in names)], [], packages)
        experiment = set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), SEED, None, engine=NATIVE)
        with start_processes(jobs) as pool:
            summary = experiment.run(games, pool, lambda _, __: None)
        # A game that exceeds the budget of work breaks off: what is used in the rest of it is not known.
        broken = {fault.rules for fault in summary.faults}
        for name, found in zip(names, summary.differences, strict=True):
            if not broken & {base, f"{base}+{name}"}:
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
