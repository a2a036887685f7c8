"""Conditions in a procedure that are unsatisfiable: of an `if`, a `legal` line, a choice, or a loop.

In: a stack. Out: the steps, each with the conditions that exclude one another. What lies behind such a step is not
examined. As with rules, the unit chart is not used. Conditions and verdicts that are queried on the access path count
as undetermined: if their rules always have one answer, a layer may intend just that.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from compiler.analysis.access_paths import PathCondition
from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.condition_texts import ALONE, earlier_condition_text, exclusion_text
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.findings.never_holds import clashing_parts
from compiler.analysis.findings.too_much_to_prove import TooMuchToProve
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import ConditionScope, Part
from compiler.analysis.normal_form import Names, normalize, normalized_names
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.ranged_writes import ProcedureSummaries
from compiler.analysis.readers_and_setters import step_at
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted, truncated_line
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts

# What a step that is never passed means for those behind it, by the class of the step.
_BEHIND = {
    "Branch": "so its steps are never done",
    "Legal": "so this is never legal",
    "Choose": "so there is nothing to choose",
    "Draw": "so there is nothing to draw",
    "Loop": "so there is nothing to go through",
    "Offer": "so the offer never ends",
}


@finding("R0529", "dead-step", WARNING)
class DeadStep(Finding):
    """A step that no play passes: `clashing` are the conditions of it and its path that exclude one another."""

    procedure: Party
    step: StepPlace
    clashing: tuple[str, ...]

    def sentence(self) -> Sentence:
        party, clashing, step_class = self.procedure, self.clashing, self.step.step_class
        note, advice = _BEHIND.get(step_class, ""), "correct the condition, or delete these steps"
        message = exclusion_text(clashing)
        if step_class == "Branch" and (condition := earlier_condition_text(clashing)):
            message = f"{backquoted(truncated_line(condition, ALONE))} is false here, as it was tested above"
            advice = "correct the condition, or delete this branch"
        elif step_class == "Branch" and len(clashing) == 1 and (condition := _operand_of_negation(clashing[0])):
            message = f"{backquoted(truncated_line(condition, ALONE))} is always true"
        elif step_class == "Offer":
            advice = "correct the condition, or write `until yes` if the offer may end at any time"
        return Sentence(f"in `{party.label}`, {message}", (party_label(party, note),), advice)


DeadStepResults = tuple[DeadStep | TooMuchToProve, ...]


def dead_steps(laws: Laws, reading: ProcedureSummaries, intervals: Intervals) -> Iterator[DeadStep | TooMuchToProve]:
    """Find the conditions of procedures that are unsatisfiable on their access paths."""

    def dead_steps_in(key: str) -> DeadStepResults:
        path_conditions = (each for each in reading.summary_of(key) if isinstance(each, PathCondition))
        found = (laws.recording.query("dead", each, partial(_dead, laws, each, intervals)) for each in path_conditions)
        return tuple(chain.from_iterable(found))

    nothing: tuple[DeadStepResults, ...] = ((),)
    for key, procedure in laws.stack.procedures.items():
        yield from laws.recording.prove("dead steps", procedure, partial(dead_steps_in, key), nothing, key)


def _dead(laws: Laws, tested: PathCondition, intervals: Intervals) -> DeadStepResults:
    step_site = step_at(laws.stack.procedures[tested.key], tested.step)
    proof_budget = budget()
    try:
        with proof_budget:
            conflict = _clashing(laws, tested, intervals)
    except OutOfSteps:
        return (TooMuchToProve(*step_site, "step", len(conjuncts(tested.condition)), proof_budget.steps),)
    if not conflict:
        return ()
    text = ExpressionWriter(laws.stack.vocabulary).text
    return (DeadStep(*step_site, tuple(map(text, conflict))),)


def _clashing(laws: Laws, tested: PathCondition, intervals: Intervals) -> tuple[graph.Expr, ...]:
    """Return the conditions of a step and its path that exclude one another, as in `clashing_parts`."""
    names = normalized_names(tested.path.lets)
    path_parts = tuple(part for condition in tested.path.conditions for part in _split_condition(condition, names))
    scope = ConditionScope(names, graph.parameter_types(tested.path.parameters), path_parts)
    return clashing_parts(laws, scope, tuple(_split_condition(tested.condition, names)), intervals)


def _split_condition(condition: graph.Expr, names: Names) -> Iterator[Part]:
    """List the conjuncts of a condition.

    Where a member of a filtered set is chosen, also what the filter requires of it.
    """
    match condition:
        case graph.Op("in", (graph.Var() as member, graph.Fold("gather", var, source, filter_condition, None))):
            yield from _split_condition(graph.Op("in", (member, source)), names)
            yield from (
                (part, normalize(part, {**names, var: normalize(member, names)}))
                for part in conjuncts(filter_condition)
            )
        case _:
            yield from ((part, normalize(part, names)) for part in conjuncts(condition))


def _operand_of_negation(condition: str) -> str:
    """Return the operand of a condition that is a negation as a whole, "" for others."""
    if not condition.startswith("not ("):
        return ""
    depth = 0
    for index, sign in enumerate(condition):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and depth == 0:
            return condition[5:-1] if index == len(condition) - 1 else ""
    return ""
