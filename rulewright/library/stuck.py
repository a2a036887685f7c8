"""Tell of offers that can be stuck."""

from compiler.report.answers import OfferStuck
from runtime.graph import nodes as graph
from runtime.witness.stuck import stuck_offers


def stuck(rules: graph.Graph) -> tuple[OfferStuck, ...]:
    """Find the offers of a stack, or of a situation, in which play comes to where nothing is open."""
    return tuple(
        OfferStuck(
            tuple(name for name, _ in each.offer.actions),
            each.how,
            each.when,
            each.file,
            each.offer.cited.origin if each.offer.cited else each.procedure.origin,
        )
        for each in stuck_offers(rules)
    )
