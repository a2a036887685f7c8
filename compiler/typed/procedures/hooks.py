"""Order of the hooks on one event, as their authors declare it.

In: all procedures, the hooks as written, and which layers declare to be above which. Out: the same procedures, hooks
under keys that sort in the declared order, each with those that run before it: those that it names, and those of layers
that its own is above. Where nothing is declared the order of reading applies; whether it is irrelevant is checked by
the analysis (R0518).
"""

from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError
from itertools import permutations

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.environment import Environment
from compiler.typed.findings.declared_twice import DuplicateName
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from runtime.graph import nodes as graph
from runtime.graph.closure import topological_order, transitive_closure
from runtime.graph.grouping import group_by

Procedures = dict[str, graph.Procedure]


def sort_hooks(
    env: Environment,
    built: Procedures,
    hooks: Mapping[str, source.Hook],
    others: Mapping[str, str],
    above: Mapping[str, frozenset[str]],
) -> Procedures:
    """Return procedures with new keys of hooks where their order is declared; `hooks` are the written ones by key.

    `others` are the hooks of tasks and reactions by the name of those, which is written like a label.
    """
    named = {name.replace("_", "-"): key for name, key in others.items()}
    earlier = _earlier(env, built, hooks, named | _labels(env, hooks))
    _layer_by_layer(built, above, earlier)
    if not any(earlier.values()):
        return built
    try:
        # Hooks without a declared order stay in the order of reading.
        order = topological_order(earlier, lambda key: key.rpartition("#")[2])
    except CycleError as circle:
        wrong = next(each for key in circle.args[1] for each in (hooks[key].stands if key in hooks else ()))
        message = f"these hooks each have to run before the other, this one by `{wrong.order} {wrong.label.text}`"
        return env.report(InvalidConstruct(wrong.span, message, "delete one `after` or `before`"), built)
    fresh = {key: f"{key.rpartition('#')[0]}#{number:03d}" for number, key in enumerate(order, 1)}
    predecessors = {
        key: tuple(sorted(fresh[other] for other in transitive_closure(earlier[key], earlier.__getitem__)))
        for key in order
    }
    return {
        fresh.get(key, key): _ordered_behind(procedure, predecessors[key], env) if predecessors.get(key) else procedure
        for key, procedure in built.items()
    }


def _ordered_behind(procedure: graph.Procedure, others: tuple[str, ...], env: Environment) -> graph.Procedure:
    return env.database.derive("behind", (procedure,), lambda: replace(procedure, behind=others), others)


def _earlier(
    env: Environment, built: Procedures, hooks: Mapping[str, source.Hook], labels: Mapping[str, str]
) -> dict[str, set[str]]:
    """Return for every hook those that are declared to run before it."""
    earlier: dict[str, set[str]] = {key: set() for key, procedure in built.items() if procedure.what == "hook"}
    for key, node in hooks.items():
        for constraint in node.stands:
            other = labels.get(constraint.label.text)
            if other is None:
                env.report_unknown("hook", constraint.label, labels)
            elif built[other].event != built[key].event:
                message = f"`{constraint.label.text}` is a hook on another event, `{built[other].event}`"
                env.report_invalid(constraint.label.span, message, "name a hook on the same event")
            else:
                first, second = (other, key) if constraint.order == "after" else (key, other)
                earlier[second].add(first)
    return earlier


def _layer_by_layer(built: Procedures, above: Mapping[str, frozenset[str]], earlier: dict[str, set[str]]) -> None:
    """Order hooks on the same event by their layers, those of lower layers first, unless declared otherwise."""
    hearing = group_by(earlier, lambda key: built[key].event)
    for hook, other in (pair for keys in hearing.values() for pair in permutations(keys, 2)):
        comes_above = built[hook].origin.layer in above.get(built[other].origin.layer, ())
        if comes_above and other not in transitive_closure(earlier[hook], earlier.__getitem__):
            earlier[other].add(hook)


def _labels(env: Environment, hooks: Mapping[str, source.Hook]) -> dict[str, str]:
    """Return the keys of the hooks with a label."""
    labels: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for key, node in hooks.items():
        if node.label is not None and labels.setdefault(node.label.text, key) != key:
            first = spans[node.label.text]
            env.problems.append(DuplicateName(node.label.span, first, "hook", node.label.text))
        elif node.label is not None:
            spans[node.label.text] = node.label.span
    return labels
