"""A query for a position in which a number leaves its range: what the compiler suspects, and runtime searches."""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class OutOfRangeQuery:
    """A procedure (`key`) that may set `target` out of its range; `rolled` are those of its names determined by dice.

    `rule` holds where it does, as far as the initial position shows; it is a rule of `term`. If `called_term` is a
    term, no procedure runs: the term is evaluated for the first arguments, and `target` is its argument.
    """

    term: graph.Term
    rule: graph.Rule
    key: str
    target: str
    rolled: tuple[str, ...]
    called_term: str
