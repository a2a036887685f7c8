"""The small game compared with another edition of it: rules, counters, situations and answers differ.

In: the other edition. Out: the contents of a book with a page of changes.
"""

from dataclasses import replace

from compiler.rulebook.booklet import AnswerDifference, Baseline, CardDifference, ChangeEvidence, QuestionDifference
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph
from tests.books.fair import fair


def older_fair() -> graph.Graph:
    """Return an older edition of the game: a rule and a counter fewer, a rule more, and another sentence."""
    book = fair()
    rules = {label: rule for label, rule in book.rules.items() if label != "one-hex"}
    rules["pay-your-way"] = replace(rules["pay-your-way"], prose="Every hex is paid for.")
    rules["old-toll"] = replace(rules["held"], label="old-toll", prose="A toll is due.")
    return replace(book, rules=rules, counters={})


def compared_fair(other: graph.Graph) -> Contents:
    """Return the contents of the game, compared with another edition, with one position of differing answers."""
    book = fair()
    position = book.examples[0].position
    seen = AnswerDifference((), ("price",), 1, "Whether the toll is due", "no", "yes", position, book.stack, ("cover",))
    differences = (QuestionDifference(next(iter(book.terms)), 1, 1, (seen,)),)
    accounts = (ChangeEvidence("rule", "hedges-stop-wheels", "changed", "unknown", "40 positions were tried"),)
    cards = (CardDifference("A market", ("turns: 5 instead of 6",)),)
    return Contents(book, unplayed_outcomes(book), Baseline(other, "the old fair", differences, accounts, cards))
