"""Actions that are offered only within other actions: the enclosing action has to be able to begin.

In: a machine, a playthrough without a running procedure, an action and its choices, and the subjects of earlier
actions. Out: the reason of a refusal, or the changed position. The first step of a move is checked against the
conditions of the enclosing action, later steps of the same piece are not, as that action is then in progress.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.walk import nodes_of
from runtime.play.machine import Machine
from runtime.play.named_choice_use import NamedChoiceUse
from runtime.play.perform import perform_action
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import ChosenValues, choices_of_procedure
from runtime.play.scripted_heads import closed_choice_reason, to_choice
from runtime.state.record import Value

BegunArguments = set[tuple[Value, ...]]


def perform_offered(
    machine: Machine,
    playthrough: Playthrough,
    action: str,
    chosen: ChosenValues,
    begun_actions: BegunArguments,
    choice_use: NamedChoiceUse | None = None,
) -> RefusalReason | None:
    """Perform an action with these choices, or return the reason that it or its enclosing action is refused."""
    procedure = machine.programs.entries[f"action:{action}"].procedure
    own_choices = choices_of_procedure(chosen, f"action:{action}")
    arguments = tuple(own_choices[part.name] for part in procedure.parameters if part.name in own_choices)
    first = bool(arguments) and arguments not in begun_actions

    def refusal_of_offer() -> RefusalReason | None:
        return _not_offered(machine, playthrough, procedure, own_choices) if first else None

    refused = perform_action(machine, playthrough, action, chosen, refusal_of_offer, choice_use)
    if refused is None:
        begun_actions.add(arguments)
    return refused


def _not_offered(
    machine: Machine, playthrough: Playthrough, procedure: graph.Procedure, chosen: ChosenValues
) -> RefusalReason | None:
    """Return why none of the enclosing actions may begin; None where the action is offered outside of actions."""
    refused: RefusalReason | None = None
    for opener, offer in _offers(machine.graph, procedure.name):
        values = {
            name.name: chosen[part.name]
            for part, name in zip(procedure.parameters, offer, strict=True)
            if isinstance(name, graph.Var) and part.name in chosen
        }
        if opener.what != "action" or opener.parameters or len(values) < len(offer):
            return None
        call = machine.frame(f"action:{opener.name}", {"player": chosen.get("player", playthrough.state.player)})
        try:
            found = _begins(machine, playthrough, call, values)
        except Unanswered:
            return None
        if found is None:
            return None
        refused = refused or replace(found, opener=opener.name)
    return refused


def _offers(rules: graph.Graph, action: str) -> Iterator[tuple[graph.Procedure, tuple[graph.Expr, ...]]]:
    """Yield the procedures that offer an action, with its arguments there."""
    for procedure in rules.procedures.values():
        for offer in nodes_of(graph.Offer, procedure.body):
            yield from ((procedure, arguments) for name, arguments in offer.actions if name == action)


def _begins(machine: Machine, playthrough: Playthrough, call: ProcedureFrame, values: Names) -> RefusalReason | None:
    """Return why an action cannot begin with these choices, for any further choices; None if it can."""
    stop = to_choice(machine, playthrough, call)
    if isinstance(stop, RefusalReason):
        return stop
    if stop is None or stop.how:
        return None  # Sets and orders are not gone through here.
    found = machine.choices.visible_members(playthrough, call, machine.value(playthrough, call, stop.source))
    return _begins_with(machine, playthrough, call, values, stop, found)


def _begins_with(
    machine: Machine,
    playthrough: Playthrough,
    call: ProcedureFrame,
    values: Names,
    step: graph.Choose,
    found: Iterable[Value],
) -> RefusalReason | None:
    """Try the candidates of a choice; return None if one succeeds."""
    refused: RefusalReason | None = None
    for member in found:
        if values.get(step.name, member) == member:
            further = ProcedureFrame(call.key, call.pending[1], {**call.names, step.name: member})
            refusal = _begins(machine, playthrough, further, values)
            if refusal is None:
                return None
            refused = refused or refusal
    return refused or closed_choice_reason(machine, playthrough, call, step, values)
