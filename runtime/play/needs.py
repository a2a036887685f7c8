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


def needs(steps: Sequence[Head], rules: graph.Graph) -> list[graph.Expr]:
    """List what is needed before one choice after the other is made, each condition once."""
    named: list[str] = []
    found: dict[graph.Expr, None] = {}
    for step in steps:
        if isinstance(step, graph.Choose) and named and is_wanted(step, steps):
            for known in range(len(named) + 1):
                found.update(dict.fromkeys(of_choice(step, named[known:], rules)))
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
        case graph.Op(">", (graph.Fold("count", _, graph.Var(counted), None), graph.Num())):
            return counted == name
        case _:
            return False


def of_choice(step: graph.Choose, hidden: Sequence[str], rules: graph.Graph) -> Iterator[graph.Expr]:
    """List what a choice needs, told while some names are hidden."""
    match said_plainly(step.source, rules):
        case graph.Fold("gather", var, source, where, None) if var not in hidden:
            yield from told(where, [*hidden, var], rules)
            about = [part for part in told(where, hidden, rules) if var in free(part)]
            if hidden and not free(source) & {var, *hidden} and (about or isinstance(source, graph.Pieces)):
                yield graph.Fold("some", var, source, together(about) if about else None, None, None)
        case _:
            pass


def told(where: graph.Expr | None, hidden: Sequence[str], rules: graph.Graph) -> Iterator[graph.Expr]:
    """List the parts of a condition that can be told; behind one that cannot, those that are safe in any position."""
    sure = True
    for part in conjuncts(where):
        if free(part).isdisjoint(hidden):
            if sure or is_quick(part, rules.terms, ()):
                yield part
            continue
        if sure and isinstance(part, graph.Ask):
            yield from (other for other in undenied(part, rules) if free(other).isdisjoint(hidden))
        sure = False


def together(parts: Sequence[graph.Expr]) -> graph.Expr:
    """Make one condition of several."""
    return parts[0] if len(parts) == 1 else graph.Op("and", tuple(parts))
