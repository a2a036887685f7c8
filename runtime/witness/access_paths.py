"""Compute the access paths to the steps of a procedure: the path condition, and the names bound on the path.

The input is a procedure of a graph; the output is for each step the conditions on the path to it, all about the
position in which the procedure starts, and their names: parameters, choices, members of loops, dice. Effects of earlier
steps on what a step reads are ignored; a search for a position with a path verifies it in play.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjunction
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import SetStatus, SetValue
from runtime.graph.free_names import bound_names, substitute
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import member_of
from runtime.graph.procedure_pairs import without_citations
from runtime.graph.steps import StepPath, names_at_start, single_step


@frozen_dataclass
class AccessPath(StepPath):
    """The access path to a step of the procedure `key`. `chosen` are the names decided by the player of an action."""

    key: str
    step: graph.Step | None
    chosen: tuple[str, ...]


def access_paths(rules: graph.Graph, key: str) -> list[AccessPath]:
    """Return the access paths to all steps of a procedure, in their order."""
    procedure = rules.procedures[key]
    parameters, lets = names_at_start(procedure)
    path = AccessPath(lets, (), parameters, (), key, None, tuple(parameter.name for parameter in procedure.parameters))
    return list(_paths_in(without_citations(procedure.body), path, rules))


def changed_access_paths(
    a: graph.Graph, b: graph.Graph, first_key: str, second_key: str
) -> list[tuple[int, AccessPath]]:
    """Return the paths to steps of a procedure that differ from those of the other graph, each with its graph.

    Where a step has a counterpart, the position has to distinguish the two. Paths to effects come first.
    """
    first_paths = access_paths(a, first_key) if first_key else []
    second_paths = access_paths(b, second_key) if second_key else []
    first, second = _paths_without(first_paths, second_paths), _paths_without(second_paths, first_paths)
    changed_paths = []
    for which, rules, paths, others in ((0, a, first, second), (1, b, second, first)):
        for number, path in enumerate(paths):
            same_step = (other for other in others if other.step == path.step)
            counterpart = next(same_step, others[number] if number < len(others) else None)
            distinguishing = path if counterpart is None else _with_difference(path, counterpart)
            changed_paths.append((which, _with_effect_condition(distinguishing, rules)))

    def priority(changed_path: tuple[int, AccessPath]) -> tuple[bool, int]:
        which, path = changed_path
        return isinstance(path.step, graph.Let | graph.Roll | graph.Draw), -which

    return sorted(changed_paths, key=priority)


def _paths_without(paths: list[AccessPath], others: list[AccessPath]) -> list[AccessPath]:
    known = set(map(_as_text, others))
    return [path for path in paths if _as_text(path) not in known]


def _paths_in(body: Sequence[graph.Step], path: AccessPath, rules: graph.Graph) -> Iterator[AccessPath]:
    """Traverse steps in their order."""
    for step in body:
        if not isinstance(step, graph.Choose):
            yield replace(path, step=single_step(step))
        match step:
            case graph.Let(name, value):
                path = replace(path, lets=(*path.lets, (name, value)))
            case graph.Legal(condition):
                path = path.with_assumption(condition)
            case graph.Choose(_, name):
                path = replace(_bind_choice(path, step, rules), chosen=(*path.chosen, name), step=step)
                yield path
            case graph.Roll() | graph.Draw():
                path = _with_random_name(path, step, rules)
            case graph.Loop(name, source, inner):
                yield from _paths_in(inner, _bind_member(path, name, source, rules), rules)
            case graph.Branch(condition, consequent, alternative):
                denied = graph.Op("not", (condition,))
                yield from _paths_in(consequent, path.with_assumption(condition), rules)
                yield from _paths_in(alternative, path.with_assumption(denied), rules)
                if consequent and isinstance(consequent[-1], graph.Stop):
                    path = path.with_assumption(denied)
                elif alternative and isinstance(alternative[-1], graph.Stop):
                    path = path.with_assumption(condition)
            case graph.Stop():
                return
            case _:
                pass


def _with_random_name(path: AccessPath, step: graph.Roll | graph.Draw, rules: graph.Graph) -> AccessPath:
    """Bind a name to the result of a die, or to a drawn member."""
    match step:
        case graph.Roll():
            return path.with_roll(step, rules)
        case graph.Draw("", name, _, _, graph.Number()):
            return replace(_bind_choice(path, step, rules), rolled=(*path.rolled, name))
        case _:
            return _bind_choice(path, step, rules)


def _bind_choice(path: AccessPath, step: graph.Choose | graph.Draw, rules: graph.Graph) -> AccessPath:
    """Bind a name to a choice, or to drawn members."""
    if not step.how:
        return _bind_member(path, step.name, step.source, rules)
    shape: graph.ManyShape = "list" if step.how == "order" else "set"
    return path.with_parameter(step.name, graph.Many(shape, member_of(path.type_of(step.source, rules))))


def _bind_member(path: AccessPath, name: str, source: graph.Expr, rules: graph.Graph) -> AccessPath:
    """Bind a name to a member of a collection, and assume the condition on its members."""
    return path.with_parameter(name, member_of(path.type_of(source, rules))).with_assumption(
        _membership_condition(name, source)
    )


def _membership_condition(name: str, source: graph.Expr) -> graph.Expr:
    """Return the condition that a name is a member of a collection; a filter becomes a condition on the name."""
    match source:
        case graph.Fold("gather", var, inner, condition, None) if name not in bound_names(condition):
            filtered = substitute(condition, {var: graph.Var(name)})
            member = graph.Op("in", (graph.Var(name), inner))
            return member if condition is None else graph.Op("and", (member, filtered))
        case _:
            return graph.Op("in", (graph.Var(name), source))


def _as_text(path: AccessPath) -> str:
    return repr((path.step, path.parameters, path.lets, path.conditions))


def _with_effect_condition(path: AccessPath, rules: graph.Graph) -> AccessPath:
    """Add the condition under which the step of a path changes anything; of a call, the first effect that it has."""
    match path.step:
        case graph.Do(name, arguments):
            return replace(path, conditions=(*path.conditions, *_conditions_of_call(name, arguments, rules)))
        case step:
            condition = _change_condition(step)
            return path if condition is None else path.with_assumption(condition)


def _change_condition(step: graph.Step | None) -> graph.Expr | None:
    """Return a condition under which the first effect of a step changes anything; None if there is none to state."""
    match effects_of(step):
        case (SetStatus(owner, status, on, subject), *_):
            return graph.Is(subject, (graph.Test("status", owner, status),), negated=on)
        case (SetValue(in_record, owner, name, value, base), *_) if base is not None:
            return graph.Op("!=", (graph.Get(base, "record" if in_record else "track", owner, name), value))
        case (SetValue(_, owner, name, value), *_):
            return graph.Op("!=", (graph.GameTrack("scenario" if owner == "scenario" else "game", name), value))
        case _:
            return None


def _conditions_of_call(name: str, arguments: Sequence[graph.Expr], rules: graph.Graph) -> list[graph.Expr]:
    """Return the conditions of the first effect of a resolution that needs no further names, about these arguments."""
    key = f"resolution:{name}"
    parameters = rules.procedures[key].parameters
    values = {parameter.name: argument for parameter, argument in zip(parameters, arguments, strict=True)}
    for path in access_paths(rules, key):
        change_condition = _change_condition(path.step)
        if change_condition is not None and path.parameters == parameters:
            return [substitute(condition, values) for condition in (*path.conditions, change_condition)]
    return []


def _with_difference(path: AccessPath, counterpart: AccessPath) -> AccessPath:
    """Add the condition under which the step of a path and its counterpart in the other graph differ.

    Of two equal steps, only one is reached where a condition that one of the paths has alone does not hold.
    """
    shared = tuple(condition for condition in path.conditions if condition in counterpart.conditions)
    denied = conjunction(condition for condition in path.conditions if condition not in shared)
    if path.step == counterpart.step and denied is not None and len(shared) == len(counterpart.conditions):
        return replace(path, conditions=(*shared, graph.Op("not", (denied,))))
    left, right = _value_of(path.step), _value_of(counterpart.step)
    if type(path.step) is type(counterpart.step) and left and right and left != right:
        return path.with_assumption(graph.Op("!=", (left, right)))
    match path.step, counterpart.step:
        case (graph.Choose("", name, left), graph.Choose("", other_name, right)) | (
            graph.Draw("", name, left),
            graph.Draw("", other_name, right),
        ) if name == other_name and left != right:
            return path.with_assumption(graph.Op("not", (_membership_condition(name, right),)))
        case graph.Choose(_, _, source), _:
            # The choice is visible where there is something to choose.
            count = graph.Fold("count", "each", source, None, None, None)
            return path.with_assumption(graph.Op(">", (count, graph.Num(Fraction(1), ""))))
        case _:
            return path


def _value_of(step: graph.Step | None) -> graph.Expr | None:
    """Return the condition or the value of a step: of one that sets notes, what it sets first."""
    match step:
        case graph.Legal(value) | graph.Branch(value) | graph.Let(_, value):
            return value
        case _:
            return next((effect.value for effect in effects_of(step) if isinstance(effect, SetValue)), None)


def call_of(procedure: graph.Procedure) -> graph.Step:
    """Return the step that calls a procedure with its parameters as arguments."""
    arguments = tuple(graph.Var(parameter.name) for parameter in procedure.parameters)
    if procedure.what == "resolution":
        return graph.Do(procedure.name, arguments)
    moment = procedure.event.removeprefix("end of ")
    return graph.End(moment) if moment != procedure.event else graph.Tell(procedure.event, arguments)
