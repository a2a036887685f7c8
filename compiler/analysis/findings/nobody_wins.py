"""Situations whose stack has no outcome: every game of them ends in a draw.

In: the stack of a card. Out: the card and the sequence. A stack without a sequence answers questions and is not played.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_card
from compiler.analysis.parties import Party, named_party, party_label, procedure_party
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0586", "nobody-wins", WARNING)
class NobodyWins(Finding):
    """A situation is played on a stack that has a sequence and no outcome: every game of it is a draw."""

    card: Party
    sequence: Party

    def sentence(self) -> Sentence:
        message = f"every game of `{self.card.label}` is a draw, as the rules declare no `outcome`"
        labels = (party_label(self.sequence, "the sequence of play"), party_label(self.card, "the situation"))
        advice = "write `outcome QUESTION` in the rules, where the side with the greater answer wins"
        return Sentence(message, labels, advice, root="outcome")


@check_of_card
def nobody_wins(stack: graph.Graph) -> Iterator[NobodyWins]:
    """Find a card without an outcome."""
    card, sequence = stack.scenario, stack.procedures.get("sequence")
    if card is not None and sequence is not None and sequence.body and not stack.outcome:
        yield NobodyWins(named_party(card), procedure_party(sequence))
