"""Find the changes without which a recorded game does not diverge under other rules.

The input is a trial, the graphs of both games and their first divergence; the output is the labels of causes. A change
is a cause if the game with all changes but this one does not diverge up to that step. What differs in the trace of the
step (runtime/trial/divergence.py) is reverted first: a question may be answered differently there without effect. Where
no single change is necessary, those of the trace are reverted together; where that does not help either, or a graph
without the change cannot be played, nothing is confirmed.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import procedure_pairs
from runtime.graph.steps import map_steps
from runtime.play.game import Game
from runtime.trial.divergence import Divergence, DivergenceCause, first_divergence
from runtime.trial.nodes import Trial
from runtime.witness.reverted_graph import REVERSIBLE, revert_changes
from runtime.witness.structural_difference import HOOK_ORDER, PREFERRING, NodeChange, structural_difference
from runtime.witness.unplayable import suppress_unplayable

# The most changes that are reverted one by one; each replays the game up to the divergence.
MOST_REPLAYED_CHANGES = 40
# Parts of a graph that are exchanged as a whole.
EXCHANGED_PARTS = {"card": "scenario", "outcome": "outcome"}


@dataclass(frozen=True, slots=True)
class ReplayCauses:
    """The labels of the changes that cause a divergence, empty if none is confirmed.

    `joint`: only all of them together are a cause. `reverted` is how many changes were tried, `untried` how many not.
    `in_trace`: they are behind the question that the trace names.
    """

    labels: tuple[str, ...]
    joint: bool
    in_trace: bool
    reverted: int
    untried: int


def causes_of_divergence(trial: Trial, graphs: tuple[graph.Graph, graph.Graph], found: Divergence) -> ReplayCauses:
    """Return the changes without which the game does not diverge at this step."""
    changes = structural_difference(*graphs)
    replaced = {label: each.name for each in changes if each.kind == "rule" and each.operation == "new"
                for verb, label in graphs[1].rules[each.name].relations if verb == "replaces"}  # fmt: skip
    played = [each for each in changes if _is_played(each) and not (each.kind == "rule" and each.name in replaced)]
    traced = [each for each in played if _is_traced(each, found.cause)][:MOST_REPLAYED_CHANGES]
    others = [each for each in played if each not in traced][: MOST_REPLAYED_CHANGES - len(traced)]
    untried = len(played) - len(traced) - len(others) + sum(each.kind == HOOK_ORDER for each in changes)
    former = {rule: each for each in changes if each.kind == "rule" and (rule := replaced.get(each.name))}
    replays = _Replays(trial, graphs, found.step, former)
    if needed := [each for each in traced if replays.agree_without([each])]:
        return ReplayCauses(_labels(graphs, needed), joint=False, in_trace=True, reverted=len(traced), untried=untried)
    needed = [each for each in others if replays.agree_without([each])]
    joint = not needed and len(traced) > 1 and replays.agree_without(traced)
    reverted = len(traced) + len(others)
    return ReplayCauses(_labels(graphs, traced if joint else needed), joint, joint, reverted, untried)


def _is_played(change: NodeChange) -> bool:
    """Return whether the record of a game can depend on a change that can be reverted."""
    played = change.kind == "procedure" and change.fields != (PREFERRING,)
    return change.operation != "printed" and (played or change.kind in REVERSIBLE or change.kind in EXCHANGED_PARTS)


def _is_traced(change: NodeChange, cause: DivergenceCause | None) -> bool:
    """Return whether the trace of the diverging step names a change, or the chart of a changed cell."""
    names = {*cause.rules_here, *cause.rules_there} if cause else set()
    return bool(names & {change.name, *change.labels, *(label.partition("[")[0] for label in change.labels)})


def _labels(graphs: tuple[graph.Graph, graph.Graph], changes: Iterable[NodeChange]) -> tuple[str, ...]:
    """Return labels; hooks, which have no name, with their place."""
    return tuple(dict.fromkeys(f"{change.labels[0]}{_place_of_hook(graphs, change)}" for change in changes))


def _place_of_hook(graphs: tuple[graph.Graph, graph.Graph], change: NodeChange) -> str:
    hooks = (rules.procedures.get(change.name) for rules in reversed(graphs))
    origin = next((each.origin for each in hooks if each is not None and each.what == "hook"), None)
    return f" ({origin.file}:{origin.line})" if change.kind == "procedure" and origin else ""


class _Replays:
    """Replays of a trial up to a step, under the second graph with changes reverted.

    `former` are the rules that a new rule replaces: they return with its removal.
    """

    def __init__(
        self, trial: Trial, graphs: tuple[graph.Graph, graph.Graph], step: int, former: Mapping[str, NodeChange]
    ) -> None:
        self.trial = replace(trial, choices=trial.choices[:step], result=None)
        self.graphs, self.former = graphs, former
        self.recorded = Game(graphs[0], GeneratedEvaluator(graphs[0]))
        self.first_keys = {pair.second_key or pair.first_key: pair.first_key for pair in procedure_pairs(*graphs)}

    def agree_without(self, changes: Collection[NodeChange]) -> bool:
        """Return whether the game does not diverge without these changes; False if it cannot be played."""
        rules = self._without(changes)
        with suppress_unplayable():
            return rules is not None and not self._diverges(rules)
        return False

    def _diverges(self, rules: graph.Graph) -> bool:
        return (
            first_divergence(self.trial, self.recorded, Game(rules, GeneratedEvaluator(rules)), with_cause=False)
            is not None
        )

    def _without(self, changes: Collection[NodeChange]) -> graph.Graph | None:
        former = [self.former[each.name] for each in changes if each.kind == "rule" and each.name in self.former]
        rules = revert_changes(*self.graphs, [*changes, *former])
        if rules is None:
            return None
        parts = {EXCHANGED_PARTS[each.kind] for each in changes if each.kind in EXCHANGED_PARTS}
        rules = replace(rules, **{part: getattr(self.graphs[0], part) for part in parts})
        procedures = dict(rules.procedures)
        for change in changes:
            if change.kind == "procedure":
                procedures.pop(change.name, None)
                procedures |= self._former_procedure(change.name)
        new = {key: each for key, each in rules.procedures.items() if key not in procedures and each.what != "hook"}
        offered = frozenset(each.name for each in new.values() if each.what == "action")
        procedures |= {key: replace(each, body=()) for key, each in new.items()}
        procedures_left = {
            key: replace(each, body=_not_offering(each.body, offered)) for key, each in procedures.items()
        }
        return replace(rules, procedures=procedures_left if offered else procedures)

    def _former_procedure(self, key: str) -> dict[str, graph.Procedure]:
        """Return a procedure as it was, under its key in the second graph; empty if there was none."""
        first_key = self.first_keys[key]
        return {key: self.graphs[0].procedures[first_key]} if first_key else {}


def _not_offering(steps: tuple[graph.Step, ...], actions: frozenset[str]) -> tuple[graph.Step, ...]:
    """Return steps that do not offer these actions; an offer of nothing else is omitted."""

    def remaining(step: graph.Step) -> tuple[graph.Step, ...]:
        if not isinstance(step, graph.Offer):
            return (step,)
        left = tuple(each for each in step.actions if each[0] not in actions)
        return (replace(step, actions=left),) if left else ()

    return map_steps(steps, remaining)
