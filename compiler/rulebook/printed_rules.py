"""Rules as they are printed: their sentences, what they refer to, and what marks them.

In: a graph, the titles of the book, and what rules mention. Out: a `PrintedRule` for each; printers work nothing out.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook import sentences
from compiler.rulebook.exact_words import ExactSentence, exact_words
from compiler.rulebook.index.mentions import BookKey, Mentions
from compiler.rulebook.printed_places import page_term, target_labels
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import terms_of_rule
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.related_procedures import is_amendment, procedure_label, procedures_of


class ExamplePlace(NamedTuple):
    """Where an example is printed: its title, its address in the site, and what it is an example of."""

    title: str
    address: str
    home: BookKey


@frozen_dataclass
class PrintedRule:
    """A rule as it is printed. `relations` pairs a verb ("Exception to") with the things it refers to.

    `asks` is the question that its sentence answers, for a rule whose only sentence is the answer of its ruling.
    `other_example` is an example printed elsewhere, for a rule without its own.
    """

    label: str
    title: str
    asks: str
    prose: str
    logic: str
    exact: tuple[ExactSentence, ...]  # the same, laid out
    relations: tuple[tuple[str, tuple[BookKey, ...]], ...]
    things_read: tuple[BookKey, ...]  # questions and charts
    ruling: str
    dispute: str
    cites: tuple[str, ...]
    change: str
    other_example: ExamplePlace | None


class PrintedRuleMapping(Mapping[str, PrintedRule]):
    """The rules of a book by label, each worded when it is first read."""

    def __init__(
        self,
        book: graph.Graph,
        titles: Mapping[BookKey, str],
        mentions: Mentions,
        marks: Mapping[BookKey, str],
        elsewhere: Mapping[str, ExamplePlace],
    ) -> None:
        """Store what rules are worded from; `elsewhere` has the examples of rules that have none of their own."""
        self._book = book
        self._titles = titles
        self._mentions = mentions
        self._marks = marks
        self._elsewhere = elsewhere
        self._worded: dict[str, PrintedRule] = {}

    def __getitem__(self, label: str) -> PrintedRule:
        """Return a rule."""
        if label not in self._worded:
            rule = _printed_rule(
                self._book, self._book.rules[label], self._titles["rule", label], self._mentions, self._marks
            )
            self._worded[label] = replace(rule, other_example=self._elsewhere.get(label))
        return self._worded[label]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the labels."""
        return iter(self._book.rules)

    def __len__(self) -> int:
        """Count the rules."""
        return len(self._book.rules)


def answered_question(book: graph.Graph, rule: graph.Rule) -> str:
    """Return the question that the sentence of a rule answers; "" if the sentence stands by itself."""
    ruling = book.rulings.get(rule.ruling)
    return ruling.asks if ruling and ruling.answers == rule.prose else ""


def _printed_rule(
    book: graph.Graph, rule: graph.Rule, title: str, mentions: Mentions, marks: Mapping[BookKey, str]
) -> PrintedRule:
    logic = sentences.rule_sentence(book, rule)
    disputes = [
        label
        for label, dispute in book.disputes.items()
        if rule.reading in {reading.label for reading in dispute.readings}
    ]
    things_read = [key for key in mentions.things_read.get(("rule", rule.label), ()) if key[0] in ("term", "chart")]
    return PrintedRule(
        rule.label,
        title,
        answered_question(book, rule),
        rule.prose,
        logic,
        exact_words(book, rule),
        _relations(book, rule),
        tuple(things_read),
        rule.ruling,
        disputes[0] if disputes and rule.reading else "",
        rule.cites,
        marks.get(("rule", rule.label), ""),
        None,
    )


def _relations(book: graph.Graph, rule: graph.Rule) -> tuple[tuple[str, tuple[BookKey, ...]], ...]:
    """Return the relations of a rule by their titles, each with what it refers to."""
    relations: dict[str, dict[BookKey, None]] = {}
    for verb, label in _written_relations(book, rule):
        title, targets = _relation(book, verb, label)
        relations.setdefault(title, {}).update(dict.fromkeys(targets))
    if adopting := [name for name in terms_of_rule(book, rule) if name not in rule.terms]:
        relations["Holds as well for"] = {("term", page_term(book, name)): None for name in adopting}
    return tuple((title, tuple(targets)) for title, targets in relations.items())


def _written_relations(book: graph.Graph, rule: graph.Rule) -> tuple[tuple[str, str], ...]:
    """Return the relations of a rule, with each rule that it defeats unless a case or ruling stands for these."""
    named = {label for _, label in rule.relations}
    if any(label in book.cases or label in book.rulings for label in named):
        return rule.relations
    defeated = [label for label in target_labels(rule) if label not in named and label in book.rules]
    return (*rule.relations, *(("exception", label) for label in defeated))


def _relation(book: graph.Graph, verb: str, label: str) -> tuple[str, list[BookKey]]:
    """Return the title of a relation, and what it refers to."""
    if is_amendment(verb):
        return sentences.with_capital(words.readable_name(verb)), []
    if verb == "withdraws" and ":" in label:  # What was removed cannot be linked.
        return f"Withdraws {words.readable_name(procedure_label(label))}", []
    if keys := procedures_of(book, label):
        return sentences.RELATIONS[verb], [("procedure", key) for key in keys]
    kinds: dict[str, Container[str]] = {
        "rule": book.rules,
        "case": book.cases,
        "ruling": book.rulings,
        "term": book.terms,
    }
    kind = next((kind for kind, labels in kinds.items() if label in labels), "rule")
    return sentences.RELATIONS.get(verb, sentences.heading_words(verb)), [(kind, label)]
