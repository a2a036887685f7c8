"""Truth values are printed as statements, in every sentence of every shipped book."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.preconditions import requirement_sentences
from compiler.rulebook.sentences import rule_sentence
from compiler.rulebook.steps import procedure_lines, steps_text
from compiler.rulebook.table import table_lines
from tests.analysis.planted import compiled
from tests.books.gathered import contents_of
from tests.books.test_reading import STACKS

# Matches "If the sound is no", "whose done is yes", "X is yes, where:", "becomes whether", "(hex: B; snap: no)", "from
# yes and no", "the may leave", "turn it"; not an answer that starts with "No", or results with such names.
ILL = re.compile(
    r"\b(?:is|are|becomes) (?:yes|no)\b(?=[,.:;)]|$| (?:and|or|when|if|where|otherwise)\b)|\bbecomes whether\b"
    r"|[(;][^:();]*: (?:yes|no)\b(?=[;)])|\byes (?:and|or) no\b(?! for “)|\bthe (?:may|can|must)\b|\b(\w+) it and \1\b"
    r"|\bturn it\b"
)

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart
record trip {cart: cart, over: yes_no, may_rest: yes_no}
wording may_rest "allowed to rest"
track game.frozen: yes_no = no
track side.bold: yes_no = no
track game.opened: yes_no = no
wording opened "that the gates are open"
value speed(c: cart, hurried: yes_no): 0..9
rule slow speed is 1 when not hurried
rule fast speed is 2 when hurried
verdict may_go(c: cart) default forbidden reads "{c} may go"
rule over may_go allowed when some(t in all trip where t.cart = c and t.over and not t.may_rest)
rule gates may_go forbidden when game.frozen or not game.opened
action set_out by player in moving "Set out." {
  choose c from {c in all cart where c.side = player}
  choose to_rest from {yes, no}
  let ready = may_go(c)
  write trip(cart: c, over: no, may_rest: yes)
  if ready and not to_rest { set game.frozen to not ready }
  set player.bold to ready
  do go_on(c, ready)
}
resolution go_on(c: cart, may_leave: yes_no) { if not may_leave { set game.opened to yes } }
sequence planted { phase moving "Moving" { offer set_out } }
"""
SAID = [
    "Choose a cart of the player.",
    "Choose yes or no for “to rest”.",
    "Note whether that cart may go, as “ready”.",
    "Write down a trip (cart: that cart; not over; allowed to rest).",
    "If “ready” holds and “to rest” does not hold:",
    "From now on the game is frozen if “ready” does not hold, and only then.",
    "From now on the player is bold if “ready” holds, and only then.",
    "Carry out “go on” for that cart and whether “ready” holds.",
]


def test_truth_values_are_printed_as_statements(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    assert list(steps_text(procedure_lines(book, book.procedures["action:set_out"]))) == SAID
    assert list(steps_text(procedure_lines(book, book.procedures["resolution:go_on"]))) == [
        "If “may leave” does not hold:", "From now on the gates are open.",
    ]  # fmt: skip
    reports = [rule_sentence(book, book.rules[label]) for label in ("slow", "fast", "over", "gates")]
    assert reports == [
        "The speed of the cart and “hurried” is 1 when “hurried” does not hold.",
        "The speed of the cart and “hurried” is 2 when “hurried” holds.",
        "The cart may go when there is a trip whose cart is the cart and that is over and is not allowed to rest.",
        "The cart may not go when the game is frozen or the gates are not open.",
    ]


@pytest.mark.parametrize(
    "ill",
    [
        "If the sound is no:", "There is a front where its done is yes.", "The unit is ready if X is yes, where:",
        "A shot (hex: B; snap: no).", "Choose the hex from yes and no.", "Let the may leave be whether it may act.",
        "The Birch clan's bold becomes whether it is cold.", "That unit may be given orders for turn it.",
    ],
)  # fmt: skip
def test_each_ill_form_is_matched(ill: str) -> None:
    assert ILL.search(ill)


@pytest.mark.parametrize("stack", STACKS)
def test_no_printed_sentence_has_an_ill_form(stack: str) -> None:
    sentences = dict.fromkeys(printed_sentences(contents_of(stack)))
    assert len(sentences) > 100
    assert [text for text in sentences if ILL.search(text)] == []


def printed_sentences(contents: Contents) -> Iterator[str]:
    """Yield the sentences of a book that the compiler generates: rules, procedures, preconditions and examples."""
    book = contents.book
    for rule in contents.rules.values():
        yield rule.logic
        yield from _texts(rule.exact)
    for procedure in book.procedures.values():
        for read in (table_lines, procedure_lines):
            yield from steps_text(read(book, procedure))
    for precondition in book.preconditions:
        yield from _texts(requirement_sentences(book, precondition))
    for shown_example in (each for examples in contents.examples.values() for each in examples):
        yield from shown_example.questions
        yield from (
            line.text for line in shown_example.lines if not line.text.startswith(("What is told", "The chances"))
        )


def _texts(sentences: Iterable[ExactSentence]) -> Iterator[str]:
    for sentence in sentences:
        yield sentence.text
        yield from _texts(sentence.items)
