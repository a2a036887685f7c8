"""Where a step of a procedure was written, which the graph does not say.

In: a finding about a step, and the texts. Out: the same finding, its procedure placed at the step. A text is read once
more and its steps are counted as the graph counts its own. Where the two counts part (phases that other layers insert,
what reactions and tasks are made of, rules inside YAML) the finding stays where the procedure begins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from compiler.analysis.problems import DeadStep, Escape, OfferedElsewhere, OverNothing, Party, StepAt, UnusedName
from compiler.source import nodes as source
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from runtime.graph import nodes as graph

Finding = TypeVar("Finding")


def placed(finding: Finding, texts: Mapping[str, str]) -> Finding:
    """Place a finding about a step where the step stands."""
    if isinstance(finding, DeadStep | Escape | OverNothing | UnusedName):
        return replace(finding, procedure=_moved(finding.procedure, finding.step, texts))
    if isinstance(finding, OfferedElsewhere):
        return replace(finding, by=_moved(finding.by, finding.step, texts))
    return finding


def _moved(party: Party, at: StepAt, texts: Mapping[str, str]) -> Party:
    """Let a procedure stand where its step stands."""
    span = _span_of(party, at, texts)
    if span is None:
        return party
    place = graph.Origin(party.origin.layer, span.file, span.line, span.column, span.end_line, span.end_column)
    return replace(party, origin=place)


def _span_of(party: Party, at: StepAt, texts: Mapping[str, str]) -> Span | None:
    """Find the step in the text of the procedure, or of the phase, that it stands in."""
    file = party.origin.file
    if not file.endswith(".rules"):
        return None
    for word, body in _bodies(parse_rules(texts.get(file, ""), file)[0].statements):
        if (word.span.line, word.span.column) == (party.origin.line, party.origin.column):
            return _counted(list(_steps(body)), at)
    return None


def _bodies(statements: tuple[source.Statement, ...]) -> Iterator[tuple[source.Word, tuple[source.Step, ...]]]:
    """List what holds steps: its name, and the steps."""
    for statement in statements:
        match statement:
            case source.Hook(event=word, body=body) | source.Sequence(name=word, body=body):
                pass
            case source.Action(name=word, body=body) | source.Resolution(name=word, body=body):
                pass
            case source.Reaction(name=word, body=body) | source.Insert(phase=source.Phase(name=word, body=body)):
                pass
            case _:
                continue
        yield word, body
        yield from ((step.name, step.body) for step in _steps(body) if isinstance(step, source.Phase))


def _counted(steps: list[source.Step], at: StepAt) -> Span | None:
    """Find a step by its number; a side named behind `by` is a condition in front of all others."""
    more = at.of - len(steps)
    number = at.number - more
    if more not in (0, 1) or number < 0 or type(steps[number]).__name__ != at.what:
        return None
    match steps[number]:
        case source.Branch(condition=condition):
            return condition.span
        case step:
            return step.span


def _steps(body: tuple[source.Step, ...]) -> Iterator[source.Step]:
    """List steps as the graph does: each before what it holds."""
    for step in body:
        yield step
        match step:
            case source.Loop() | source.Each() | source.Phase():
                yield from _steps(step.body)
            case source.Branch(then=then, orelse=orelse):
                yield from _steps((*then, *orelse))
            case _:
                pass
