"""Actions that are offered in other phases than they declare.

Play offers an action where a step offers it; `in movement` behind its name informs the reader, and this check enforces
it. An action that is offered within another one is offered in the phases of that.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, StepPlace, party_label, procedure_party
from compiler.analysis.readers_and_setters import step_at
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_started, start_of


@finding("R0525", "offered-elsewhere")
class OfferedElsewhere(Finding):
    """A step of `offering_procedure` offers an action in the phases `offered` ("" outside all), which it does not name.

    In `remaining_phases`, which it says, it is offered as well.
    """

    action: Party
    phases: tuple[str, ...]
    offered: tuple[str, ...]
    remaining_phases: tuple[str, ...]
    offering_procedure: Party
    step: StepPlace

    def sentence(self) -> Sentence:
        place_phrase = f"in {list_words(self.offered, 'and')}" if self.offered[0] else "outside all phases"
        return Sentence(
            f"`{self.action.label}` is offered {place_phrase}, but only allowed in {list_words(self.phases, 'and')}",
            (
                party_label(self.action, "the action"),
                party_label(self.offering_procedure, "offered here"),
            ),
            f"write `in {', '.join((*self.remaining_phases, *self.offered))}`, or move the offer"
            if self.offered[0]
            else "move the offer into a phase",
            root=self.action.label,
        )


Place = tuple[str, str]  # a procedure, and the phase in which it runs


@check_of_stack
def offered_elsewhere(stack: graph.Graph) -> Iterator[OfferedElsewhere]:
    """Find actions offered in phases that they do not declare."""
    offered: dict[str, dict[str, tuple[str, graph.Step]]] = {}
    entered: set[str] = set()
    for key, phase, step in _steps_in_play(stack):
        entered.add(phase)
        if isinstance(step, graph.Offer):
            for name, _ in step.actions:
                offered.setdefault(name, {}).setdefault(phase, (key, step))
    for name, places in offered.items():
        action = stack.procedures.get(f"action:{name}")
        if action is None or entered.isdisjoint(action.phases):
            continue  # An action for phases that never occur is another finding.
        undeclared_phases = [phase for phase in places if phase not in action.phases]
        if undeclared_phases:
            key, step = places[undeclared_phases[0]]
            offer_site = step_at(stack.procedures[key], step)
            remaining_phases = tuple(phase for phase in action.phases if phase in places)
            yield OfferedElsewhere(
                procedure_party(action), action.phases, tuple(sorted(undeclared_phases)), remaining_phases, *offer_site
            )


def _steps_in_play(stack: graph.Graph) -> Iterator[tuple[str, str, graph.Step]]:
    """List the steps that play reaches, each with its procedure and phase."""
    keys = {start_of(procedure): key for key, procedure in stack.procedures.items() if procedure.what != "hook"}
    todo: list[Place] = [(key, "") for key, each in stack.procedures.items() if each.what == "sequence"]
    seen = set(todo)
    while todo:
        key, phase = todo.pop()
        for inner_phase, step in _steps(stack.procedures[key].body, phase):
            yield key, inner_phase, step
            entered = {(keys[start], inner_phase) for start in procedures_started(step) if start in keys} - seen
            seen |= entered
            todo += sorted(entered)


def _steps(body: tuple[graph.Step, ...], phase: str) -> Iterator[tuple[str, graph.Step]]:
    """List the steps of a procedure, each with its phase."""
    for step in body:
        yield phase, step
        match step:
            case graph.Phase(name):
                yield from _steps(step.body, name)
            case graph.Loop() | graph.Each():
                yield from _steps(step.body, phase)
            case graph.Branch(_, then, orelse):
                yield from _steps((*then, *orelse), phase)
            case _:
                pass
