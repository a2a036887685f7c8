"""The exact words of rules: a long sentence is printed as a list with the same parts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from compiler.rulebook.exact_words import ExactSentence, exact_words, is_long
from compiler.rulebook.sentences import rule_sentence
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.books.test_reading import STACKS


def flat_sentences(parts: Iterable[ExactSentence]) -> Iterator[str]:
    """List the sentences, heads and items, outer ones first."""
    for part in parts:
        yield part.text
        yield from flat_sentences(part.items)


def test_a_short_rule_is_one_sentence() -> None:
    book = fair()
    for rule in book.rules.values():
        if (whole := rule_sentence(book, rule)) and not is_long(whole):
            assert exact_words(book, rule) == (ExactSentence(whole),)


def test_a_long_condition_is_a_list_of_its_parts() -> None:
    book = fair()
    rule = next(rule for rule in book.rules.values() if rule.guard is not None and rule.verb == "forbids")
    assert rule.guard is not None
    many = rule.guard
    for _ in range(5):
        many = graph.Op("and", (many, rule.guard))
    [head] = exact_words(book, replace(rule, guard=many))
    assert head.text.endswith("when all of these hold:")
    assert len(head.items) == 6
    assert {item.text for item in head.items} == {head.items[0].text}


def test_long_parts_of_a_value_stand_below_it() -> None:
    book = fair()
    rule = next(rule for rule in book.rules.values() if isinstance(rule.value, graph.Cell) and rule.guard is None)
    assert rule.value is not None
    pair = graph.Op("*", (rule.value, rule.value))
    products = (graph.Op("*", (pair, graph.Op("+", (pair, rule.value)))), graph.Op("*", (pair, pair)))
    [head] = exact_words(book, replace(rule, value=graph.Op("-", products)))
    assert head.text.endswith(" the first minus the second:")
    assert [item.text.split(" is ")[0] for item in head.items] == ["the first", "the second"]


@pytest.mark.parametrize("stack", STACKS)
def test_no_sentence_of_a_shipped_book_is_long(stack: str) -> None:
    book = load_stack(stack, []).graph
    assert book
    words_by_rule = {label: exact_words(book, rule) for label, rule in book.rules.items()}
    assert any(parts and parts[0].items for parts in words_by_rule.values())
    without_stop = [
        label for label, parts in words_by_rule.items() for part in parts
        if not part.items and not part.text.endswith(".")
    ]  # fmt: skip
    assert without_stop == []
    long = {label: one for label, parts in words_by_rule.items() for one in flat_sentences(parts) if is_long(one)}
    assert not long
