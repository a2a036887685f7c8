"""Laws whose texts contradict each other: sentence or answer, label, and the texts around them.

In: a stack. Out: suspects. The sentence of a rule is compared with its label, the titles of its examples and the
sentences of rules that cite the very same item of a section; the answer of a ruling with its label, its question, the
titles of its examples and the sentences of the rules that it clarifies. An exception contradicts its rule for a reason,
and is not compared with it. Contrary words are those of contrary_texts.py; laws are not examined.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compiler.analysis.contrary_texts import TextClaims, claims_of, contrary_claims
from compiler.analysis.omissions import TextsContrary
from compiler.analysis.parties import Party, ruling_party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import section_of
from runtime.graph import nodes as graph

# An item that more laws cite is about several things.
MOST_CITING_RULES = 4


class PartyText(NamedTuple):
    """A text, its description ("its answer"), and its owner."""

    claims: TextClaims
    description: str
    party: Party


Titles = dict[str, list[PartyText]]  # Titles of examples, by the label of what they protect.


def texts_contrary(stack: graph.Graph) -> Iterator[Problem]:
    """Find contradicting texts, one pair a law."""
    titles: Titles = defaultdict(list)
    for example in stack.examples:
        party = Party(example.title, "", (), example.origin)
        titles[example.protects].append(PartyText(claims_of(example.title), "its title", party))
    sentences = {label: _sentence(rule) for label, rule in stack.rules.items()}
    reported_labels: set[str] = set()
    for text, related_texts in (*_of_rulings(stack, titles, sentences), *_of_rules(stack, titles, sentences)):
        for other in related_texts:
            found = contrary_claims(text.claims, other.claims)
            if found and reported_labels.isdisjoint({text.party.label, other.party.label}):
                reported_labels |= {text.party.label, other.party.label}
                yield TextsContrary(text.party, text.description, found[0], other.party, other.description, found[1])


def _of_rulings(
    stack: graph.Graph, titles: Titles, sentences: Mapping[str, PartyText]
) -> Iterator[tuple[PartyText, list[PartyText]]]:
    for ruling in stack.rulings.values():
        party = ruling_party(ruling)
        question = PartyText(claims_of(ruling.asks), "its question", party)
        clarified = [sentences[label] for label in ruling.clarifies if label in sentences]
        related_texts = [_label(party), question, *titles[ruling.label], *clarified]
        yield PartyText(claims_of(ruling.answers), "its answer", party), related_texts


def _of_rules(
    stack: graph.Graph, titles: Titles, sentences: Mapping[str, PartyText]
) -> Iterator[tuple[PartyText, list[PartyText]]]:
    citing: dict[str, list[graph.Rule]] = defaultdict(list)
    rules = [rule for rule in stack.rules.values() if rule.ruling not in stack.rulings]
    rules.sort(key=lambda rule: (rule.origin.file, rule.origin.line, rule.origin.column))
    for rule in rules:
        for cite in filter(section_of, rule.cites):
            citing[cite].append(rule)
    for rule in rules:
        text = sentences[rule.label]
        related_rules = [
            other for cite in rule.cites if len(citing[cite]) <= MOST_CITING_RULES for other in citing[cite]
        ]
        related_texts = [
            sentences[other.label] for other in related_rules if other is not rule and not _amends(rule, other)
        ]
        yield text, [_label(text.party), *titles[rule.label], *related_texts]


def _amends(rule: graph.Rule, other: graph.Rule) -> bool:
    return rule.label in other.defeats or other.label in rule.defeats


def _sentence(rule: graph.Rule) -> PartyText:
    return PartyText(claims_of(rule.prose), "its sentence", Party(rule.label, rule.prose, rule.cites, rule.origin))


def _label(party: Party) -> PartyText:
    return PartyText(claims_of(party.label.replace("-", " ")), "its label", party)
