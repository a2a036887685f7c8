"""Offers of which the budget did not tell, in play, whether what has to be so in the end can still be so.

In: what a game counted. Out: plain data that travels between processes, summed up over games.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


class UnsettledOffer(NamedTuple):
    """An offer that was so at `decisions` decisions, after `options` options, which were open all the same.

    `file` and `line`: where it is offered.
    """

    actions: tuple[str, ...]
    file: str
    line: int
    decisions: int
    options: int

    def data(self) -> dict[str, Any]:
        """Write it as data."""
        return {**self._asdict(), "actions": list(self.actions)}


def summed_up(found: Iterable[UnsettledOffer]) -> tuple[UnsettledOffer, ...]:
    """Add what was counted of the same offer in several games, in the order in which offers come up."""
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
    """Report the offer of these actions in a procedure, unsettled at so many decisions, after so many options."""
    offers = (step for step in walk(procedure.body) if isinstance(step, graph.Offer) and step.must)
    cited = next((step.cited for step in offers if tuple(name for name, _ in step.actions) == actions), None)
    origin = cited.origin if cited else procedure.origin
    return UnsettledOffer(actions, origin.file, origin.line, decisions, options)
