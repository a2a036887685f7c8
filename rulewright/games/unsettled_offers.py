"""Report offers whose completability the budget did not decide: whether their `must` can still be met."""

from compiler.source.sentence import list_words
from runtime.graph.unsettled_offer import UnsettledOffer
from runtime.graph.words import counted_noun


def unsettled_sentence(offer: UnsettledOffer) -> str:
    """Return a sentence on an undecided offer: its place, the number of decisions, and the consequence."""
    were = "was" if offer.options == 1 else "were"
    return (
        f"{offer.file}:{offer.line}: more could follow than the budget allows to try in the offer of "
        f"{list_words(offer.actions, 'and')}: at {counted_noun(offer.decisions, 'decision')} it was not told whether "
        f"its `must` can still be met after {counted_noun(offer.options, 'option')}, which {were} offered all "
        "the same; `keeping` is told by trying one action"
    )
