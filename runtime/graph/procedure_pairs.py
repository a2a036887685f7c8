"""Matching of the procedures of two graphs: equal, changed, or in one of them only.

In: two graphs. Out: pairs of procedures. Two procedures are equal if their canonical forms are, up to renaming of
bindings and origins. Hooks have no names: they are matched by event and, among those on one event, by greatest
similarity.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from runtime.graph import nodes as graph
from runtime.graph.steps import map_steps, phases_of_sequence, single_step
from runtime.graph.walk import fields_of, map_children, walk

# The least similarity of a changed hook; less similar hooks are unmatched.
ALIKE = 0.5

# Binding nodes, and the field of the bound name; the names of the clock are global.
BINDING: dict[type, str] = {
    graph.Choose: "name", graph.Let: "name", graph.Loop: "name", graph.Roll: "name", graph.Draw: "name",
    graph.Var: "name", graph.Fold: "var", graph.Parameter: "name",
    **{step: "name" for step in get_args(graph.ChangingStep) if "name" in fields_of(step)},
}  # fmt: skip
CITING = (graph.Each, graph.Phase, graph.Offer, graph.Do)
EVERYBODYS = frozenset({"", "player", "turn"})

CanonicalProcedure = tuple[Any, ...]


class ProcedurePair(NamedTuple):
    """A procedure in two graphs: its key in each, "" where it is missing; `is_equal`: the canonical forms are."""

    first_key: str
    second_key: str
    is_equal: bool

    @property
    def is_hook(self) -> bool:
        """Return whether it is a hook."""
        return (self.first_key or self.second_key).startswith("hook:")


def procedure_pairs(a: graph.Graph, b: graph.Graph) -> tuple[ProcedurePair, ...]:
    """Return the procedures of two graphs in pairs, hooks last; the key is "" where a graph lacks a procedure."""
    found: list[ProcedurePair] = []
    shared = frozenset(phases_of_sequence(a).keys() & phases_of_sequence(b).keys())
    for key in sorted({*a.procedures, *b.procedures}):
        if not key.startswith("hook:"):
            first, second = a.procedures.get(key), b.procedures.get(key)
            same = first is not None and second is not None and (first == second or _same(first, second, shared))
            found.append(ProcedurePair(key if first else "", key if second else "", same))
    return (*found, *_hooks(a, b))


def _same(first: graph.Procedure, second: graph.Procedure, shared: frozenset[str]) -> bool:
    """Return whether two procedures are equal, ignoring phases that only one graph has."""
    left, right = (
        replace(each, phases=tuple(name for name in each.phases if name in shared)) for each in (first, second)
    )
    return canonical_procedure(left) == canonical_procedure(right)


def with_first_body(graphs: tuple[graph.Graph, graph.Graph], pair: ProcedurePair) -> graph.Procedure:
    """Return a procedure of the second graph with the body of the first one; with an empty body where it is missing."""
    procedure = graphs[1].procedures[pair.second_key]
    if not pair.first_key:
        return replace(procedure, body=())
    before = graphs[0].procedures[pair.first_key]
    return replace(procedure, parameters=before.parameters, body=before.body)


def procedure_of(pair: ProcedurePair, graphs: tuple[graph.Graph, graph.Graph]) -> graph.Procedure:
    """Return a procedure as the second graph has it, else as the first one does."""
    return graphs[1].procedures[pair.second_key] if pair.second_key else graphs[0].procedures[pair.first_key]


def procedures_by_keys_of(a: graph.Graph, b: graph.Graph) -> dict[str, graph.Procedure]:
    """Return the procedures of the second graph by the keys of the first.

    Named procedures have equal keys; the key of a hook contains its number in the stack, which another layer shifts. A
    hook without a counterpart gets a key that the first graph does not have.
    """
    keys = {
        pair.second_key: pair.first_key or f"{pair.second_key}-alone" for pair in procedure_pairs(a, b) if pair.is_hook
    }
    return {keys.get(key, key): each for key, each in b.procedures.items()}


def _hooks(a: graph.Graph, b: graph.Graph) -> Iterator[ProcedurePair]:
    """Match hooks: first equal ones, then those with equal canonical forms, then the most similar ones."""
    same = {key for key, each in a.procedures.items() if each.what == "hook" and b.procedures.get(key) == each}
    yield from (ProcedurePair(key, key, is_equal=True) for key in sorted(same))
    left, right = (
        {
            key: canonical_procedure(each)
            for key, each in rules.procedures.items()
            if each.what == "hook" and key not in same
        }
        for rules in (a, b)
    )
    for key, form in list(left.items()):
        counterpart = next((other for other, other_form in right.items() if other_form == form), None)
        if counterpart is not None:
            yield ProcedurePair(key, counterpart, is_equal=True)
            del left[key], right[counterpart]
    scores = (
        (similarity(a.procedures[left_key], b.procedures[right_key]), left_key, right_key)
        for left_key in left
        for right_key in right
    )
    for score, left_key, right_key in sorted(scores, key=lambda each: (-each[0], each[1], each[2])):
        if score >= ALIKE and left_key in left and right_key in right:
            yield ProcedurePair(left_key, right_key, is_equal=False)
            del left[left_key], right[right_key]
    yield from (ProcedurePair(key, "", is_equal=False) for key in left)
    yield from (ProcedurePair("", key, is_equal=False) for key in right)


def canonical_procedure(procedure: graph.Procedure, *, preferring: bool = True) -> CanonicalProcedure:
    """Return the canonical form of a procedure: its steps with numbered bindings, without origins.

    Without `preferring` preferences are left out as well.
    """
    names: dict[str, str] = {}
    parameters = tuple(_without_names(each, names) for each in procedure.parameters)
    body = without_citations(procedure.body) if preferring else without_preferences(without_citations(procedure.body))
    return procedure.event, parameters, tuple(sorted(procedure.phases)), _without_names(body, names)


def differ_in_preference(first: graph.Procedure, second: graph.Procedure) -> bool:
    """Return whether two procedures differ in preferences only."""
    return canonical_procedure(first) != canonical_procedure(second) and canonical_procedure(
        first, preferring=False
    ) == canonical_procedure(second, preferring=False)


def _without_names(node: Any, names: dict[str, str]) -> Any:
    """Return a node with its bindings replaced by numbers in order of occurrence, which are added to `names`."""
    binding = BINDING.get(type(node))
    if binding and (name := getattr(node, binding)) not in EVERYBODYS:
        node = replace(node, **{binding: names.setdefault(name, f"#{len(names)}")})
    return map_children(node, lambda part: _without_names(part, names))


def similarity(first: graph.Procedure, second: graph.Procedure) -> float:
    """Return the fraction of steps that two hooks on one event have in common; 0 for different events."""
    if first.event != second.event:
        return 0.0
    first_steps, second_steps = (Counter(map(repr, _plain_steps(each))) for each in (first, second))
    return 2 * (first_steps & second_steps).total() / max(1, first_steps.total() + second_steps.total())


def _plain_steps(procedure: graph.Procedure) -> Iterator[object]:
    names: dict[str, str] = {}
    _without_names(procedure.parameters, names)
    for step in walk(without_citations(procedure.body)):
        if isinstance(step, graph.Step):
            yield _without_names(single_step(step), dict(names))


def without_citations(body: tuple[graph.Step, ...]) -> tuple[graph.Step, ...]:
    """Return steps without citations and origins."""
    return map_steps(body, lambda step: (replace(step, cited=None) if isinstance(step, CITING) else step,))


def without_preferences(body: tuple[graph.Step, ...]) -> tuple[graph.Step, ...]:
    """Return steps without preferences."""
    return map_steps(body, lambda step: (replace(step, preferring=None) if isinstance(step, graph.Choose) else step,))
