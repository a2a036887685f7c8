"""Pairs of hooks on one event that do not commute.

Where their order is not stated, neither may set what the other reads or sets; the places of pieces count as one slot.
Marking the same status twice is idempotent.
"""

from collections.abc import Iterator
from itertools import combinations

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.readers_and_setters import DeclaredName, name_of_slot, names_set, read_sets_of_stack
from compiler.analysis.step_reads import expressions_read
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in, effects_of
from runtime.graph.effects.primitives import SetStatus, StrikeRecord
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk


@finding("R0518", "hooks-clash")
class HooksClash(Finding):
    """Two hooks on one event, one of which sets what the other reads or sets: their order would matter.

    `upper` is the layer of the one that is higher in the stack, "" if they are of the same.
    """

    event: str
    hook: Party
    other: Party
    slots: tuple[str, ...]
    upper: str

    def sentence(self) -> Sentence:
        named = "name one of them with `as NAME`, and write `, after NAME` in the other"
        lower = next((each.origin.layer for each in (self.hook, self.other) if each.origin.layer != self.upper), "")
        return Sentence(
            f"two hooks on `{self.event}` both concern {list_words(self.slots, 'and')}, and their order is not stated",
            (party_label(self.hook, "one hook"), party_label(self.other, "the other")),
            f"write `above: [{lower}]` in the manifest of `{self.upper}` to run its hook second, or {named}"
            if self.upper
            else named,
            root=" ".join((self.event, *self.slots)),
        )


@check_of_stack
def hooks_clash(stack: graph.Graph) -> Iterator[HooksClash]:
    """Find pairs of hooks whose order would matter."""
    places = {layer.name: index for index, layer in enumerate(stack.layers)}
    by_event: dict[str, list[_Hook]] = {}
    for key, procedure in stack.procedures.items():
        if procedure.what == "hook":
            by_event.setdefault(procedure.event, []).append(_Hook(key, procedure, stack))
    for first_hook, second_hook in (pair for hooks in by_event.values() for pair in combinations(hooks, 2)):
        first_procedure, second_procedure = first_hook.procedure, second_hook.procedure
        if first_hook.key in second_procedure.behind or second_hook.key in first_procedure.behind:
            continue
        if slots := _contested(first_hook, second_hook):
            layers = {first_procedure.origin.layer, second_procedure.origin.layer}
            upper = max(layers, key=lambda layer: places.get(layer, 0)) if len(layers) > 1 else ""
            yield HooksClash(
                first_procedure.event, procedure_party(first_procedure), procedure_party(second_procedure), slots, upper
            )


class _Hook:
    """A hook, with the slots that it sets, only marks, and reads."""

    def __init__(self, key: str, procedure: graph.Procedure, stack: graph.Graph) -> None:
        self.key = key
        self.procedure = procedure
        self.sets = _sets(procedure, stack)
        self.marks = _marks(procedure, stack)
        self.reads = _reads(procedure, stack)


def _contested(first: _Hook, second: _Hook) -> tuple[str, ...]:
    """List the slots that one hook sets and the other reads or sets."""
    slots = (first.sets & second.reads) | (second.sets & first.reads)
    slots |= (first.sets & second.sets) - (first.marks & second.marks)
    return tuple(sorted(f"{slot.kind} {slot.name}".strip() for slot in slots))


def _steps(hook: graph.Procedure, stack: graph.Graph) -> Iterator[graph.Step]:
    """List the steps of a hook, and those of the resolutions that it calls."""
    seen: set[str] = set()
    todo = [hook]
    while todo:
        for step in nested_steps(todo.pop().body):
            yield step
            if isinstance(step, graph.Do) and step.resolution not in seen:
                seen.add(step.resolution)
                todo += [p for p in stack.procedures.values() if (p.what, p.name) == ("resolution", step.resolution)]


def _sets(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    """Return what the steps of a hook set, except dice, pairs that end by themselves, and what others choose to do."""
    slots, names = read_sets_of_stack(stack).slots, set[DeclaredName]()
    for step in _steps(hook, stack):
        names.update(names_set(step, slots))
        for effect in effects_of(step):
            if isinstance(effect, StrikeRecord):
                # Which records are struck is not analyzed: they are among those that the hook reads.
                names.update(name for name in _reads(hook, stack) if name.kind == "record")
            else:
                names.update(name_of_slot(slot) for slot in slots.written_by(effect))
    return names


def _marks(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    """Return the statuses that a hook marks and never clears: to set them twice is harmless."""
    values_by_slot: dict[DeclaredName, set[bool]] = {}
    for effect in effects_in(tuple(_steps(hook, stack)), SetStatus):
        values_by_slot.setdefault(DeclaredName("status", f"{effect.owner}.{effect.name}"), set()).add(effect.on)
    return {slot for slot, on in values_by_slot.items() if on == {True}}


def _reads(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    expressions = [expr for step in _steps(hook, stack) for expr in expressions_read(step)]
    return {name_of_slot(slot) for slot in read_sets_of_stack(stack).reads_of_nodes(tuple(walk(tuple(expressions))))}
