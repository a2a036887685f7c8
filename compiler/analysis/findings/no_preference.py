"""Actions without a preference above zero, in a game whose other actions have one.

Greedy players never take such an action where they may end the offer, so a comparison of rules by their games does not
cover it. The first preference of an action decides, and is bounded by intervals. Excluded are games without any
preference, actions that are offered until taken, actions without a choice, and those that change nothing.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.intervals import Intervals
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.steps import is_preferred, nested_steps


@finding("R0565", "no-preference", WARNING)
class NoPreference(Finding):
    """An optional action has no preference and does not say so; `never`: it has one that is zero at most."""

    action: Party
    never: str = ""

    def sentence(self) -> Sentence:
        if self.never:
            message = f"greedy players never take `{self.action.label}`, as its preference is never above 0"
            remedy = f"reverse the sign of `preferring {self.never}`"
        else:
            message = f"greedy players never take `{self.action.label}`, as it states no preference"
            remedy = "write `preferring` after its deciding choice"
        advice = f'{remedy}, or `preferring none "REASON"` before its `{{`'
        return Sentence(message, (party_label(self.action, "this action"),), advice)


# Steps that change nothing, and blocks of steps.
_STEPS_WITHOUT_EFFECT = (
    graph.Let, graph.Legal, graph.Choose, graph.Roll, graph.Draw, graph.Stop, graph.BeginAccount, graph.Branch,
    graph.Loop,
)  # fmt: skip
_AT_ONCE = (None, graph.Truth(value=True))  # `until yes`: the offer may be ended before an action is taken


@check_of_stack
def no_preference(stack: graph.Graph) -> Iterator[NoPreference]:
    """Find optional actions without a preference."""
    actions = {each.name: each for each in stack.procedures.values() if each.what == "action"}
    if not any(map(is_preferred, actions.values())):
        return
    intervals, writer = Intervals(stack), ExpressionWriter(stack.vocabulary)
    for name in sorted(_optional_actions(stack) & actions.keys()):
        action = actions[name]
        if is_preferred(action):
            preference = _first_preference(action)
            highest = intervals.interval_of(preference, {}).high
            if highest is not None and highest <= 0:
                yield NoPreference(procedure_party(action), writer.text(preference))
        elif not action.no_preference and _may_have_preference(action):
            yield NoPreference(procedure_party(action))


def _first_preference(action: graph.Procedure) -> graph.Expr:
    choices = (step for step in nested_steps(action.body) if isinstance(step, graph.Choose))
    return next(step.preferring for step in choices if step.preferring is not None)


def _may_have_preference(action: graph.Procedure) -> bool:
    """Return whether an action has a choice, which may have a preference, and changes something."""
    found = list(nested_steps(action.body))
    return any(isinstance(step, graph.Choose) for step in found) and not all(
        isinstance(step, _STEPS_WITHOUT_EFFECT) for step in found
    )


def _optional_actions(stack: graph.Graph) -> set[str]:
    """Return the names of actions in offers that may be ended at once."""
    return {
        name
        for procedure in stack.procedures.values()
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Offer) and step.until in _AT_ONCE
        for name, _ in step.actions
    }
