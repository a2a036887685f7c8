"""The call graph: the procedures that steps start, and the terms that expressions query."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.grouping import group_by
from runtime.graph.steps import MOMENT_OF_ROUND
from runtime.graph.walk import walk

# A kind of procedure and its name; of a hook its event.
ProcedureKey = tuple[str, str]


def procedures_reached(rules: graph.Graph, procedures: Iterable[str]) -> set[str]:
    """Return these procedures and all procedures reachable from them by calls."""
    keys_by_start = procedures_by_start(rules)
    known = (key for key in procedures if key in rules.procedures)
    return transitive_closure(known, lambda key: _called(keys_by_start, rules.procedures[key].body))


def procedures_called(rules: graph.Graph, steps: Iterable[object]) -> list[str]:
    """Return the procedures that steps call: resolutions, offered actions, hooks on events and ends of moments."""
    return _called(procedures_by_start(rules), steps)


def _called(keys_by_start: Mapping[ProcedureKey, Sequence[str]], steps: Iterable[object]) -> list[str]:
    starts = (start for node in walk(tuple(steps)) for start in procedures_started(node))
    return [key for start in starts for key in keys_by_start.get(start, ())]


def procedures_started(step: object) -> tuple[ProcedureKey, ...]:
    """Return what a step starts: actions, a resolution, the hooks on an event or on the end of a moment."""
    match step:
        case graph.Offer(actions):
            return tuple(("action", name) for name, _ in actions)
        case graph.Do(resolution):
            return (("resolution", resolution),)
        case graph.Tell(event):
            return (("hook", event),)
        case graph.End(moment) | graph.Phase(moment):
            return (("hook", f"end of {moment}"),)
        case graph.Each(name):
            return (("hook", f"end of {MOMENT_OF_ROUND.get(name, name)}"),)
        case _:
            return ()


def start_of(procedure: graph.Procedure) -> ProcedureKey:
    """Return the kind and name by which a procedure is started."""
    return procedure.what, procedure.event if procedure.what == "hook" else procedure.name


def procedures_by_start(rules: graph.Graph) -> dict[ProcedureKey, list[str]]:
    """Return the procedures by what starts them: several hooks may listen to one event."""
    return group_by(rules.procedures, lambda key: start_of(rules.procedures[key]))


def terms_queried(parts: object) -> Iterator[str]:
    """Yield the terms that parts of a graph query, and the flags that they test, which rules may decide."""
    return filter(None, map(queried_term, walk(parts)))


def queried_term(node: object) -> str:
    """Return the term that a node queries, or the flag that it tests; "" for another node."""
    match node:
        case graph.Ask(term):
            return term
        case graph.Test(_, owner, name):
            return f"{owner}.{name}"
        case _:
            return ""
