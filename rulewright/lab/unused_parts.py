"""The parts of a change that had no use in the games of an experiment, so that no games are played without them.

In: the summary of an experiment, the rules of its last stack, and the sources of its layers. Out: the labels that
ablation has for these parts (library/ablation.py). A rule or cell was live in no counted game; an action, a reaction, a
resolution, a phase or a hook was not executed, and neither was whatever a rule without a verdict amends; a counter was
not in play. Parts whose use is not counted are not among them.

Of some of these it is certain that they had no influence: nobody evaluates a procedure that is never executed or
offered, or a counter that is never in play, unless players or offers with `must` simulate games.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence, Set

from compiler.source import nodes as source
from compiler.source.package import LayerSource
from rulewright.library.ablation import conduct_labels
from runtime.experiment.change_use import IDLE, NEVER_ASKED, NEVER_LIVE, NEVER_TAKEN, NOTHING_OPEN, USED
from runtime.experiment.reachable_changes import ACTION, CELL, COUNTER, HOOK, PHASE, REACTION, RESOLUTION, RULE
from runtime.experiment.summary import Summary
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# The built-in players that simulate no games.
SHORT_SIGHTED = frozenset({"greedy", "random"})


def is_unused(labels: Sequence[str], unused: Set[str]) -> bool:
    """Return whether no label of a unit was used; use is counted of all layers that change the same thing together."""
    return all(label in unused or label.rpartition(" of ")[0] in unused for label in labels)


def unused_labels(summary: Summary, rules: graph.Graph, layers: Sequence[LayerSource]) -> set[str]:
    """Return the labels of rules and cells that no game made live, of procedures and of counters that no game used."""
    return _labels_without(frozenset({USED}), summary, rules, layers)


def labels_without_influence(
    summary: Summary, graphs: Sequence[graph.Graph], layers: Sequence[LayerSource], players: Collection[str]
) -> set[str]:
    """Return the unused labels that certainly had no influence on any game; `graphs` are those of all stacks."""
    steps = (step for rules in graphs for each in rules.procedures.values() for step in walk(each.body))
    has_simulations = any(isinstance(step, graph.Offer) and step.must for step in steps)
    if summary.counted_games_text or summary.broken or has_simulations or not set(players) <= SHORT_SIGHTED:
        return set()
    # Players may have evaluated a rule, and an action that was offered, though it was never live or taken; a phase in
    # which nothing was open may end what lasts until then.
    uncertain = frozenset({USED, IDLE, NEVER_TAKEN, NEVER_ASKED, NEVER_LIVE, NOTHING_OPEN})
    return _labels_without(uncertain, summary, graphs[-1], layers)


def _labels_without(
    states: Collection[str], summary: Summary, rules: graph.Graph, layers: Sequence[LayerSource]
) -> set[str]:
    """Return the labels of changes that are in none of these states of use in any difference."""
    uses = [use for gap in summary.differences for use in gap.tried]
    used = {(use.what, use.name) for use in uses if use.use_state in states}
    idle = {(use.what, use.name) for use in uses} - used
    found = {name for kind, name in idle if kind in (RULE, CELL)}
    for kind, name in idle:
        if kind in (ACTION, REACTION, RESOLUTION, PHASE):
            found |= {f"{kind} {name}", f"change of {kind} {name}"}
        if kind == COUNTER and name in rules.counters:
            found.add(f"{rules.counters[name].kind}[{name}]")
    for layer in layers:
        found |= set(_unused_hooks(layer, {name for kind, name in idle if kind == HOOK}))
        found |= set(_unused_amendments(layer, idle))
    return found


def _unused_hooks(layer: LayerSource, idle: Collection[str]) -> Iterator[str]:
    """Yield the labels of hooks that were never reached; hooks without labels on one event have one label."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for hook in _statements(layer):
        if isinstance(hook, source.Hook):
            for label in conduct_labels(hook, layer.layer.name.text):
                names[label].append(f"{hook.event.text} ({hook.span.file}:{hook.span.line})")
    yield from (label for label, places in names.items() if all(name in idle for name in places))


def _unused_amendments(layer: LayerSource, idle: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield the labels of rules that only amend procedures, all of which were never executed."""
    for rule in _statements(layer):
        if isinstance(rule, source.Rule) and rule.amends and not (rule.conclusion or rule.relations or rule.patches):
            amended = [(each.target.within.what, each.target.within.name.text) for each in rule.amends]
            if all(each in idle for each in amended):
                yield rule.label.text


def _statements(layer: LayerSource) -> Iterator[source.Statement]:
    """Yield the statements of a layer and those of its cases."""
    for statement in layer.statements():
        yield statement
        if isinstance(statement, source.Case):
            yield from statement.laws
