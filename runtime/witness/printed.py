"""What differs between two stacks without any question: what counters show, and what may be done.

In: two graphs. Out: counters in both that show something else, and actions that one stack alone offers or
that go differently. Of counters that only one stack has nothing is said: a list of names tells nobody anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.witness.position_file import value_text


@dataclass(frozen=True, slots=True)
class CounterDifference:
    """A counter that shows something else, one text for each thing."""

    counter: str
    shows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActionDifference:
    """An action. `only` is "a" or "b" where one stack alone has it, "" where it goes differently."""

    action: str
    only: str


def counters(a: graph.Graph, b: graph.Graph) -> Iterator[CounterDifference]:
    """Compare what counters show that both stacks have."""
    for name in sorted(a.counters.keys() & b.counters.keys()):
        shows = tuple(_shows(a.counters[name], b.counters[name], b))
        if shows:
            yield CounterDifference(name, shows)


def _shows(here: graph.Counter, there: graph.Counter, rules: graph.Graph) -> Iterator[str]:
    mine, theirs = dict(here.printed), dict(there.printed)
    for name in dict.fromkeys((*mine, *theirs)):
        if mine.get(name) != theirs.get(name):
            yield f"{words.spaced(name)} {_said(theirs.get(name), rules)} instead of {_said(mine.get(name), rules)}"
    if here.owner != there.owner:
        yield f"{there.owner or 'any side'} instead of {here.owner or 'any side'}"
    for trait in sorted({*here.traits} ^ {*there.traits}):
        yield f"{'' if trait in there.traits else 'not '}{words.spaced(trait)}"


def _said(value: graph.Expr | None, rules: graph.Graph) -> str:
    match value:
        case None:
            return "nothing"
        case graph.Num(number, measure):
            return words.amount(number, measure, rules.vocabulary)
        case graph.Member(enum, name):
            return words.member(enum, name, rules.vocabulary)
        case _:
            return value_text(value)


def actions(a: graph.Graph, b: graph.Graph) -> Iterator[ActionDifference]:
    """Compare what may be done."""
    here, there = (
        {procedure.name: procedure for procedure in stack.procedures.values() if procedure.what == "action"}
        for stack in (a, b)
    )
    for name in sorted({*here, *there}):
        if name not in there or name not in here:
            yield ActionDifference(name, "a" if name in here else "b")
        elif _steps(here[name]) != _steps(there[name]):
            yield ActionDifference(name, "")


def _steps(procedure: graph.Procedure) -> tuple[object, ...]:
    return procedure.parameters, procedure.phases, uncited(procedure.body)


def uncited(steps: tuple[graph.Step, ...]) -> tuple[graph.Step, ...]:
    """Leave out what steps cite and where they stand: that changes nothing in what they do."""
    plain: list[graph.Step] = []
    for step in steps:
        match step:
            case graph.Each() | graph.Phase():
                plain.append(replace(step, body=uncited(step.body), cited=None))
            case graph.Offer() | graph.Do():
                plain.append(replace(step, cited=None))
            case graph.Loop():
                plain.append(replace(step, body=uncited(step.body)))
            case graph.Branch():
                plain.append(replace(step, then=uncited(step.then), orelse=uncited(step.orelse)))
            case _:
                plain.append(step)
    return tuple(plain)
