"""Readers and setters of each status, track, relation, record and chart.

In: a stack. Out: parties by declared name, each party once. Rules read; procedures read and set; a rule that overrides
a status sets it as well.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from compiler.analysis import step_reads
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import (
    Party,
    StepPlace,
    labeled_party,
    named_party,
    procedure_party,
    relation_parties,
)
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import AddMember, RelatePieces, SetStatus, SetValue
from runtime.graph.read_sets import ReadSetAnalysis
from runtime.graph.slots import PositionSlot, SlotTable
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of, walk


class DeclaredName(NamedTuple):
    """A declared name: of a status, track, relation, record or chart. Statuses and tracks have names `owner.name`."""

    kind: str
    name: str


# Every flip sets it; every read of a printed value or a trait reads it.
FACE = DeclaredName("what is printed on pieces", "")
WHERE = DeclaredName("where pieces are", "")  # Every move sets it; every query for pieces or their places reads it.

PartiesByName = dict[DeclaredName, tuple[Party, ...]]


def is_whole_game(stack: graph.Graph) -> bool:
    """Return whether a stack can be played: whether it has a sequence."""
    return any(procedure.what == "sequence" for procedure in stack.procedures.values())


def step_at(procedure: graph.Procedure, target: graph.Step) -> tuple[Party, StepPlace]:
    """Return the party and the place of a step.

    A phase with citations may be written apart from the rest, and is its own party.
    """
    owner, body = procedure_party(procedure), procedure.body
    phase, place_in_phase = "", (0, 0)
    for step in nested_steps(body):
        if isinstance(step, graph.Phase) and any(s is target for s in nested_steps(step.body)):
            phase, place_in_phase = step.name, _counted(step.body, target)
            owner = replace(owner, label=f"phase {step.name}", says="")
            if step.cited is not None:
                cites = step.cited.cites or owner.cites
                owner, body = replace(owner, cites=cites, origin=step.cited.origin), step.body
    return owner, StepPlace(*_counted(body, target), type(target).__name__, phase, place_in_phase)


def _counted(body: tuple[graph.Step, ...], target: graph.Step) -> tuple[int, int]:
    """Return the number of a step in preorder, and the number of all steps."""
    every = list(nested_steps(body))
    return next(index for index, step in enumerate(every) if step is target), len(every)


def readers_of(stack: graph.Graph) -> PartiesByName:
    """Return the parties that read each declared name."""
    found: PartiesByName = {}
    writer, slots = ExpressionWriter(stack.vocabulary), read_sets_of_stack(stack).slots
    for rule in stack.rules.values():
        _note(
            found,
            writer.rule_party(rule),
            (declared_name for expr in step_reads.expressions_of_rule(rule) for declared_name in _read_in(expr, slots)),
        )
    for term in stack.terms.values():
        if term.otherwise is not None:
            _note(found, named_party(term), _read_in(term.otherwise, slots))
    for fact in stack.always:
        _note(found, labeled_party(fact), _read_in(fact.condition, slots))
    for _, party, ends in relation_parties(stack):
        _note(found, party, _read_in(ends, slots))
    for procedure in stack.procedures.values():
        expressions = (
            *(e for step in nested_steps(procedure.body) for e in step_reads.expressions_read(step)),
            *step_reads.expressions_of_account(procedure),
        )
        _note(
            found,
            procedure_party(procedure),
            (declared_name for expr in expressions for declared_name in _read_in(expr, slots)),
        )
    return found


def setters_of(stack: graph.Graph) -> PartiesByName:
    """Return the parties that set each declared name; a record is also set by a rule that builds one."""
    found: PartiesByName = {}
    writer, slots = ExpressionWriter(stack.vocabulary), read_sets_of_stack(stack).slots
    for rule in stack.rules.values():
        ruled = (DeclaredName("status", name) for name in rule.terms if name in stack.vocabulary.flags)
        parts = (part for expr in step_reads.expressions_of_rule(rule) for part in walk(expr))
        records = (DeclaredName("record", part.record) for part in parts if isinstance(part, graph.New))
        _note(found, writer.rule_party(rule), chain(ruled, records))
    for procedure in stack.procedures.values():
        _note(
            found,
            procedure_party(procedure),
            (declared_name for step in nested_steps(procedure.body) for declared_name in names_set(step, slots)),
        )
    return found


def read_sets_of_stack(stack: graph.Graph) -> ReadSetAnalysis:
    """Return the read sets of a stack, of which any piece may be flipped: no proof then looks at all counters."""
    return ReadSetAnalysis(stack, any_flips=True)


def name_of_slot(slot: PositionSlot) -> DeclaredName:
    """Return the name that declares a slot; of slots of pieces what they are in general."""
    match slot.sort:
        case "field":
            return DeclaredName("record", slot.name.partition(".")[0])
        case "records":
            return DeclaredName("record", slot.name)
        case "pairs":
            return DeclaredName("relation", slot.name)
        case "status" | "track":
            return DeclaredName(slot.sort, slot.name)
        case "printed":
            return FACE
        case _:
            return WHERE


def _note(found: PartiesByName, party: Party, declared_names: Iterator[DeclaredName]) -> None:
    for declared_name in dict.fromkeys(declared_names):
        found[declared_name] = (*found.get(declared_name, ()), party)


def _read_in(expr: object, slots: SlotTable) -> Iterator[DeclaredName]:
    """List the declared names that an expression reads directly."""
    for part in walk(expr):
        yield from map(name_of_slot, slots.reads(part))
        if isinstance(part, graph.Cell):
            yield DeclaredName("chart", part.table)


def names_set(step: graph.Step, slots: SlotTable) -> Iterator[DeclaredName]:
    """List the declared names that a step sets; a record built for a question counts as written."""
    for effect in effects_of(step):
        if isinstance(effect, SetValue | AddMember) or (isinstance(effect, SetStatus | RelatePieces) and effect.on):
            yield from (name_of_slot(slot) for slot in slots.written_by(effect) if slot.sort != "field")
    for expr in step_reads.expressions_read(step):
        yield from (DeclaredName("record", part.record) for part in nodes_of(graph.New, expr))
