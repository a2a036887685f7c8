"""Profiles of the sections of sources, built from the words of everything that cites them.

In: a stack. Out: for each rule and ruling its words, the sections that it cites, and the similarity of its words to
those of the other texts that cite a section. The sources themselves are not available; the texts written from them are.
Words are English, and compared by their stems.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import fsum, log

from runtime.graph import nodes as graph
from runtime.graph.walk import walk

COMMON = frozenset(
    "the a an of to in is it its on for and or not no be by with as at if may who what that this one they their them he"
    " his has have does do did from than only are was were which when how can any all each there nobody nothing so but"
    " into out up more most other others also then where whom whose must will would cannot yes".split()
)
ENDINGS = ("ing", "ies", "ed", "es", "er", "ly", "s")
LOWERCASE_WORD = re.compile(r"[a-z]+")
WORD_OF_SECTION = re.compile(r"[a-z][a-z0-9]+")
# Shorter stems are part of too many words.
SHORTEST_STEM = 4
# The share of a section's texts from which a word counts in full.
USUAL = 0.3

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class CitingText:
    """A rule, ruling, procedure or question: its words, the items that it cites by section, and its `layer`.

    `has_several_sections`: it cites other sections or documents as well. `items` is all that it cites of sections;
    `terms` are its questions, `amends` the rules that it defeats or confirms, `case` and `origin` its place;
    `own_words` are its words without those of what it amends; `is_half_sentence`: other rules complete it.
    """

    label: str
    words: Words
    cites: Mapping[str, str]
    has_several_sections: bool
    layer: str
    items: frozenset[str]
    terms: frozenset[str]
    amends: frozenset[str]
    case: str
    origin: graph.Origin
    own_words: Words
    is_half_sentence: bool


class SectionProfiles:
    """The texts of a stack and the sections that they cite."""

    def __init__(self, stack: graph.Graph) -> None:
        self.laws = tuple(_laws(stack))
        self.texts = (*self.laws, *_procedures(stack), *_terms(stack))
        # A heading with words of document titles alone identifies no subject.
        titles = text_stems(" ".join(document.title for document in stack.documents))
        self.headings = {
            f"{document.prefix}.{section}": text_stems(f"{heading} {section}")
            for document in stack.documents
            for section, heading in document.headings
            if not text_stems(heading) <= titles
        }
        self.text_count = Counter(section for text in self.texts for section in text.cites)
        self.known_in = Counter(word for text in self.texts for word in text.words)
        self.word_counts: dict[str, Counter[str]] = defaultdict(Counter)
        for text in self.texts:
            for section in text.cites:
                self.word_counts[section].update(text.words)
        self.layers = Counter(text.layer for text in self.texts if text.cites)
        self.of_layer = Counter((text.layer, section) for text in self.texts for section in text.cites)

    def count_other_citers(self, text: CitingText, section: str) -> int:
        """Count the other texts that cite a section."""
        return self.text_count[section] - (section in text.cites)

    def similarity(self, text: CitingText, section: str) -> float:
        """Return the share of a text, 0 to 1, that consists of words of the others that cite a section.

        Rare words have more weight.
        """
        own_citation = section in text.cites
        usual = max(2.0, USUAL * self.count_other_citers(text, section))
        section_words = self.word_counts[section]
        weights = {word: log((len(self.texts) + 1) / (self.known_in[word] + 0.5)) for word in text.words}
        # `fsum` is independent of the order of summands, and the order of a set of words differs between processes.
        total = fsum(weights.values())
        shared_weight = fsum(
            weight * min(1.0, (section_words[word] - own_citation) / usual) for word, weight in weights.items()
        )
        return shared_weight / total if total else 0.0

    def has_heading_word(self, text: CitingText, section: str) -> bool:
        """Return whether a text has a word of the heading of a section, or one with a common prefix."""
        headed = {word for word in self.headings.get(section, ()) if len(word) >= SHORTEST_STEM}
        return any(
            len(word) >= SHORTEST_STEM and (word.startswith(head) or head.startswith(word))
            for head in headed
            for word in text.words
        )


def citing_text(label: str, words: Words, cites: Iterable[str], origin: graph.Origin) -> CitingText:
    """Return the citing text of a construct without a case and without targets."""
    found: dict[str, str] = {}
    items = frozenset(cite for cite in cites if section_of(cite))
    for cite in cites:
        if section := section_of(cite):
            found.setdefault(section, cite)
    has_several_sections = len({cite.rpartition(".")[0] for cite in cites}) > 1
    nothing: frozenset[str] = frozenset()
    return CitingText(
        label,
        words,
        found,
        has_several_sections,
        origin.layer,
        items,
        nothing,
        nothing,
        "",
        origin,
        own_words=words,
        is_half_sentence=False,
    )


def section_of(cite: str) -> str:
    """Return the section of a document that an item is in; "" if it is in none."""
    return cite.rpartition(".")[0] if cite.count(".") > 1 else ""


def text_stems(text: str) -> Words:
    """Return the stems of a text, without stop words."""
    found = WORD_OF_SECTION.findall(text.lower().replace("_", " ").replace("-", " "))
    return frozenset(bare_word(word) for word in found if word not in COMMON)


def bare_word(word: str) -> str:
    """Return a word without its ending."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word[: -len(ending)]
    return word


