"""The exact words of the book, for every expression of the toys: a list has the words of its sentence.

With a low limit of words every sentence becomes a list of its parts. If `rulebook/exact_words.py` loses a part, its
words are missing; if it does not split a part, a long sentence remains.
"""

import re
from dataclasses import replace
from typing import Any

import pytest

from compiler.rulebook import exact_words as module
from compiler.rulebook.exact_words import exact_words
from compiler.rulebook.sentences import rule_sentence
from runtime.graph import nodes as graph
from runtime.graph.walk import inner_expressions, walk
from tests.books.test_exact_words import flat_sentences
from tests.consumers.test_nodes import EVERY, toys
from tests.toys.bogged import bog
from tests.toys.build import fold, op, pieces

FEW = 5  # The limit of words of a sentence in these tests.
LONGEST = 30  # The limit of words of a part that cannot be split, with letters for its own parts.
# Words that join parts; a list expresses them by its layout.
JOINTS = frozenset(
    "a all an and are as at be both by do each every for from holds if in is it its nearest no not of or other"
    " otherwise paying plus than that the their then there they this to what when where whether which"
    " whose with".split()
)


def words(text: str) -> set[str]:
    """Return the words of a text without the joining ones."""
    return set(re.findall(r"[\w'-]+", text.lower())) - JOINTS


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
SUM = op("+", 1, 2, fold("count", "u", pieces()))
LAID: dict[str, tuple[str, dict[str, Any], str]] = {
    "and": ("held", {"guard": BOTH}, "all of this holds:"),
    "or": ("held", {"guard": op("or", CALM, HELD)}, "one of these holds:"),
    "not": ("held", {"guard": op("not", BOTH)}, "this does not hold:"),
    "every": ("company-calms", {}, "this holds for every one there is:"),
    "some": ("held", {}, "of which all of this holds:"),
    "if": ("printed-might", {"value": op("if", BOTH, 3, 2)}, "one of these:"),
    "case": ("printed-might", {"value": op("if", BOTH, 3, 2)}, "otherwise 2"),
    "sum": ("printed-might", {"value": SUM}, "the sum of:"),
    "union": ("others-are-foes", {"value": op("union", FOES, FOES)}, "these together:"),
    "whether": (
        "held",
        {"guard": op("=", BOTH, BOTH)},
        "just when X holds, where:; X holds if all of this holds:",
    ),
    "whether some": ("held", {"guard": op("=", HELD, HELD)}, "X holds if there is a cart in the goal, of which"),
    "yes or no": ("frozen", {"value": BOTH, "guard": None}, "The hex is bog if all of this holds:"),
    "whether every": (
        "held",
        {"guard": op("=", EVERY_FOE, EVERY_FOE)},
        "X holds if this holds for every one there is:",
    ),
    "offers": ("speed-reaches", {"value": SUM}, "The reach of the cart is at most the sum of:"),
    "adds": ("cover-hinders", {}, "Toward the push of the cart into the hex"),
    "includes": ("others-are-foes", {}, "Among the foes of the cart"),
    "excludes": ("dizzy-are-no-foes", {}, "Not among the foes of the cart"),
    "becomes": ("dizzy-halves", {}, "The force of the cart becomes"),
    "search": ("roll-way", {}, "a step costs"),
}


@pytest.mark.parametrize("case", LAID)
def test_each_kind_of_list_has_its_layout(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS_OF_FORMULA", FEW)
    label, changes, expected = LAID[case]
    book = next(book for book in (bog(), *toys().values()) if label in book.rules)
    assert expected in "; ".join(flat_sentences(exact_words(book, replace(book.rules[label], **changes))))


@EVERY
def test_a_letter_can_replace_each_part_of_an_expression(toy: str) -> None:
    """Exempt are the conditions of members and of steps."""
    for node in walk((*toys()[toy].rules.values(), *toys()[toy].procedures.values())):
        if isinstance(node, graph.Expr):
            parts = module.named_parts(node)
            left = [*inner_expressions(module.with_letters(node, dict.fromkeys(parts, "X")))]
            assert left.count(graph.Var("letter X")) == len(parts)
            out = len(left) - len(parts)
            assert out <= (2 if isinstance(node, graph.Fold | graph.Search) else 0)
