"""Offers whose obligation the budget left undecided in play.

In: the counts of a game. Out: plain data that can be sent between processes, summed over games.
"""

from collections.abc import Iterable
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.records.playing import UnsettledOfferRecord
from runtime.graph.walk import nodes_of


class UnsettledOffer(NamedTuple):
    """An offer that was undecided at `decisions` decisions, after `options` options, which were treated as open.

    `file` and `line` are the origin of the offer.
    """

    actions: tuple[str, ...]
    file: str
    line: int
    decisions: int
    options: int

    def record(self) -> UnsettledOfferRecord:
        """Return the record of it."""
        return {
            "actions": list(self.actions), "file": self.file, "line": self.line, "decisions": self.decisions,
            "options": self.options,
        }  # fmt: skip


def sum_offers(found: Iterable[UnsettledOffer]) -> tuple[UnsettledOffer, ...]:
    """Sum the counts of each offer over several games, in order of first occurrence."""
    sums: dict[tuple[tuple[str, ...], str, int], UnsettledOffer] = {}
    for each in found:
        key = each[:3]
        before = sums.get(key)
        sums[key] = (
            each
            if before is None
            else each._replace(decisions=before.decisions + each.decisions, options=before.options + each.options)
        )
    return tuple(sums.values())


def unsettled_offer(
    actions: tuple[str, ...], procedure: graph.Procedure, decisions: int, options: int
) -> UnsettledOffer:
    """Return the entry of an offer in a procedure, by its actions."""
    offers = (step for step in nodes_of(graph.Offer, procedure.body) if step.must)
    cited = next((step.cited for step in offers if tuple(name for name, _ in step.actions) == actions), None)
    origin = cited.origin if cited else procedure.origin
    return UnsettledOffer(actions, origin.file, origin.line, decisions, options)
