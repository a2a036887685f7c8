"""Profiles of the items of sources, built from the texts that cite them.

In: the texts of a stack (section_profiles.py). Out: laws that cite an item whose other citers are dissimilar, where
those of another item are similar. The similarity of two texts is the cosine of their word vectors with inverse document
frequencies (Salton, Buckley, *Term-Weighting Approaches in Automatic Text Retrieval*, 1988), plus a constant for a
common question, an amendment, another common item, a common case, and vicinity in a file. Most rules share an item with
others on the same matter; a law with a wrong number or section is dissimilar to the others that cite it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import fsum, log, sqrt

from compiler.analysis.section_profiles import CitingText, SectionProfiles, citing_text, text_stems
from runtime.graph import nodes as graph

# What is added to the similarity of words.
SAME_TERM, SAME_CASE, AMENDS, CITED_TOGETHER, BESIDE_WEIGHT = 0.25, 0.1, 0.3, 0.3, 0.1
# The distance in lines at which vicinity counts half.
HALF_WEIGHT_DISTANCE = 10
# The similarity below which a text is dissimilar to all others that cite an item; with a single other text the limit is
# lower, as that one may itself be an outlier.
DISSIMILAR, DISSIMILAR_TO_ONE = 0.12, 0.05
# How much greater the similarity to the citers of another item has to be.
GAIN, GAIN_OVER_ONE = 0.7, 0.8
# A text that cites more items than this shares few words with each.
MOST_ITEMS = 3


class ItemProfiles:
    """The texts of a stack by the items that they cite."""

    def __init__(self, stack: graph.Graph, subjects: SectionProfiles) -> None:
        self.laws = subjects.laws
        self.texts = (*subjects.texts, *_other_citing_texts(stack))
        known = Counter(word for text in self.texts for word in text.own_words)
        self.weights = {word: log((len(self.texts) + 1) / (count + 0.5)) for word, count in known.items()}
        self.lengths = {id(text): self._length(text) for text in self.texts}
        self.texts_by_item: dict[str, list[CitingText]] = defaultdict(list)
        for text in self.texts:
            for item in sorted(text.items):
                self.texts_by_item[item].append(text)
        self.items: dict[str, list[str]] = defaultdict(list)
        for item in self.texts_by_item:
            self.items[item.partition(".")[0]].append(item)

    def misplaced_citers(self) -> Iterator[tuple[CitingText, str, str]]:
        """List laws dissimilar to the other citers of an item, with the item and the one whose citers they resemble.

        Half sentences are skipped, as they have too few words.
        """
        for text in self.laws:
            is_compared = len(text.items) <= MOST_ITEMS and not text.is_half_sentence
            for item in sorted(text.items) if is_compared else ():
                if nearest := self.nearest_item(text, item):
                    yield text, item, nearest
                    break

    def nearest_item(self, text: CitingText, item: str) -> str:
        """Return the item whose citers a text resembles, if it resembles none at an item that it cites; else ""."""
        others = [other for other in self.texts_by_item[item] if other is not text]
        strange, more = (DISSIMILAR, GAIN) if len(others) > 1 else (DISSIMILAR_TO_ONE, GAIN_OVER_ONE)
        cited = text.items - {item}
        own_similarity = 0.0
        for other in others:
            own_similarity = max(
                own_similarity, self.similarity(text, other) + CITED_TOGETHER * (not cited.isdisjoint(other.items))
            )
            if own_similarity >= strange:
                return ""
        best_similarity, best_item = own_similarity + more, ""
        for candidate in self.items[item.partition(".")[0]] if others else ():
            if candidate not in text.items:
                nearest = max(
                    (self.similarity(text, each) for each in self.texts_by_item[candidate] if each is not text),
                    default=0,
                )
                best_similarity, best_item = (
                    (nearest, candidate) if nearest >= best_similarity else (best_similarity, best_item)
                )
        return best_item

    def similarity(self, text: CitingText, other: CitingText) -> float:
        """Return the similarity of two texts: 0 to 1 by their words, plus the constants of their relations."""
        # `fsum` is independent of the order of summands, and the order of a set of words differs between processes.
        common = fsum(self.weights[word] ** 2 for word in text.own_words & other.own_words)
        found = common / (self.lengths[id(text)] * self.lengths[id(other)])
        found += SAME_TERM * (not text.terms.isdisjoint(other.terms))
        found += SAME_CASE * (text.case != "" and text.case == other.case)
        found += AMENDS * (other.label in text.amends or text.label in other.amends)
        if text.origin.file == other.origin.file:
            found += BESIDE_WEIGHT / (1 + abs(text.origin.line - other.origin.line) / HALF_WEIGHT_DISTANCE)
        return found

    def _length(self, text: CitingText) -> float:
        return sqrt(fsum(self.weights[word] ** 2 for word in text.own_words)) or 1.0


def _other_citing_texts(stack: graph.Graph) -> Iterator[CitingText]:
    """List the texts that cite items besides laws, procedures and questions: disputes, charts, preconditions."""
    for dispute in stack.disputes.values():
        readings = dispute.readings
        parts = (dispute.label, dispute.question, *(f"{each.label} {each.reason}" for each in readings))
        rules = [label for each in readings for label in each.rules]
        cites = [*dispute.cites, *(cite for each in readings for cite in each.cites)]
        terms = [term for label in rules if label in stack.rules for term in stack.rules[label].terms]
        text = citing_text(dispute.label, text_stems(" ".join(parts)), cites, dispute.origin)
        yield replace(text, terms=frozenset(terms), amends=frozenset(rules))
    for table in stack.tables.values():
        yield citing_text(table.name, text_stems(f"{table.name} {table.reads}"), table.cites, table.origin)
        for row in table.rows:
            if row.cites:  # The item of a row is about the keys of the row.
                row_text = f"{table.name} {table.reads} {row.kind} {' '.join(_keys(row))}"
                yield citing_text(table.name, text_stems(row_text), row.cites, row.origin)
    for each in stack.preconditions:
        yield citing_text(each.label, text_stems(f"{each.label} {each.prose}"), each.cites, each.origin)


def _keys(row: graph.TableRow) -> Iterator[str]:
    """List the words among the keys of a row."""
    for match in (match for matches in row.keys for match in matches or ()):
        yield from (each for each in (match.low, match.high) if isinstance(each, str))
