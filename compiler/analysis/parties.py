"""The parties of a finding: the constructs that it is about, with their origins.

Those of rules and rows are made by `ExpressionWriter` (expression_text.py), which formats what they conclude. A report
labels each.
"""

from collections.abc import Iterator

from compiler.source.sentence import Label, backquoted, origin_label, truncated_line
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Party:
    """A party of a finding: a rule, row, ruling or procedure. `says` is the text of its conclusion."""

    label: str
    says: str
    cites: tuple[str, ...]
    origin: graph.Origin


def named_party(node: graph.Term | graph.Table | graph.Scenario) -> Party:
    """Return a question, a chart or a card as a party, which says nothing."""
    return Party(node.name, "", node.cites, node.origin)


def labeled_party(node: graph.Rule | graph.Precondition | graph.Always) -> Party:
    """Return a rule, a precondition or an invariant as a party of which the conclusion is not shown."""
    return Party(node.label, "", node.cites, node.origin)


def relation_parties(stack: graph.Graph) -> Iterator[tuple[graph.Relation, Party, graph.Expr]]:
    """Yield the relations of a stack that declare when they end, each as a party, with this condition."""
    for relation in stack.vocabulary.relations.values():
        name = f"relation {relation.name}"
        origin = stack.vocabulary.origins.get(name)
        if origin is not None and relation.ends is not None:
            yield relation, Party(name, "", (), origin), relation.ends


def ruling_party(ruling: graph.Ruling) -> Party:
    """Return a ruling as a party: what it says is its answer."""
    return Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)


def procedure_party(procedure: graph.Procedure) -> Party:
    """Return a procedure as a party: what it says is its prose."""
    return Party(f"{procedure.what} {procedure.name}", procedure.prose, procedure.cites, procedure.origin)


@frozen_dataclass
class StepPlace:
    """The place of a step in a procedure: its number in preorder, the number of all steps, and its class.

    The graph has no spans of steps; with the texts, the step is found by this (report/written_places.py). `phase` is
    the phase that contains the step, "" if none. A phase may be written apart from its sequence: then `place_in_phase`
    counts its steps alone.
    """

    number: int
    step_count: int
    step_class: str
    phase: str = ""
    place_in_phase: tuple[int, int] = (0, 0)


def declaration_labels(origin: graph.Origin | None) -> tuple[Label, ...]:
    """Return the label of a declaration; empty for a declaration of the language itself."""
    return (origin_label(origin, "declared here"),) if origin else ()


def party_label(party: Party, note: str = "") -> Label:
    """Build the label of a party: its conclusion, its printed source, its layer."""
    known = ", ".join((*party.cites, *filter(None, [party.origin.layer])))
    says = truncated_line(party.says)
    text = note or (f"{backquoted(party.label)} says `{says}`" if says else backquoted(party.label))
    return origin_label(party.origin, f"{text} [{known}]" if known and not note else text)
