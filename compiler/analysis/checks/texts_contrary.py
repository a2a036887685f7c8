"""Laws whose texts contradict each other: sentence or answer, label, and the texts around them.

In: a stack. Out: suspects. The sentence of a rule is compared with its label, the titles of its examples and the
sentences of rules that cite the very same item of a section; the answer of a ruling with its label, its question, the
titles of its examples and the sentences of the rules that it clarifies. An exception contradicts its rule for a reason,
and is not compared with it. Contrary words are those of contrary_texts.py; laws are not examined.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compiler.analysis.contrary_texts import Claims, claims_of, contrary_claims
from compiler.analysis.omissions import TextsContrary
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import section_of
from runtime.graph import nodes as graph

# An item that more laws cite is about several things.
FEW = 4


class Text(NamedTuple):
    """A text, its description ("its answer"), and its owner."""

    claims: Claims
    what: str
    of: Party


Titles = dict[str, list[Text]]  # Titles of examples, by the label of what they protect.


def texts_contrary(stack: graph.Graph) -> Iterator[Problem]:
    """Find contradicting texts, one pair a law."""
    titles: Titles = defaultdict(list)
    for example in stack.examples:
        party = Party(example.title, "", (), example.origin)
        titles[example.protects].append(Text(claims_of(example.title), "its title", party))
    sentences = {label: _sentence(rule) for label, rule in stack.rules.items()}
    told: set[str] = set()
    for own, beside in (*_of_rulings(stack, titles, sentences), *_of_rules(stack, titles, sentences)):
        for other in beside:
            found = contrary_claims(own.claims, other.claims)
            if found and told.isdisjoint({own.of.label, other.of.label}):
                told |= {own.of.label, other.of.label}
                yield TextsContrary(own.of, own.what, found[0], other.of, other.what, found[1])


def _of_rulings(stack: graph.Graph, titles: Titles, sentences: Mapping[str, Text]) -> Iterator[tuple[Text, list[Text]]]:
    for ruling in stack.rulings.values():
        party = Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)
        question = Text(claims_of(ruling.asks), "its question", party)
        clarified = [sentences[label] for label in ruling.clarifies if label in sentences]
        beside = [_label(party), question, *titles[ruling.label], *clarified]
        yield Text(claims_of(ruling.answers), "its answer", party), beside


def _of_rules(stack: graph.Graph, titles: Titles, sentences: Mapping[str, Text]) -> Iterator[tuple[Text, list[Text]]]:
    citing: dict[str, list[graph.Rule]] = defaultdict(list)
    rules = [rule for rule in stack.rules.values() if rule.ruling not in stack.rulings]
    rules.sort(key=lambda rule: (rule.origin.file, rule.origin.line, rule.origin.column))
    for rule in rules:
        for cite in filter(section_of, rule.cites):
            citing[cite].append(rule)
    for rule in rules:
        own = sentences[rule.label]
        near = [other for cite in rule.cites if len(citing[cite]) <= FEW for other in citing[cite]]
        beside = [sentences[other.label] for other in near if other is not rule and not _amends(rule, other)]
        yield own, [_label(own.of), *titles[rule.label], *beside]


def _amends(rule: graph.Rule, other: graph.Rule) -> bool:
    return rule.label in other.defeats or other.label in rule.defeats


def _sentence(rule: graph.Rule) -> Text:
    return Text(claims_of(rule.prose), "its sentence", Party(rule.label, rule.prose, rule.cites, rule.origin))


def _label(party: Party) -> Text:
    return Text(claims_of(party.label.replace("-", " ")), "its label", party)
