"""What an offer with `must` must come to."""

from runtime.graph import nodes as graph


def obligation_of(offer: graph.Offer) -> graph.Expr | None:
    """Return what has to hold once nothing more is done: with `keeping` once an action is over; None without `must`."""
    if not offer.must:
        return None
    wanted = offer.until or graph.Truth(value=True)
    return wanted if offer.keeping is None else graph.Op("or", (wanted, offer.keeping))
