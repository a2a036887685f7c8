"""What a scenario settles for a whole game, and which rules fall silent with it.

In: a graph, and the values of facts that no procedure ever sets. Out: the labels of rules that cannot
speak while those facts stand: their guard fails, or something that defeats them always holds.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.walk import walk

Settled = Mapping[str, Any]


def settled_facts(rules: graph.Graph) -> tuple[str, ...]:
    """List the facts of game and scenario that nothing in the rules ever sets."""
    steps = (node for node in walk(rules.procedures) if isinstance(node, graph.Assign | graph.Add))
    changed = {f"{s.target.owner}.{s.target.name}" for s in steps if isinstance(s.target, graph.GameTrack)}
    facts = (key for key, track in rules.vocabulary.tracks.items() if track.owner in ("game", "scenario"))
    return tuple(key for key in sorted(facts) if key not in changed)


def silent(rules: Sequence[graph.Rule], settled: Settled) -> frozenset[str]:
    """List the rules of one term that cannot speak; defeaters come before what they defeat."""
    mute: set[str] = set()
    for rule in rules:
        holds = True if rule.guard is None else truth(rule.guard, settled)
        if holds is False:
            mute.add(rule.label)
        elif holds and rule.label not in mute and not defeated(rule, rules, mute):
            mute.update(rule.defeats)
    return frozenset(mute)


def defeated(rule: graph.Rule, rules: Sequence[graph.Rule], mute: Container[str]) -> bool:
    """Say whether some rule that may speak defeats this one."""
    return any(rule.label in other.defeats for other in rules if other.label not in mute)


def truth(expr: graph.Expr, settled: Settled) -> bool | None:
    """Say whether a condition holds, as far as settled facts decide it."""
    match expr:
        case graph.Truth(value):
            return value
        case graph.GameTrack(owner, name) if isinstance(known := settled.get(f"{owner}.{name}"), bool):
            return known
        case graph.Op("not", (inner,)):
            inside = truth(inner, settled)
            return None if inside is None else not inside
        case graph.Op("and" | "or" as op, parts):
            found = {truth(part, settled) for part in parts}
            deciding = op == "or"
            return deciding if deciding in found else None if None in found else not deciding
        case _:
            return None
