"""Steps that read the place of a piece that an earlier step has removed: play stops there, as it has none.

Also steps that query the route of a piece to a hex, `cost(u, u.hex, to)`, behind `move u to to`: then start and goal
are the same hex. Only steps of one block are examined, and only the parts of expressions that are always evaluated.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import expressions_read, nested_blocks
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import MovePiece, RemovePiece
from runtime.graph.steps import bound_name
from runtime.graph.walk import inner_expressions, nodes_of


@finding("R0538", "asks-the-gone")
class AsksTheGone(Finding):
    """A step reads the place of a piece, `name`, that an earlier step removed, or its route to where that moved it."""

    procedure: Party
    step: StepPlace
    name: str
    to: str = ""

    def sentence(self) -> Sentence:
        party, name, to = self.procedure, self.name, self.to
        message = f"`{party.label}` uses the hex of `{name}` after removing `{name}`"
        advice = f"write `let where = {name}.hex` before that step, and use `where` here"
        severity = None
        if to:
            message = (
                f"`{party.label}` uses both `{name}.hex` and `{to}` after `move {name} to {to}` made them the same"
            )
            severity = WARNING
        label = party_label(party, "used here")
        return Sentence(message, (label,), advice, root=f"{party.label} {name}", severity=severity)


@check_of_stack
def asks_the_gone(stack: graph.Graph) -> Iterator[AsksTheGone]:
    """Find steps that read the place of removed pieces."""
    for procedure in stack.procedures.values():
        for body in nested_blocks(procedure.body):
            for index, step in enumerate(body):
                for effect in effects_of(step):
                    match effect:
                        case RemovePiece(piece=graph.Var(name)) if asks := _step_reading_place(name, body[index + 1 :]):
                            yield AsksTheGone(*step_at(procedure, asks), name)
                        case MovePiece(_, graph.Var(name), graph.Var(to)) if asks := _step_reading_route(
                            name, to, body[index + 1 :]
                        ):
                            yield AsksTheGone(*step_at(procedure, asks), name, to)


def _step_reading_place(name: str, body: tuple[graph.Step, ...]) -> graph.Step | None:
    """Return the first step that reads the place of this piece, before its name is rebound or it is placed again.

    Else None.
    """
    for step in body:
        if any(_reads_place(expr, name) for expr in expressions_read(step)):
            return step
        if bound_name(step) == name or _is_moved(step, name):
            return None
    return None


def _step_reading_route(name: str, to: str, body: tuple[graph.Step, ...]) -> graph.Step | None:
    """Return the first step with a question about the hex of a piece and the one it was moved to; else None."""
    for step in body:
        for ask in nodes_of(graph.Ask, expressions_read(step)):
            read = {(part.base, part.name) for part in ask.arguments if isinstance(part, graph.Get)}
            if graph.Var(to) in ask.arguments and (graph.Var(name), "hex") in read:
                return step
        if bound_name(step) in (name, to) or _is_moved(step, name):
            return None
    return None


def _is_moved(step: graph.Step, name: str) -> bool:
    """Return whether a step itself moves a piece."""
    return any(isinstance(effect, MovePiece) and effect.piece == graph.Var(name) for effect in effects_of(step))


def _reads_place(expr: graph.Expr, name: str) -> bool:
    match expr:
        case graph.Get(graph.Var(subject_name), "given", _, "hex"):
            return subject_name == name
        case graph.Op("and" | "or" | "if", (first, *_)):
            return _reads_place(first, name)
        case graph.Fold(source=source):
            return _reads_place(source, name)
        case _:
            return any(_reads_place(part, name) for part in inner_expressions(expr))
