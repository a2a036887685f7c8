"""Steps that change pairs of related pieces and records."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.effects.primitives import RelatePieces, StrikeRecord, WriteRecord
from runtime.graph.effects.record import StepRecord

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def _paired(wording: "Wording", step: graph.Pair) -> str:
    """Return the text for a pair that is related, or whose relation ends."""
    pair = graph.Op("related", (graph.Member("relation", step.relation), step.left, step.right))
    text = f"from now on {wording.condition_phrase(pair, holds=step.on)}"
    payload = wording.vocabulary.relations[step.relation].payload
    if step.payload is None or payload is None:
        return text
    return f"{text}; {words.factor_name(payload.name, wording.vocabulary)}: {wording.phrase(step.payload)}"


def _written(wording: "Wording", step: graph.Write) -> str:
    name = f" as {words.readable_name(step.name)}" if step.name else ""
    return f"write down {wording.phrase(step.record)}{name}"


RELATIONS = (
    StepRecord(
        graph.Pair,
        does=lambda step: (RelatePieces(step.relation, step.on, step.left, step.right, step.payload),),
        title=lambda step: f"{'relate' if step.on else 'unrelate'} {step.relation}",
        phrase=_paired,
    ),
    StepRecord(
        graph.Write,
        does=lambda step: (WriteRecord(step.record.record, step.name, step.record),),
        title=lambda _: "write",
        phrase=_written,
    ),
    StepRecord(
        graph.Strike,
        does=lambda step: (StrikeRecord(step.record),),
        title=lambda _: "strike",
        phrase=lambda wording, step: f"strike out {wording.phrase(step.record)}",
    ),
)
