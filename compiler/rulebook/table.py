"""The part of a procedure that players perform at the table, without the bookkeeping of a computer.

The input is the steps of a procedure; the output is those that a player performs: choices, dice, what moves, appears,
is removed or gets a marker, and procedures that are run, even those with bookkeeping only, if a source mentions them.
Excluded are statuses and flags that are not visible, records, and events for other rules; names of values computed
before are expanded. Empty containers are excluded, too.
"""

from collections.abc import Iterator

from compiler.layered.citations import HOUSE
from compiler.rulebook.sentences import speaker_of
from compiler.rulebook.steps import Line, read_steps
from runtime.graph import nodes as graph
from runtime.graph.free_names import bound_names, free_names, substitute
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.graph.wording import Wording


def table_lines(book: graph.Graph, procedure: graph.Procedure) -> tuple[Line, ...]:
    """Convert what a player does in a procedure to lines."""
    speaker = speaker_of(book, procedure.parameters)
    return read_steps(
        speaker, steps_at_table(speaker, procedure.body, frozenset({f"{procedure.what}:{procedure.name}"}))
    )


def steps_at_table(
    speaker: Wording, steps: tuple[graph.Step, ...], call_path: frozenset[str] = frozenset()
) -> tuple[graph.Step, ...]:
    """Return the steps that a player performs; `call_path` are the resolutions on the call path."""
    return tuple(_performed_steps(speaker, steps, call_path))


def _performed_steps(
    speaker: Wording, steps: tuple[graph.Step, ...], call_path: frozenset[str]
) -> Iterator[graph.Step]:
    rest = list(steps)
    rolled: set[str] = set()
    while rest:
        step = rest.pop(0)
        if isinstance(step, graph.Let):
            rest = [_substitute_value(speaker, step, each) for each in rest]
        elif isinstance(step, graph.Write) and step.name:
            rest = [substitute(each, {step.name: graph.Var(step.record.record)}) for each in rest]
        elif isinstance(step, graph.Roll | graph.Draw):
            rolled.add(step.name)
            yield step
        elif isinstance(step, graph.Assign):
            if free_names(step.value) & rolled:
                yield step
        elif (performed_step := _performed_step(speaker, step, call_path)) is not None:
            yield performed_step


def _performed_step(speaker: Wording, step: graph.Step, call_path: frozenset[str]) -> graph.Step | None:
    """Return one step, with the steps inside it that are performed; None if there is nothing to perform."""
    match step:
        case graph.Tell() | graph.Write() | graph.Strike() | graph.Add():
            return None
        case graph.Mark(_, owner, status, _):
            flag = speaker.vocabulary.flags.get(f"{owner}.{status}")
            return step if flag is not None and (flag.marker or flag.until == "game") else None
        case graph.Pair(relation, left, right, _, on):
            return graph.Pair(relation, left, right, None, on)
        case graph.Do(resolution, _, cited):
            key = f"resolution:{resolution}"
            procedure = speaker.rules.procedures.get(key)
            if (
                procedure is None
                or key in call_path
                or (procedure.prose and any(cite != HOUSE for cite in procedure.cites))
            ):
                return graph.Do(resolution, (), cited)
            matters = any(_performed_steps(speaker, procedure.body, call_path | {key}))
            return graph.Do(resolution, (), cited) if matters else None
        case graph.Offer(actions, decider, until, cited):
            bound = until is not None and until != graph.Truth(value=True)
            return graph.Offer(actions, decider, graph.Truth(value=False), cited) if bound else step
        case graph.Loop(name, source, body):
            performed_steps = steps_at_table(speaker, body, call_path)
            return graph.Loop(name, source, performed_steps) if performed_steps else None
        case graph.Each(name, source, body, cited):
            performed_steps = steps_at_table(speaker, body, call_path)
            return graph.Each(name, source, performed_steps, cited) if performed_steps else None
        case graph.Phase(name, title, body, cited):
            return graph.Phase(name, title, steps_at_table(speaker, body, call_path), cited)
        case graph.Branch(condition, then, orelse):
            then_steps, else_steps = (steps_at_table(speaker, part, call_path) for part in (then, orelse))
            if then_steps:
                return graph.Branch(condition, then_steps, else_steps)
            return graph.Branch(graph.Op("not", (condition,)), else_steps, ()) if else_steps else None
        case _:
            return step


def _substitute_value(speaker: Wording, let: graph.Let, step: graph.Step) -> graph.Step:
    """Substitute a value computed before in a step; a new record is called by its type."""
    record = next((node.record for node in walk(let.value) if isinstance(node, graph.New)), "")
    type_ = type_of(let.value, speaker.names, speaker.rules)
    value: graph.Expr = let.value
    if isinstance(type_, graph.RecordOf) or record:
        value = graph.Var(type_.name if isinstance(type_, graph.RecordOf) else record)
    if bound_names(step) & free_names(value):
        return step
    return substitute(step, {let.name: value})  # type: ignore[no-any-return]  # It stays what it was.
