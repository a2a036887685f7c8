"""Situations whose stack has no outcome: every game of them ends in a draw.

In: the stack of a card. Out: the card and the sequence. A stack without a sequence answers questions and is not played.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import NobodyWins
from compiler.analysis.parties import named_party, procedure_party
from runtime.graph import nodes as graph


def nobody_wins(stack: graph.Graph) -> Iterator[NobodyWins]:
    """Find a card without an outcome."""
    card, sequence = stack.scenario, stack.procedures.get("sequence")
    if card is not None and sequence is not None and sequence.body and not stack.outcome:
        yield NobodyWins(named_party(card), procedure_party(sequence))
