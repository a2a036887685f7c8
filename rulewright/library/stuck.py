"""Tell of offers that can be stuck, unless it is known that none is.

The walks that look for them are taken again where something says otherwise than it did: a procedure, a counter, a word
of the vocabulary, an example that they begin with, or a term, rule or chart that they asked for.
"""

from compiler.analysis.laws import Laws
from compiler.analysis.recording_graph import RecordingGraph
from compiler.query.traces import content
from compiler.report.answers import OfferStuck
from runtime.answer.traced import Dependencies, DependencyTracer
from runtime.graph import nodes as graph
from runtime.witness.stuck import beginnings, stuck_offers


def stuck(rules: graph.Graph, laws: Laws) -> tuple[OfferStuck, ...]:
    """Find the offers of a stack in which play comes to where nothing is open; `laws` know what was found before."""
    recording = laws.recording

    def walked() -> tuple[OfferStuck, ...]:
        found, rests = stuck_in(rules)
        record_play(recording)
        record_asked(recording, rests)
        return found

    begun = recording.database.tuple_of((*rules.procedures.values(), *beginnings(rules)))
    return recording.prove("stuck", begun, walked, ((),), rules.outcome, content(rules.preconditions))


def stuck_in(rules: graph.Graph) -> tuple[tuple[OfferStuck, ...], Dependencies]:
    """Find the offers of a stack, or of a situation, and say what was asked on the way."""
    asking = DependencyTracer(rules)
    found = tuple(
        OfferStuck(
            tuple(name for name, _ in each.offer.actions),
            each.how,
            each.when,
            each.file,
            each.offer.cited.origin if each.offer.cited else each.procedure.origin,
        )
        for each in stuck_offers(rules, asking)
    )
    return found, asking.rests()


def record_play(recording: RecordingGraph) -> None:
    """Record that something depends on all that play knows by itself: words, counters and procedures."""
    recording.record((table, None) for table in (*recording.vocabulary(), "counters", "procedures"))


def record_asked(recording: RecordingGraph, asked: Dependencies) -> None:
    """Record that something depends on what was asked."""
    for table, names in asked._asdict().items():
        recording.record((table, name) for name in names)
