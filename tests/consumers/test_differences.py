"""`diff` reports every change of every step.

Each step of the toys is removed, and each of its parts is altered by itself: a word to every other word, yes to no, an
expression to a name, an optional part to none. Then the texts of the procedures, or the sequences, must differ.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from rulewright.explain.views.procedure_text import procedure_text, reaction_lines
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import canonical_procedure, differ_in_preference
from runtime.graph.walk import walk
from tests.consumers.test_nodes import EVERY, toys

OTHER = graph.Var("something_else")
# A step that admits no name has the first of these that it admits.
OTHERS = (OTHER, graph.GameTrack("game", "other"), graph.New("other", ()))
# An offer with one of these values of `until` may end at any time.
ALWAYS = (None, graph.Truth(value=True))


def inside(whole: Any, one: graph.Step, other: graph.Step | None) -> Any:
    """Replace a step, found by identity, by another or none."""
    if isinstance(whole, tuple):
        inner_differences = (inside(part, one, other) for part in whole if part is not one or other is not None)
        return tuple(inner_differences)
    if whole is one:
        return other
    if isinstance(whole, graph.Step):
        created = {each.name: inside(getattr(whole, each.name), one, other) for each in fields(whole)}
        return replace(whole, **dict[str, Any](created))
    return whole


def but(step: graph.Step, name: str, value: object) -> graph.Step:
    """Return a step with another value in a field."""
    changed_step: graph.Step = replace(step, **dict[str, Any]({name: value}))
    return changed_step


def altered(step: graph.Step) -> Iterator[tuple[str, graph.Step | None]]:
    """Yield the step removed, and altered in each part by itself, as far as a rules file can express that."""
    yield "", None
    hints = get_type_hints(step.__class__)
    for each in fields(step):
        value, hint = getattr(step, each.name), hints[each.name]
        match step, each.name:
            case (graph.Offer(until=until), "must" | "keeping" | "until" | "escapes") if until in ALWAYS:
                continue
            case (graph.Draw(count=None), "how") | (graph.Branch(then=(graph.BeginAccount(), *_)), "then"):
                continue
            case _:
                pass
        if get_origin(hint) is Literal:
            yield from ((each.name, but(step, each.name, word)) for word in get_args(hint) if word != value)
        elif isinstance(value, bool):
            yield each.name, but(step, each.name, not value)
        elif isinstance(value, graph.Expr):
            yield each.name, but(step, each.name, next(other for other in OTHERS if isinstance(other, hint)))
            if type(None) in get_args(hint):
                yield each.name, but(step, each.name, None)
        elif isinstance(value, tuple) and value and isinstance(value[0], graph.Step | graph.Expr):
            yield each.name, but(step, each.name, value[1:])


def is_difference_reported(rules: graph.Graph, key: str, body: tuple[graph.Step, ...]) -> bool:
    """Return whether another body of a procedure is reported as a difference of behavior or of preference."""
    was = rules.procedures[key]
    now = replace(was, body=body)
    return [*procedure_text(was, rules)] != [*procedure_text(now, rules)] or differ_in_preference(was, now)


@EVERY
def test_every_change_of_a_step_is_reported(toy: str) -> None:
    rules, silent = toys()[toy], set()
    for key, procedure in rules.procedures.items():
        if reaction_lines(procedure):
            continue  # The steps that answer an event have a canonical text.
        for step in walk(procedure.body):
            if isinstance(step, graph.Step) and not isinstance(step, graph.BeginAccount):
                for part, other in altered(step):
                    body = inside(procedure.body, step, other)
                    if canonical_procedure(replace(procedure, body=body)) != canonical_procedure(
                        procedure
                    ) and not is_difference_reported(rules, key, body):
                        silent.add(f"{key}: {step.__class__.__name__}.{part}")
    assert sorted(silent) == []
