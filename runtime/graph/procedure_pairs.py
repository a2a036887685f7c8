"""Which procedures of two graphs are the same, and which go otherwise or stand in one of them only.

In: two graphs. Out: their procedures in pairs. Two procedures are the same if they do the same, whatever their
names are called and wherever they were written. Hooks have no name of their own: one is known by its event
and by what it does, so of those on one event the ones that are most alike are taken for the same.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# Hooks that share fewer of their steps than this are two hooks, not one that was changed.
ALIKE = 0.5

# Nodes that bring in a name, and the field it stands in; the clock's names are everybody's.
BINDING: dict[type, str] = {
    graph.Choose: "name", graph.Let: "name", graph.Loop: "name", graph.Roll: "name", graph.Draw: "name",
    graph.Create: "name", graph.Write: "name", graph.Var: "name", graph.Fold: "var", graph.Parameter: "name",
}  # fmt: skip
EVERYBODYS = frozenset({"", "player", "turn"})

CanonicalProcedure = tuple[Any, ...]


class ProcedurePair(NamedTuple):
    """A procedure in both graphs: its key in each, "" where there is none; `same` if it does the same in both."""

    here: str
    there: str
    same: bool

    @property
    def is_hook(self) -> bool:
        """Tell hooks from what has a name."""
        return (self.here or self.there).startswith("hook:")


def procedure_pairs(a: graph.Graph, b: graph.Graph) -> tuple[ProcedurePair, ...]:
    """Pair the procedures of two graphs."""
    found: list[ProcedurePair] = []
    shared = _phases(a) & _phases(b)
    for key in sorted({*a.procedures, *b.procedures}):
        if not key.startswith("hook:"):
            one, other = a.procedures.get(key), b.procedures.get(key)
            same = one is not None and other is not None and (one == other or _same(one, other, shared))
            found.append(ProcedurePair(key if one else "", key if other else "", same))
    return (*found, *_hooks(a, b))


def _phases(rules: graph.Graph) -> frozenset[str]:
    """List the phases of a graph."""
    sequence = rules.procedures.get("sequence")
    steps = walk(sequence.body) if sequence is not None else ()
    return frozenset(step.name for step in steps if isinstance(step, graph.Phase))


def _same(one: graph.Procedure, other: graph.Procedure, shared: frozenset[str]) -> bool:
    """Return whether two procedures do the same; of a phase that one graph alone has its actions are no difference."""
    mine, others = (
        replace(each, phases=tuple(name for name in each.phases if name in shared)) for each in (one, other)
    )
    return canonical_procedure(mine) == canonical_procedure(others)


def taken_back(graphs: tuple[graph.Graph, graph.Graph], pair: ProcedurePair) -> graph.Procedure:
    """Return a procedure of the second graph as the first one has it: with no steps where that does not have it."""
    mine = graphs[1].procedures[pair.there]
    if not pair.here:
        return replace(mine, body=())
    before = graphs[0].procedures[pair.here]
    return replace(mine, parameters=before.parameters, body=before.body)


def keyed_as(a: graph.Graph, b: graph.Graph) -> dict[str, graph.Procedure]:
    """Return the procedures of the second graph under the keys that the first has for them.

    Names are the same in both; the key of a hook counts the hooks of its stack, so another layer moves it. A hook
    without a counterpart gets a key that the first graph does not have.
    """
    keys = {pair.there: pair.here or f"{pair.there}-alone" for pair in procedure_pairs(a, b) if pair.is_hook}
    return {keys.get(key, key): each for key, each in b.procedures.items()}


def _hooks(a: graph.Graph, b: graph.Graph) -> Iterator[ProcedurePair]:
    """Pair hooks: first those that are the same, then those that do the same, then the ones that are most alike."""
    same = {key for key, each in a.procedures.items() if each.what == "hook" and b.procedures.get(key) == each}
    yield from (ProcedurePair(key, key, same=True) for key in sorted(same))
    left, right = (
        {
            key: canonical_procedure(each)
            for key, each in of.procedures.items()
            if each.what == "hook" and key not in same
        }
        for of in (a, b)
    )
    for key, did in list(left.items()):
        counterpart = next((other for other, done in right.items() if done == did), None)
        if counterpart is not None:
            yield ProcedurePair(key, counterpart, same=True)
            del left[key], right[counterpart]
    graded = ((similarity(a.procedures[one], b.procedures[two]), one, two) for one in left for two in right)
    for grade, one, two in sorted(graded, key=lambda each: (-each[0], each[1], each[2])):
        if grade >= ALIKE and one in left and two in right:
            yield ProcedurePair(one, two, same=False)
            del left[one], right[two]
    yield from (ProcedurePair(key, "", same=False) for key in left)
    yield from (ProcedurePair("", key, same=False) for key in right)


def canonical_procedure(procedure: graph.Procedure, *, preferring: bool = True) -> CanonicalProcedure:
    """Take what a procedure does: its steps, its names numbered as they come, nothing of where it stands.

    Without `preferring` also nothing of what greedy players prefer.
    """
    names: dict[str, str] = {}
    parameters = tuple(without_names(each, names) for each in procedure.parameters)
    body = without_citations(procedure.body) if preferring else _unpreferred(without_citations(procedure.body))
    return procedure.event, parameters, tuple(sorted(procedure.phases)), without_names(body, names)


def differ_in_preference(one: graph.Procedure, other: graph.Procedure) -> bool:
    """Return whether two procedures differ in nothing but what greedy players prefer."""
    return canonical_procedure(one) != canonical_procedure(other) and canonical_procedure(
        one, preferring=False
    ) == canonical_procedure(other, preferring=False)


def without_names(node: Any, names: dict[str, str]) -> Any:
    """Number the names in a node as they come."""
    if isinstance(node, tuple):
        return tuple(without_names(part, names) for part in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    binding = BINDING.get(type(node))
    parts = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == binding:
            parts[field.name] = value if value in EVERYBODYS else names.setdefault(value, f"#{len(names)}")
        elif isinstance(value, tuple) or is_dataclass(value):
            parts[field.name] = without_names(value, names)
    return replace(node, **parts) if parts else node


def similarity(one: graph.Procedure, other: graph.Procedure) -> float:
    """Return which part of the steps of two hooks on one event they have in common; 0 on different events."""
    if one.event != other.event:
        return 0.0
    mine, others = (Counter(map(repr, _plain_steps(each))) for each in (one, other))
    return 2 * (mine & others).total() / max(1, mine.total() + others.total())


def _plain_steps(procedure: graph.Procedure) -> Iterator[object]:
    names: dict[str, str] = {}
    without_names(procedure.parameters, names)
    for step in walk(without_citations(procedure.body)):
        if isinstance(step, graph.Step):
            yield without_names(single_step(step), dict(names))


def single_step(step: graph.Step) -> graph.Step:
    """Take a step without the steps inside it."""
    match step:
        case graph.Each() | graph.Phase() | graph.Loop():
            return replace(step, body=())
        case graph.Branch():
            return replace(step, then=(), orelse=())
        case _:
            return step


def without_citations(steps: tuple[graph.Step, ...]) -> tuple[graph.Step, ...]:
    """Leave out what steps cite and where they stand: that changes nothing in what they do."""
    plain: list[graph.Step] = []
    for step in steps:
        match step:
            case graph.Each() | graph.Phase():
                plain.append(replace(step, body=without_citations(step.body), cited=None))
            case graph.Offer() | graph.Do():
                plain.append(replace(step, cited=None))
            case graph.Loop():
                plain.append(replace(step, body=without_citations(step.body)))
            case graph.Branch():
                plain.append(replace(step, then=without_citations(step.then), orelse=without_citations(step.orelse)))
            case _:
                plain.append(step)
    return tuple(plain)


def _unpreferred(node: Any) -> Any:
    """Leave out of steps what greedy players prefer."""
    if isinstance(node, tuple):
        return tuple(_unpreferred(part) for part in node)
    match node:
        case graph.Choose():
            return replace(node, preferring=None)
        case graph.Each() | graph.Phase() | graph.Loop():
            return replace(node, body=_unpreferred(node.body))
        case graph.Branch():
            return replace(node, then=_unpreferred(node.then), orelse=_unpreferred(node.orelse))
        case _:
            return node


class ActionDifference(NamedTuple):
    """An action that one stack alone has (`only` is "a" or "b"), or whose steps differ (`only` is "")."""

    action: str
    only: str


def action_differences(a: graph.Graph, b: graph.Graph) -> Iterator[ActionDifference]:
    """Compare what may be done."""
    for pair in procedure_pairs(a, b):
        what, _, name = (pair.here or pair.there).partition(":")
        if what == "action" and not pair.same:
            yield ActionDifference(name, "" if pair.here and pair.there else "a" if pair.here else "b")
