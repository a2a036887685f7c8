"""The condition that an offer with `must` has to meet."""

from runtime.graph import nodes as graph


def obligation_of(offer: graph.Offer) -> graph.Expr | None:
    """Return the condition at the end of an offer, or with `keeping` at the end of each action; None without `must`."""
    if not offer.must:
        return None
    condition = offer.until or graph.Truth(value=True)
    return condition if offer.keeping is None else graph.Op("or", (condition, offer.keeping))
