"""Choices of sets restricted to members that some admitted set can contain.

In: the choices, bindings and conditions of a head. Out: an equivalent head. The source of each choice of a set has only
members that no later condition rejects alone, and conditions that no later choice can change precede it. A search then
need not try each of the exponentially many sets with a rejected member. The machine and compiled modules search the
same head.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.free_names import bound_names, free_names
from runtime.graph.inferred_conditions import (
    YES,
    EmptySet,
    InferredConditions,
    KnownExpression,
    NonemptySet,
    SuspendedExpression,
    any_of,
)
from runtime.graph.steps import HeadStep


def restricted_choices(steps: Sequence[HeadStep], rules: graph.Graph) -> tuple[HeadStep, ...]:
    """Return a head with its choices of sets restricted to members that some admitted set can contain.

    A head with one such choice is not changed: few of its sets are tried, and each condition costs at each decision.
    """
    choices = [step for step in steps if isinstance(step, graph.Choose) and step.how == "any"]
    binders = [step.name for step in steps if not isinstance(step, graph.Legal)]
    if len(choices) < 2 or len(set(binders)) < len(binders):
        return tuple(steps)
    found: list[list[HeadStep]] = [[step] for step in steps]
    for index, step in enumerate(steps):
        if isinstance(step, graph.Choose) and step.how == "any":
            _restrict(found, steps, index, step, InferredConditions(rules))
    return tuple([step for row in found for step in row])


def _restrict(
    found: list[list[HeadStep]], steps: Sequence[HeadStep], index: int, step: graph.Choose, inferred: InferredConditions
) -> None:
    """Restrict one choice, and insert what has to hold before it; each row of `found` ends with the step itself."""
    member = graph.Var(unused_name(f"{step.name}_member", steps))
    general = list(_rejections(inferred, steps, index, index, None))
    for condition in general:
        start = next(
            start for start in range(index + 1) if not free_names(condition) & _bound_from(steps, start, index)
        )
        check = graph.Legal(graph.Op("not", (condition,)))
        if not any(check in row for row in found[: start + 1]):
            found[start].insert(-1, check)

    def specific_rejection(start: int, chosen: KnownExpression) -> graph.Expr | None:
        return any_of(each for each in _rejections(inferred, steps, index, start, chosen) if each not in general)

    if (rejection := specific_rejection(index, NonemptySet(member))) is not None:
        source = graph.Fold("gather", member.name, step.source, graph.Op("not", (rejection,)), None, None)
        found[index][-1] = replace(step, source=source)
    needs_member = isinstance(step.least, graph.Num) and step.least.value >= 1
    for start in range(index + 1):
        if free_names(step.source) & _bound_from(steps, start, index):
            continue
        empty = YES if needs_member else specific_rejection(start, EmptySet())
        if empty is not None:
            rejection = specific_rejection(start, NonemptySet(member))
            admitted = None if rejection is None else graph.Op("not", (rejection,))
            has_member = graph.Fold("some", member.name, step.source, admitted, None, None)
            condition = has_member if empty == YES else graph.Op("or", (graph.Op("not", (empty,)), has_member))
            found[start].insert(-1, graph.Legal(condition))
            return


def _bound_from(steps: Sequence[HeadStep], start: int, end: int) -> set[str]:
    """Return the names that the steps from `start` to before `end` bind."""
    return {step.name for step in steps[start:end] if not isinstance(step, graph.Legal)}


def _rejections(
    inferred: InferredConditions, steps: Sequence[HeadStep], index: int, start: int, chosen: KnownExpression
) -> Iterator[graph.Expr]:
    """Yield conditions under which a later condition fails; the names bound before `start` are known, and `chosen`."""
    bound_here = {name for step in steps if not isinstance(step, graph.Legal) for name in (step.name,)}
    names: dict[str, KnownExpression] = {
        name: graph.Var(name) for step in steps for name in free_names(step) if name not in bound_here
    }
    for number, step in enumerate(steps):
        if isinstance(step, graph.Legal):
            if number > index:
                yield from disjuncts(inferred.sufficient(step.condition, dict(names), answer=False))
        elif number == index:
            names[step.name] = chosen
        elif number < start:
            names[step.name] = graph.Var(step.name)
        elif isinstance(step, graph.Let):
            names[step.name] = SuspendedExpression(step.value, dict(names))


def unused_name(name: str, steps: Sequence[HeadStep]) -> str:
    """Return a name that no step uses."""
    used = set().union(*(free_names(step) | bound_names(step) for step in steps))
    while name in used:
        name += "_"
    return name


def disjuncts(condition: graph.Expr | None) -> tuple[graph.Expr, ...]:
    """Return the conditions of a disjunction; none for None."""
    match condition:
        case None:
            return ()
        case graph.Op("or", parts):
            return parts
        case _:
            return (condition,)
