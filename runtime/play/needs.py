"""What an action needs in any case: that there is somebody to choose, as far as that can be told before.

In: the steps at the head of an action. Out: conditions that hold wherever all of it can be chosen legally, about fewer
choices than those they come from. That nobody reaches a hex is then asked once of the hex, and not for every set of
those who stand there.
"""

from collections.abc import Iterator, Sequence

from runtime.answer.conditions import conjuncts
from runtime.answer.denials import undenied
from runtime.answer.quick_first import is_quick
from runtime.answer.written_out import said_plainly
from runtime.graph import nodes as graph
from runtime.graph.free import free

Head = graph.Let | graph.Legal | graph.Choose
# A part of a condition, what it comes to, and whether it is quick and safe in any position.
Part = tuple[graph.Expr, list[graph.Expr], bool]


def needs(steps: Sequence[Head], rules: graph.Graph) -> list[graph.Expr]:
    """List what is needed before one choice after the other is made, each condition once."""
    named: list[str] = []
    found: dict[graph.Expr, None] = {}
    for step in steps:
        if isinstance(step, graph.Choose) and named and is_wanted(step, steps):
            match said_plainly(step.source, rules):
                case graph.Fold("gather", var, source, where, None) if var not in named:
                    parts = [(p, denials(p, rules), is_quick(p, rules.terms, ())) for p in conjuncts(where)]
                    for known in range(len(named) + 1):
                        found.update(dict.fromkeys(of_choice(var, source, parts, named[known:])))
                case _:
                    pass
        if not isinstance(step, graph.Legal):
            named.append(step.name)
    return list(found)


def is_wanted(step: graph.Choose, steps: Sequence[Head]) -> bool:
    """Say whether somebody has to be chosen: one, or a set that must not be empty."""
    conditions = (part for other in steps if isinstance(other, graph.Legal) for part in conjuncts(other.condition))
    return not step.how or any(is_inhabited(part, step.name) for part in conditions)


def is_inhabited(part: graph.Expr, name: str) -> bool:
    """Say whether a condition is that a set has members."""
    match part:
        case graph.Op(">", (graph.Fold("count", _, graph.Var(counted), None), graph.Num(number))):
            return counted == name and number >= 0
        case _:
            return False


def denials(part: graph.Expr, rules: graph.Graph) -> list[graph.Expr]:
    """List what a condition comes to that may be told where all of it may not."""
    return undenied(part, rules) if isinstance(part, graph.Ask) else []


def of_choice(var: str, source: graph.Expr, parts: Sequence[Part], hidden: Sequence[str]) -> Iterator[graph.Expr]:
    """List what a choice needs, told while some names are hidden."""
    yield from told(parts, {*hidden, var})
    about = [part for part in told(parts, set(hidden)) if var in free(part)]
    if hidden and not free(source) & {var, *hidden} and (about or isinstance(source, graph.Pieces)):
        yield graph.Fold("some", var, source, together(about) if about else None, None, None)


def told(parts: Sequence[Part], hidden: set[str]) -> Iterator[graph.Expr]:
    """List the parts of a condition that can be told; behind one that cannot, those that are safe in any position."""
    sure = True
    for part, less, quick in parts:
        if free(part).isdisjoint(hidden):
            if sure or quick:
                yield part
            continue
        if sure:
            yield from (other for other in less if free(other).isdisjoint(hidden))
        sure = False


def together(parts: Sequence[graph.Expr]) -> graph.Expr:
    """Make one condition of several."""
    return parts[0] if len(parts) == 1 else graph.Op("and", tuple(parts))
