"""The steps that cite a source of their own, and what each procedure would be without them or in another order.

A sequence of play is protected step by step: an example must notice when a cited step is gone, and when it
changes places with its neighbor; of a loop of the clock, also when it makes one round, or leaves out a side.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE

Steps = tuple[graph.Step, ...]
MEMBER = "#member"


@dataclass(frozen=True, slots=True)
class Altered:
    """A cited step, and the bodies of its procedure altered at it; of every group one has to be noticed."""

    name: str
    cited: graph.Cited
    groups: tuple[tuple[Steps, ...], ...]


def altered(body: Steps, sides: tuple[str, ...]) -> Iterator[Altered]:
    """Find the cited steps of a body, those inside others too."""
    for at, step in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        cited = getattr(step, "cited", None)
        if cited is not None:
            groups = (
                *_moved(body, at),
                *(tuple((*before, each, *after) for each in of) for of in _clocks(step, sides)),
            )
            yield Altered(called(step), cited, groups)
        for part, outer in _inside(step, sides):
            wrapped = tuple(tuple((*before, outer(inner), *after) for inner in group) for group in part.groups)
            yield replace(part, groups=wrapped)


def _inside(step: graph.Step, sides: tuple[str, ...]) -> Iterator[tuple[Altered, Callable[[Steps], graph.Step]]]:
    """Find the cited steps inside a step, and how to put other steps around them."""
    match step:
        case graph.Each() | graph.Phase() | graph.Loop():
            for part in altered(step.body, sides):
                yield part, lambda body: replace(step, body=body)
        case graph.Branch(_, then, orelse):
            for part in altered(then, sides):
                yield part, lambda body: replace(step, then=body)
            for part in altered(orelse, sides):
                yield part, lambda body: replace(step, orelse=body)
        case _:
            pass


def _moved(body: Steps, at: int) -> Iterator[tuple[Steps, ...]]:
    """Take a step out, and let it change places with the next one, or the last with the one before.

    What stands before or behind the whole clock is preparation; where a loop of the clock stands says little.
    """
    yield ((*body[:at], *body[at + 1 :]),)
    first = min(at, len(body) - 2)
    if first >= 0 and not isinstance(body[at], graph.Each):
        yield ((*body[:first], body[first + 1], body[first], *body[first + 2 :]),)


def _clocks(step: graph.Step, sides: tuple[str, ...]) -> Iterator[tuple[graph.Step, ...]]:
    """Let a loop of the clock make one round, or leave out a side."""
    match step:
        case graph.Each("turn", graph.Op("span", (low, _))):
            yield (replace(step, source=graph.Op("span", (low, low))),)
        case graph.Each("player", source):
            others = (graph.Op("!=", (graph.Var(MEMBER), graph.Member(SIDE.name, side))) for side in sides)
            yield tuple(
                replace(step, source=graph.Fold("gather", MEMBER, source, other, None, None)) for other in others
            )
        case _:
            pass


def called(step: graph.Step) -> str:
    """Name a step as it is written."""
    match step:
        case graph.Phase(name):
            return f"phase {name}"
        case graph.Each(name):
            return f"each {name}"
        case graph.Offer(actions):
            return f"offer {', '.join(name for name, _ in actions)}"
        case graph.Do(resolution):
            return f"do {resolution}"
        case _:
            return type(step).__name__.lower()
