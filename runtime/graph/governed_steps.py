"""Matching of preconditions with steps.

In: a precondition and a step of a procedure. Out: whether the step has the form of the precondition, and the
substitution of its parameters.
"""

from collections.abc import Iterator, Mapping

from runtime.graph import nodes as graph

Arguments = Mapping[str, graph.Expr]
Form = tuple[object, ...]


GovernedStep = graph.Step | graph.Begin


def form_of(step: GovernedStep | None) -> Form:
    """Return the form of a step without its arguments: its class and names."""
    match step:
        case graph.Do(name) | graph.Tell(name) | graph.Begin(name):
            return type(step), name
        case graph.Move():
            return (graph.Move,)
        case graph.Flip(_, to):
            return graph.Flip, to
        case graph.Remove(_, for_good):
            return graph.Remove, for_good
        case graph.Create(kind):
            return graph.Create, kind
        case graph.Pair(relation, on=on):
            return graph.Pair, relation, on
        case graph.Write(_, record):
            return graph.Write, record.record
        case graph.Strike():
            return (graph.Strike,)
        case graph.Mark(_, _, status, on):
            return graph.Mark, status, on
        case graph.Assign(target) | graph.Add(_, target):
            return type(step), target.owner, target.name
        case _:
            return ()


def arguments_of(step: GovernedStep | None) -> dict[str, graph.Expr]:
    """Return the arguments of a step, by position or role, without absent ones."""
    match step:
        case graph.Do(_, arguments) | graph.Tell(_, arguments):
            return {str(index): argument for index, argument in enumerate(arguments)}
        case graph.Move(subject, to):
            return {"subject": subject, "to": to}
        case graph.Flip(subject) | graph.Remove(subject) | graph.Mark(subject) | graph.Strike(subject):
            return {"subject": subject}
        case graph.Create(_, _, place, owner):
            return {"at": place} if owner is None else {"at": place, "owner": owner}
        case graph.Pair(_, left, right, payload):
            return (
                {"left": left, "right": right} if payload is None else {"left": left, "right": right, "kept": payload}
            )
        case graph.Write(_, record):
            return dict(record.fields)
        case graph.Begin(_, choices):
            return dict(choices)
        case graph.Assign(target, value) | graph.Add(value, target):
            return {"base": target.base, "value": value} if isinstance(target, graph.Get) else {"value": value}
        case _:
            return {}


def parameter_bindings(precondition: graph.Precondition, step: GovernedStep) -> dict[str, graph.Expr] | None:
    """Return the substitution of a precondition's parameters in a step; None if it does not govern the step."""
    if not form_of(step) or form_of(step) != form_of(precondition.step):
        return None
    match precondition.step, step:
        case graph.Move(place=required_place), graph.Move(place=place) if required_place and required_place != place:
            return None
    arguments = arguments_of(step)
    places = arguments_of(precondition.step)
    if not places.keys() <= arguments.keys():
        return None
    return {name.name: arguments[place] for place, name in places.items() if isinstance(name, graph.Var)}


def is_exempt(precondition: graph.Precondition, procedure: graph.Procedure) -> bool:
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
        arguments = parameter_bindings(precondition, step)
        if arguments is not None and not is_exempt(precondition, procedure):
            yield precondition, arguments
