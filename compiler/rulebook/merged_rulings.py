"""The rules that are merged with their rulings, so that a page prints question and answer once.

In: a graph, its printed rules and the addresses of a book. Out: for each ruling the rule that is merged with it. The
sentence of most rules of a ruling is the answer of the ruling.
"""

from collections.abc import Mapping

from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.printed_rules import answered_question
from runtime.graph import nodes as graph


def find_merged_rules(book: graph.Graph, places: Mapping[BookKey, tuple[str, str]]) -> dict[str, str]:
    """Return for each ruling the first rule on its page that repeats its answer."""
    merged_rules: dict[str, str] = {}
    for label, ruling in book.rulings.items():
        page, anchor = places.get(("ruling", label), ("", ""))
        for rule_label in ruling.rules:
            own_page, own_anchor = places.get(("rule", rule_label), ("", ""))
            # A rule at the place of its ruling has no text of its own.
            is_beside = own_page == page != "" and own_anchor != anchor
            if is_beside and answered_question(book, book.rules[rule_label]):
                merged_rules.setdefault(label, rule_label)
    return merged_rules
