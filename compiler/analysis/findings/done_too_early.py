"""Hooks that change the position as a move is announced, though the move may not be made.

In: a stack. Out: findings. A procedure announces a move where it tells an event of a piece, then moves it only if the
piece still has its status, or is still on the map: a shot in between may stop it. What a hook on that event does
without a decision or a die, as taking mines off, stays done although nobody has moved. Marks of a status that decides
whether the piece moves are meant for this.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.step_reads import nested_blocks
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.effects import effects_in, effects_of
from runtime.graph.effects.primitives import MovePiece, PrimitiveEffect, SetStatus
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of


@finding("R0702", "done-too-early", WARNING)
class DoneTooEarly(Finding):
    """A hook, `procedure`, changes the position when `event` announces a move that `mover` may not make afterwards."""

    procedure: Party
    event: str
    mover: Party

    def sentence(self) -> Sentence:
        labels = party_label(self.procedure, "this hook"), party_label(self.mover, "may not move the piece after all")
        advice = "use an event that is told after the move"
        return Sentence(f"this hook acts on `{self.event}` before it is certain that the piece moves", labels, advice)


DECISIONS = graph.Roll | graph.Draw | graph.Choose | graph.Offer


@check_of_stack
def done_too_early(stack: graph.Graph) -> Iterator[DoneTooEarly]:
    """Find such hooks."""
    announced: dict[str, tuple[graph.Procedure, set[str]]] = {}
    for procedure in stack.procedures.values():
        for body in nested_blocks(procedure.body):
            for index, step in enumerate(body):
                match step:
                    case graph.Tell(event, (graph.Var(mover), *_)) if statuses := _deciding(body[index + 1 :], mover):
                        announced.setdefault(event, (procedure, set()))[1].update(statuses)
    for key, hook in stack.procedures.items():
        if hook.what == "hook" and hook.event in announced:
            procedure, statuses = announced[hook.event]
            steps = [s for each in procedures_reached(stack, [key]) for s in nested_steps(stack.procedures[each].body)]
            if not any(isinstance(step, DECISIONS) for step in steps) and any(
                not (isinstance(effect, SetStatus) and effect.name in statuses)
                for step in steps
                for effect in effects_of(step)
            ):
                yield DoneTooEarly(procedure_party(hook), hook.event, procedure_party(procedure))


def _deciding(body: tuple[graph.Step, ...], mover: str) -> set[str]:
    """Return the statuses of a piece that decide whether a later branch of a block moves it."""
    for step in body:
        match step:
            case graph.Branch(condition, then):
                statuses = {
                    test.name
                    for node in nodes_of(graph.Is, condition)
                    if node.subject == graph.Var(mover)
                    for test in node.tests
                }
                if statuses and any(_moves(effect, mover) for effect in effects_in(then, MovePiece)):
                    return statuses
            case _ if any(_moves(effect, mover) for effect in effects_of(step)):
                return set()
            case _:
                pass
    return set()


def _moves(effect: PrimitiveEffect[graph.Expr], name: str) -> bool:
    return isinstance(effect, MovePiece) and effect.piece == graph.Var(name)
