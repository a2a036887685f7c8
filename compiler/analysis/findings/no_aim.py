"""Situations in which greedy players have no aim, so that results of their games measure preferences alone."""

from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words


@finding("R0708", "no-aim", WARNING)
class NoAim(Finding):
    """The greedy players of some `sides` have no aim in a situation: nothing that a piece can do counts in its outcome.

    Known are spaces to be in or to keep others out of, actions that count where a piece takes them, and pieces to hunt.
    """

    card: Party
    sides: tuple[str, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"greedy players of {list_words(self.sides, 'and')} have no aim here: where a piece stands, what it can do "
            "there and which pieces are left do not decide who wins",
            (party_label(self.card, "this situation"),),
            'write `aim QUESTION`, which counts what is worth having, or `aim none "WHY"` if preferences are enough',
        )
