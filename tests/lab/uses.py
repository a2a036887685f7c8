"""Whether a searching player finds uses of an option without any preference.

In: small situations (`tests/lab/uses`), each under one option. The rules are played without the `preferring` clauses of
the option's actions and reactions, so that no preference favors these. A greedy player then takes none of them where it
may end instead. Out: how often each was offered and taken, and the difference of the searching player's results with
and without them, from the same seeds.

`python3 -m tests.lab uses [SITUATION ..] [-n 16] [--player search:64]` plays them and prints the rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

from rulewright.engines import NATIVE
from rulewright.lab.experiment import ExperimentStack
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.ladder_run import without_action
from rulewright.library.stacks import load_stack, open_packages
from runtime.experiment.processes import start_processes
from runtime.graph import nodes as graph
from runtime.graph.digest import graph_digest
from runtime.graph.steps import offered_actions

CARDS = Path(__file__).parent / "uses"
GREEDY, SEARCH = "greedy", "search:64"
ACTION = "action:"
OFFERED = frozenset({"action", "reaction"})


@dataclass(frozen=True, slots=True)
class Use:
    """The use of one action: `used_count` of `offered` by each player.

    `level` is the gain in the mean level of the searching player's side from all actions of the option, in `games`
    pairs, of which `won` and `lost` are those that it wins only with them and only without.
    """

    situation: str
    option: str
    action: str
    player: str
    games: int
    offered: int
    used_count: int
    level: float
    won: int
    lost: int


def uses(situation: str, games: int, player: str = SEARCH) -> Iterator[Use]:
    """Yield the uses of a situation's actions, by greedy players, and by a searching player against a greedy one."""
    stacks = load_stacks(situation, [], [], [CARDS])
    rules = stacks[0].graph
    base, _, option = open_packages([CARDS]).library.scenarios[situation].uses.text.rpartition("+")
    below = load_stack(base).graph
    assert below is not None
    brought = [key for key in rules.procedures if key.startswith(ACTION) and key not in below.procedures]
    without_preferences_rules = changed(rules, {key: without_preferences(rules.procedures[key]) for key in brought})
    actions = [
        key.removeprefix(ACTION)
        for key in brought
        if key.removeprefix(ACTION) in offered_actions(without_preferences_rules)
    ]
    sides = [each.name for each in without_preferences_rules.vocabulary.enums["side"].members]
    barred = reduce(
        lambda value, each: without_action(value, *each), product(actions, sides), without_preferences_rules
    )
    with_and_without = (ExperimentStack("without", barred, None), ExperimentStack("with", without_preferences_rules, 0))
    seatings = parse_seatings(with_and_without, [GREEDY, f"{player},{GREEDY}"], swaps_sides=False)
    experiment = set_up(with_and_without, seatings, "1", None, engine=NATIVE)
    with start_processes(1) as pool:
        summary = experiment.run(games, pool, lambda _, __: None)
    for who, found in zip((GREEDY, player), summary.differences, strict=True):
        assert not summary.faults, summary.faults
        level, pairs = found.lead.change, found.wins.pairs
        for each in found.tried:
            if each.what in OFFERED:
                counts = pairs.n, each.offered, each.used
                yield Use(situation, option, each.name, who, *counts, level, pairs.second, pairs.first)


def situations() -> list[str]:
    """Return the names of the small situations."""
    known = open_packages([CARDS]).library.scenarios
    return [name for name in sorted(known) if (CARDS / f"{name}.yaml").exists()]


def row(found: Use) -> str:
    """Return the row of a table of uses."""
    return (
        f"| {found.situation} | `{found.option}` | `{found.action}` | `{found.player}` | {found.games} | "
        f"{found.used_count} of {found.offered} | {found.level:+.2f} ({found.won} won, {found.lost} lost) |"
    )


def changed(rules: graph.Graph, procedures: Mapping[str, graph.Procedure]) -> graph.Graph:
    """Return the rules with other procedures."""
    changed_rules = replace(rules, procedures={**rules.procedures, **procedures})
    return replace(changed_rules, hash=graph_digest(changed_rules))


def without_preferences(node: Any) -> Any:
    """Return a node without preferences."""
    if isinstance(node, tuple):
        return tuple(without_preferences(each) for each in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, graph.Choose):
        node = replace(node, preferring=None)
    parts = {each.name: getattr(node, each.name) for each in fields(node)}
    steps = {name: without_preferences(part) for name, part in parts.items() if isinstance(part, tuple)}
    return replace(node, **{name: part for name, part in steps.items() if part != parts[name]})
