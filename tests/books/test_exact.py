"""The exact words of rules: what is long is a list, and says the same as the sentence did."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.rulebook.exact import Exact, exact_words, is_long
from compiler.rulebook.sentences import rule_sentence
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.books.fair import fair

LEFT = 45  # of the 548 rules of Panzer Leader: sets and paths of one condition, which have no parts


def said(parts: Iterable[Exact]) -> Iterator[str]:
    """List the sentences, heads and items, outer ones first."""
    for part in parts:
        yield part.said
        yield from said(part.items)


def test_a_short_rule_stays_a_sentence() -> None:
    book = fair()
    for rule in book.rules.values():
        if (whole := rule_sentence(book, rule)) and not is_long(whole):
            assert exact_words(book, rule) == (Exact(whole),)


def test_a_long_condition_is_a_list_of_its_parts() -> None:
    book = fair()
    rule = next(rule for rule in book.rules.values() if rule.guard is not None and rule.verb)
    assert rule.guard is not None
    many = rule.guard
    for _ in range(5):
        many = graph.Op("and", (many, rule.guard))
    [head] = exact_words(book, replace(rule, guard=many))
    assert head.said.endswith("when all of this holds:")
    assert len(head.items) == 6
    assert {item.said for item in head.items} == {head.items[0].said}


def test_few_sentences_of_a_large_game_stay_long() -> None:
    book = load_stack("panzer_leader", []).graph
    assert book
    long = [label for label, rule in book.rules.items() if any(map(is_long, said(exact_words(book, rule))))]
    assert len(long) <= LEFT, long