def word_root(word: str | None) -> str:
    """Return the stem of a word, which "fires" and "fire" share."""
    return bare_word(word or "").removesuffix("e")


def _laws(stack: graph.Graph) -> Iterator[CitingText]:
    """List the texts of rules and rulings; a rule with the citations of its ruling is covered by that."""
    words_by_label = {rule.label: _of_rule(stack, rule) for rule in stack.rules.values()}
    for rule in stack.rules.values():
        ruling = stack.rulings.get(rule.ruling)
        if ruling is not None and ruling.cites == rule.cites:
            continue
        targets = [stack.rules[label] for label in rule.defeats if label in stack.rules]
        target_words = text_stems(" ".join(f"{each.label} {each.prose}" for each in targets))
        answer_words = text_stems(f"{ruling.asks} {ruling.answers}") if ruling is not None else frozenset()
        words = words_by_label[rule.label] | answer_words
        yield replace(
            citing_text(rule.label, words | target_words, rule.cites, rule.origin), terms=frozenset(rule.terms),
            amends=frozenset(rule.defeats), case=rule.case, own_words=words, is_half_sentence=_is_half(rule.prose),
        )  # fmt: skip
    for ruling in stack.rulings.values():
        ruling_words = text_stems(f"{ruling.label} {ruling.asks} {ruling.answers}")
        related_rules = [stack.rules[label] for label in (*ruling.rules, *ruling.clarifies) if label in stack.rules]
        words = ruling_words.union(*(words_by_label[each.label] for each in related_rules))
        amends = {*ruling.clarifies, *(label for each in related_rules for label in each.defeats)}
        yield replace(
            citing_text(ruling.label, words, ruling.cites, ruling.origin),
            terms=frozenset(term for each in related_rules for term in each.terms),
            amends=frozenset(amends), case=related_rules[0].case if related_rules else "", own_words=ruling_words,
        )  # fmt: skip


def _is_half(prose: str) -> bool:
    """Return whether a sentence is incomplete, and the previous or next rule completes it."""
    return prose[:1].islower() or prose.rstrip().endswith((",", ":", ";"))


def _of_rule(stack: graph.Graph, rule: graph.Rule) -> Words:
    """Return the words of a rule: its label, sentence and cases, its questions and the names in its law."""
    titles: list[str] = []
    case = stack.cases.get(rule.case)
    while case is not None:
        titles += [case.label, case.title]
        case = stack.cases.get(case.parent)
    names = _names((rule.guard, rule.value, tuple(value for _, value in rule.names)))
    return text_stems(" ".join((rule.label, rule.prose, *titles, *rule.terms, *names)))


def _procedures(stack: graph.Graph) -> Iterator[CitingText]:
    for each in stack.procedures.values():
        words = text_stems(" ".join((each.name, each.prose, each.event, *_names(each.body))))
        yield citing_text(each.name, words, each.cites, each.origin)


def _terms(stack: graph.Graph) -> Iterator[CitingText]:
    for term in stack.terms.values():
        text = citing_text(term.name, text_stems(f"{term.name} {term.reads}"), term.cites, term.origin)
        yield replace(text, terms=frozenset((term.name,)))


def _names(value: object) -> Iterator[str]:
    """List the names in an expression."""
    for node in walk(value):
        match node:
            case graph.Test(_, _, name) | graph.Get(_, _, _, name) | graph.Has(_, _, _, name):
                yield name
            case graph.GameTrack(_, name) | graph.Member(_, name) | graph.Ask(name) | graph.Cell(name):
                yield name
            case _:
                pass
