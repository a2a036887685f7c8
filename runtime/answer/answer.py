"""The answer to a question: a value and the mask of its live rules.

`mask` is the decision id: bit i is set if rule `term.rules[i]` was live. An explanation is rebuilt from it on demand,
so that evaluation does not pay for one.
"""

from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.state.record import Value


class Answer(NamedTuple):
    """The value, and bit i for each live rule i of the term."""

    value: Value
    mask: int


def live_labels(term: graph.Term, mask: int) -> tuple[str, ...]:
    """Return the live rules of an answer to a term, in the order of the term."""
    return tuple([label for bit, label in enumerate(term.rules) if mask >> bit & 1])
