"""Matching of preconditions with steps.

In: a precondition and a step of a procedure. Out: whether the step has the form of the precondition, and the
substitution of its parameters.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import CreatePiece, MovePiece, SetStatus, WriteRecord, names_of

Arguments = Mapping[str, graph.Expr]
Form = tuple[object, ...]
# Names in effects that are no part of a form: a place, the names of what is created, and the kind that has a status, as
# of several kinds a precondition has only the first.
DETAILS: dict[type, tuple[str, ...]] = {
    MovePiece: ("place",), CreatePiece: ("name", "counter"), WriteRecord: ("name",), SetStatus: ("owner",),
}  # fmt: skip
# The field of a step that is set, or added to.
TARGET = "target"

GovernedStep = graph.Step | graph.Begin


def form_of(step: GovernedStep | None) -> Form:
    """Return the form of a step without its arguments: its class and names."""
    match step:
        case graph.Do(name) | graph.Tell(name) | graph.Begin(name):
            return type(step), name
        case _ if isinstance(step, graph.ChangingStep):
            return type(step), *_names_in_form(step)
        case _:
            return ()


def _names_in_form(step: graph.ChangingStep) -> Iterator[object]:
    for effect in effects_of(step):
        details = DETAILS.get(type(effect), ())
        yield from (value for name, value in names_of(effect).items() if name not in details)


def arguments_of(step: GovernedStep | None) -> dict[str, graph.Expr]:
    """Return the arguments of a step, by position or field, without absent ones."""
    match step:
        case graph.Do(_, arguments) | graph.Tell(_, arguments):
            return {str(index): argument for index, argument in enumerate(arguments)}
        case graph.Begin(_, choices):
            return dict(choices)
        case _ if isinstance(step, graph.ChangingStep):
            return dict(_written_arguments(step))
        case _:
            return {}


def _written_arguments(step: graph.ChangingStep) -> Iterator[tuple[str, graph.Expr]]:
    """Yield the expressions in the fields of a step; of a target its owner, of what is written its fields."""
    written_records = [effect.record for effect in effects_of(step) if isinstance(effect, WriteRecord)]
    for field in fields(step):
        name, value = field.name, getattr(step, field.name)
        match value:
            case graph.New(_, record_fields) if value in written_records:
                yield from record_fields
            case graph.Get(base) if name == TARGET:
                yield name, base
            case _ if isinstance(value, graph.Expr) and name != TARGET:
                yield name, value


def _parameter_bindings(precondition: graph.Precondition, step: GovernedStep) -> dict[str, graph.Expr] | None:
    """Return the substitution of a precondition's parameters in a step; None if it does not govern the step."""
    if not form_of(step) or form_of(step) != form_of(precondition.step):
        return None
    for required, effect in zip(effects_of(precondition.step), effects_of(step), strict=True):
        match required, effect:
            case MovePiece(place=required_place), MovePiece(place=place) if required_place not in ("", place):
                return None
    arguments = arguments_of(step)
    places = arguments_of(precondition.step)
    if not places.keys() <= arguments.keys():
        return None
    return {name.name: arguments[place] for place, name in places.items() if isinstance(name, graph.Var)}


def _is_exempt(precondition: graph.Precondition, procedure: graph.Procedure) -> bool:
    """Return whether a precondition exempts a procedure."""
    kind = procedure.what
    return f"{kind}:{procedure.event if kind == 'hook' else procedure.name}" in precondition.exempt


def action_beginning(procedure: graph.Procedure) -> graph.Begin | None:
    """Return the beginning of an action, with its parameters and top-level choices; None for other procedures."""
    if procedure.what != "action":
        return None
    chosen = (step.name for step in procedure.body if isinstance(step, graph.Choose))
    names = dict.fromkeys((*(part.name for part in procedure.parameters), *chosen))
    return graph.Begin(procedure.name, tuple((name, graph.Var(name)) for name in names))


def preconditions_on(
    rules: graph.Graph, procedure: graph.Procedure, step: GovernedStep
) -> Iterator[tuple[graph.Precondition, Arguments]]:
    """Yield the preconditions of a step, or of the beginning of a procedure, with their substitutions."""
    step_class = step.__class__
    for precondition in rules.preconditions:
        if precondition.step.__class__ is not step_class:  # A cheap test before the forms are compared.
            continue
        arguments = _parameter_bindings(precondition, step)
        if arguments is not None and not _is_exempt(precondition, procedure):
            yield precondition, arguments
