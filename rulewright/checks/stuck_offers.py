"""Find offers that can be stuck or are unsettled, and choices and draws from empty sets, with memoization.

The simulated plays that search for them are repeated after a change of a procedure, a counter, a word of the
vocabulary, an example that they start with, or a term, rule or chart that they evaluated.
"""

from compiler.analysis.laws import Laws
from compiler.analysis.recording_graph import RecordingGraph
from compiler.query.traces import content_hash
from compiler.report.findings.stuck_play import OfferStuck, OfferUnsettled
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.generated_dependencies import Dependencies, dependencies_of
from runtime.audit.stuck_offers import StuckOffer, UnsettledStep, starting_examples, stuck_offers
from runtime.graph import nodes as graph

OfferProblem = OfferStuck | OfferUnsettled


def find_stuck_offers(rules: graph.Graph, laws: Laws) -> tuple[OfferProblem, ...]:
    """Return the offers of a stack that can be stuck; `laws` have the memos of earlier searches."""
    recording = laws.recording

    def search_offers() -> tuple[OfferProblem, ...]:
        found, dependencies = stuck_offers_in(rules)
        record_play(recording)
        record_dependencies(recording, dependencies)
        return found

    inputs = recording.database.tuple_of((*rules.procedures.values(), *starting_examples(rules)))
    return recording.prove("stuck", inputs, search_offers, ((),), rules.outcome, content_hash(rules.preconditions))


def stuck_offers_in(rules: graph.Graph) -> tuple[tuple[OfferProblem, ...], Dependencies]:
    """Return the offers of a stack or situation that can be stuck, with the dependencies of the search."""
    evaluator = GeneratedEvaluator(rules, is_traced=True)
    found = tuple(map(_problem, stuck_offers(rules, evaluator)))
    return found, dependencies_of(evaluator)


def _problem(each: StuckOffer | UnsettledStep) -> OfferProblem:
    offered, origin = _choice_names(each.step), _origin_of(each)
    if isinstance(each, UnsettledStep):
        return OfferUnsettled(offered, each.description, each.decisions, each.options, origin)
    return OfferStuck(offered, each.description, each.situation, each.file, origin, isinstance(each.step, graph.Offer))


def _choice_names(step: graph.Offer | graph.Choose | graph.Draw) -> tuple[str, ...]:
    """Return the names of the actions of an offer, or the name that a choice or draw binds."""
    return tuple(name for name, _ in step.actions) if isinstance(step, graph.Offer) else (step.name,)


def _origin_of(stuck: StuckOffer | UnsettledStep) -> graph.Origin:
    cited = stuck.step.cited if isinstance(stuck.step, graph.Offer) else None
    return cited.origin if cited else stuck.procedure.origin


def record_play(recording: RecordingGraph) -> None:
    """Record the dependencies of any play: words, counters and procedures."""
    recording.record((table, None) for table in (*recording.vocabulary_tables(), "counters", "procedures"))


def record_dependencies(recording: RecordingGraph, dependencies: Dependencies) -> None:
    """Record traced dependencies."""
    for table, names in dependencies._asdict().items():
        recording.record((table, name) for name in names)
