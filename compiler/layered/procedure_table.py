"""The table of the procedures and phases of a stack while its layers are composed, and lookups in it.

The input is procedures of the loaded layers, and a name; the output is the one procedure or phase that is meant, or a
problem.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.amendment_log import AmendmentLog
from compiler.layered.blocks import edit_step
from compiler.layered.findings.labels import NamesUpward, ReplacedTwice
from compiler.layered.findings.patches import NotAsExpected
from compiler.layered.findings.relations import RemovedTarget
from compiler.layered.findings.replaced_procedures import NothingToReplace
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

Part = layered.LayerStatement[Any]


@dataclass(slots=True)
class ProcedureTable:
    """The procedures of a stack as its layers are composed, each with the layer that last changed it."""

    parts: list[Part]
    replacements: dict[int, source.ReplacedProcedure] = field(default_factory=dict)  # by the identity of a node
    layer_of_phase: dict[int, str] = field(default_factory=dict)  # the layers of phases
    withdrawn: dict[str, tuple[Span, str, Span]] = field(default_factory=dict)  # withdrawn: place, rule, target
    displaced: list[layered.DisplacedDeclaration] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    # Removals of one procedure by unrelated layers, with the two layers: a layer on both settles them.
    conflicts: dict[str, list[tuple[str, str, ReplacedTwice]]] = field(default_factory=dict)
    amendment_log: AmendmentLog = field(default_factory=AmendmentLog)
    # The targets of amendments as the layers below have them: by the identity of a node, with the layer of the rule.
    origins: dict[int, tuple[str, Part]] = field(default_factory=dict)
    skipped: list[tuple[str, Span, Span]] = field(default_factory=list)  # phases left out at times: phase, rule, target

    def unrelated_withdrawer(self, key: str, known: frozenset[str]) -> str:
        """Return the layer that withdrew a procedure, if it is none of the `known` ones; "" otherwise."""
        layers = (each.layer for each in self.displaced if each.key == key and each.now is None)
        layer = next(layers, "") if key in self.withdrawn else ""
        return "" if layer in known else layer

    def add_conflict(self, key: str, layers: tuple[str, str], problem: ReplacedTwice) -> None:
        """Record that two unrelated layers remove one procedure, and not both by withdrawing it."""
        self.conflicts.setdefault(key, []).append((*layers, problem))

    def resolve_conflicts(self, key: str, known: frozenset[str]) -> bool:
        """Drop the conflicts about a procedure between layers on which another stands that removes it, too."""
        conflicts = self.conflicts.get(key, [])
        self.conflicts[key] = [each for each in conflicts if not {each[0], each[1]} <= known]
        return len(self.conflicts[key]) < len(conflicts)


@frozen_dataclass
class ProcedurePart:
    """A reference to a procedure: the part that contains it, the procedure or the phase, and its layer."""

    part: int
    node: Any
    layer: str


def kind_of(node: Any) -> str:
    """Return the kind of a procedure, as in `replaces`."""
    return type(node).__name__.lower()


def declared_word(node: Any) -> source.Word:
    """Return the name of a procedure or phase; of a hook, its event."""
    word: source.Word = node.event if isinstance(node, source.Hook) else node.name
    return word


def reference_to(node: Any) -> str:
    """Return a procedure or phase as amendments and replacements refer to it: `action walk`, `after entered`."""
    return f"{'after' if isinstance(node, source.Hook) else kind_of(node)} {declared_word(node).text}"


def target_of(
    table: ProcedureTable,
    layer: str,
    clause: source.ReplacedProcedure,
    reach: Mapping[str, frozenset[str]],
    verb: str = "replace",
) -> ProcedurePart | None:
    """Return the one procedure that is meant; None, with a problem, if it is not unique."""
    reference = clause.target
    named = list(matching_parts(table, reference))
    found = [each for each in named if clause.layer is None or each.layer == clause.layer.text]
    label = reference.key
    if label in table.withdrawn and not found:
        remover, rule, target = table.withdrawn[label]
        if verb == "replace" and (other := table.unrelated_withdrawer(label, reach[layer])):
            problem = ReplacedTwice(clause.span, remover, reference.source_text, target)
            table.add_conflict(label, (other, layer), problem)
            return None
        table.problems.append(RemovedTarget(clause.span, reference.source_text, target, remover, rule, below=False))
        return None
    if len(found) == 1 and found[0].layer not in reach[layer] and id(found[0].node) in table.replacements:
        return found[0]  # An unrelated layer has replaced it already.
    if len(found) == 1 and found[0].layer not in reach[layer]:
        table.problems.append(
            NamesUpward(reference.span, reference.source_text, declared_word(found[0].node).span, layer, found[0].layer)
        )
        return None
    below = [each for each in found if each.layer in reach[layer]]
    others = [each for each in below if each.layer != layer] if clause.layer is None else below
    if len(others or below) == 1:
        return (others or below)[0]
    layers = tuple(dict.fromkeys(each.layer for each in (below or named)))
    only_layer = layers[0] if len(layers) == 1 else ""
    known = layers or known_names(table)
    table.problems.append(NothingToReplace(clause.span, reference.source_text, only_layer, known, len(below), verb))
    return None


def known_names(table: ProcedureTable) -> tuple[str, ...]:
    """Return the names of all procedures, as amendments and replacements refer to them."""
    found: list[str] = []
    for part in table.parts:
        match part.node:
            case source.Sequence(body=body):
                found += map(reference_to, phases_in(body))
            case source.Insert(phase=phase):
                found += map(reference_to, phases_in((phase,)))
            case source.Beside():
                pass
            case node:
                found.append(reference_to(node))
    return tuple(dict.fromkeys(found))


def matching_parts(table: ProcedureTable, reference: source.ProcedureName) -> Iterator[ProcedurePart]:
    """Return the procedures and phases of this name."""
    for number, part in enumerate(table.parts):
        match part.node:
            case source.Sequence(body=body) if reference.what == "phase":
                found = phases_in(body)
            case source.Insert(phase=phase) if reference.what == "phase":
                found = phases_in((phase,))
            case source.Sequence() | source.Insert() | source.Beside():
                continue
            case node:
                kind = "hook" if reference.what == "end" else reference.what
                found = iter((node,) if (kind_of(node), declared_word(node).text) == (kind, reference.event) else ())
        yield from (
            ProcedurePart(number, node, table.layer_of_phase.get(id(node), part.layer))
            for node in found
            if not isinstance(node, source.Phase) or node.name.text == reference.name.text
        )


def phases_in(body: Iterable[source.Step]) -> Iterator[source.Phase]:
    """Return the phases among steps, including nested ones."""
    return (step for step in source.nested_steps(body) if isinstance(step, source.Phase))


def replaced_phase(node: Any, old: source.Phase, new: source.Phase) -> Any:
    """Return the node with a phase, at any depth, replaced by another."""
    if node is old:
        return new
    match node:
        case source.Insert(phase=phase):
            return replace(node, phase=replaced_phase(phase, old, new))
        case _:
            return replace(node, body=edit_step(node.body, old.span, lambda _: (new,)))


def check_quotation(
    table: ProcedureTable, target: source.ProcedureName, expecting: source.Word | None, below: Any
) -> bool:
    """Return whether what is replaced, withdrawn or amended matches the expected hash, and report it if not."""
    found_hash = procedure_hash(below)
    if expecting is None or expecting.text == found_hash:
        return True
    table.problems.append(
        NotAsExpected(expecting.span, declared_word(below).span, target.source_text, expecting.text, found_hash)
    )
    return False


def procedure_hash(node: Any) -> str:
    """Return a hash of eight characters that depends on the content of a procedure, but not on its place or layout."""
    return hashlib.sha256(repr(_without_spans(node)).encode()).hexdigest()[:8]


def _without_spans(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(_without_spans(each) for each in node)
    if is_dataclass(node) and not isinstance(node, type):
        parts = (
            (each.name, getattr(node, each.name))
            for each in fields(node)
            if each.name not in {"span", "replaces", "unpreferred", "account"}
        )
        return (
            type(node).__name__,
            *((name, _without_spans(value)) for name, value in parts if not isinstance(value, Span)),
        )
    return node
