"""The exact words of the book, for every expression of the toys: a list has the words of its sentence.

With a low limit of words every sentence becomes a list of its parts. If `rulebook/exact_words.py` loses a part, its
words are missing; if it does not split a part, a long sentence remains.
"""

import re

import pytest

from compiler.rulebook import exact_words as module
from compiler.rulebook.exact_words import exact_words
from compiler.rulebook.sentences import rule_sentence
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from tests.books.test_exact_words import flat_sentences
from tests.consumers.test_nodes import EVERY, toys
from tests.toys.bogged import bog
from tests.toys.build import op

FEW = 5  # The limit of words of a sentence in these tests.
LONGEST = 30  # The limit of words of a part that cannot be split, with letters for its own parts.
# Words that join parts; a list expresses them by its layout.
JOINTS = frozenset(
    "a all an and are as at be both by do each every for from holds if in is it its nearest no not of one or other"
    " otherwise paying plus than that the their then there they this to total what when where whether which"
    " whose with".split()
)


def words(text: str) -> set[str]:
    """Return the words of a text without the joining ones, in the singular."""
    return {word.removesuffix("s") for word in set(re.findall(r"[\w'-]+", text.lower())) - JOINTS}


@EVERY
def test_a_list_has_the_words_of_its_sentence(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS_OF_FORMULA", FEW)
    book = toys()[toy]
    texts_by_label = {label: [*flat_sentences(exact_words(book, rule))] for label, rule in book.rules.items()}
    lost = {
        label: words(rule_sentence(book, book.rules[label])) - words(" ".join(of))
        for label, of in texts_by_label.items()
    }
    assert not {label: each for label, each in lost.items() if each}
    assert not [text for of in texts_by_label.values() for text in of if len(text.split()) > LONGEST]


# By name: a rule, its changed guard or value, and a part of its list.
CALM, HELD = (bog().rules[label].guard for label in ("alone-is-calm", "held"))
BOTH, FOES = op("and", CALM, HELD), bog().rules["others-are-foes"].value
[EVERY_FOE] = (
    each for each in walk(bog().rules["company-calms"]) if isinstance(each, graph.Fold) and each.op == "every"
)
