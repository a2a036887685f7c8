"""Format mutants: their places and alterations."""

from collections.abc import Mapping

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.readers_and_setters import step_at
from compiler.report.written_places import ParsedTexts, party_at_step
from runtime.graph import nodes as graph
from runtime.mutation.expression_mutants import REMOVED
from runtime.mutation.mutant import CELL, FIGURE, RULE, TRAIT, Mutant

TAKEN_OUT = "taken out"  # The text that replaces a removed part.


def subject_text(mutant: Mutant) -> str:
    """Return the name of the thing that a mutant alters."""
    return str(mutant.key) if mutant.kind == CELL else mutant.name


def original_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the original part."""
    return _part_text(mutant.original, mutant, rules)


def altered_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the altered part."""
    return _part_text(mutant.replacement, mutant, rules)


def _part_text(part: graph.Expr | str, mutant: Mutant, rules: graph.Graph) -> str:
    text = part if isinstance(part, str) else ExpressionWriter(rules.vocabulary).text(part)
    if mutant.kind == FIGURE:
        return f"{mutant.key} {text}"
    return text


def alteration_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the alteration of a mutant as a phrase."""
    old, new = original_text(mutant, rules), altered_text(mutant, rules)
    heading = f"{mutant.kind} of {subject_text(mutant)}"
    if mutant.kind == TRAIT:
        return f"{subject_text(mutant)}, {f'with the trait {new}' if old == 'nothing' else f'without the trait {old}'}"
    if mutant.kind in (FIGURE, CELL):
        return f"{subject_text(mutant)}, {old} made {new}"
    if mutant.kind == RULE:
        return f"rule {subject_text(mutant)}, {TAKEN_OUT}"
    if new == REMOVED:
        return f"{heading}, {old} {TAKEN_OUT}"
    return f"{heading}, {old} made {new}"


def origin_of(subject: Mutant, rules: graph.Graph, texts: Mapping[str, str]) -> graph.Origin:
    """Return the origin of a mutant: of its step if found in the text, otherwise of the thing."""
    if subject.step is None or getattr(subject.step, "cited", None) is not None:
        return subject.origin
    party, step_place = step_at(rules.procedures[subject.procedure], subject.step)
    return party_at_step(party, step_place, ParsedTexts(texts)).origin
