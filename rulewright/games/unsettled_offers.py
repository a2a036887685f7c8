"""Report offers whose completability the budget did not decide: whether their `must` can still be met."""

from compiler.source.sentence import list_words
from runtime.graph.records.playing import UnsettledOfferRecord
from runtime.graph.words import counted_noun


def unsettled_sentence(offer: UnsettledOfferRecord) -> str:
    """Return a sentence on an undecided offer: its place, the number of decisions, and the consequence."""
    were = "was" if offer["options"] == 1 else "were"
    return (
        f"{offer['file']}:{offer['line']}: the offer of {list_words(tuple(offer['actions']), 'and')} has "
        "more continuations than the budget allows to try: at "
        f"{counted_noun(offer['decisions'], 'decision')} it is not known whether its `must` can still be met after "
        f"{counted_noun(offer['options'], 'option')}, which {were} offered all the "
        "same; with `keeping` it is known after one action"
    )
