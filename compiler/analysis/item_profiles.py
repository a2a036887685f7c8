"""Profiles of the items of the sources, made of the texts that cite them.

In: the texts of a stack (section_profiles.py). Out: laws that cite an item whose other citers are nothing like them,
where those of another item are. Two texts are alike by their words, rare ones weighing more, and nearer if they speak
on one question, amend one another, cite something else together, or stand in one case or place. Most rules share an
item with others on the same matter; a law with a wrong number or section is unlike the others that cite it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import fsum, log, sqrt

from compiler.analysis.section_profiles import CitingText, SectionProfiles, citing_text, words_of
from runtime.graph import nodes as graph

# What makes two texts nearer than their words do.
SAME_TERM, SAME_CASE, AMENDS, CITED_TOGETHER, BESIDE = 0.25, 0.1, 0.3, 0.3, 0.1
# In so many lines of a file nearness is half of that.
NEAR = 10
# A text this unlike all others that cite an item is among strangers; if there is one other only, it may be odd itself.
STRANGER, STRANGER_OF_ONE = 0.12, 0.05
# So much liker those of another item have to be.
LIKER, LIKER_OF_ONE = 0.7, 0.8
# A text that cites more items takes little from each.
MOST = 3


class ItemProfiles:
    """Texts by the items they cite."""

    def __init__(self, stack: graph.Graph, subjects: SectionProfiles) -> None:
        self.laws = subjects.laws
        self.texts = (*subjects.texts, *_others(stack))
        known = Counter(word for text in self.texts for word in text.own)
        self.weights = {word: log((len(self.texts) + 1) / (count + 0.5)) for word, count in known.items()}
        self.lengths = {id(text): self._length(text) for text in self.texts}
        self.citing: dict[str, list[CitingText]] = defaultdict(list)
        for text in self.texts:
            for item in sorted(text.items):
                self.citing[item].append(text)
        self.items: dict[str, list[str]] = defaultdict(list)
        for item in self.citing:
            self.items[item.partition(".")[0]].append(item)

    def misplaced_citers(self) -> Iterator[tuple[CitingText, str, str]]:
        """List laws among strangers, the item, and one whose citers they are like; half sentences tell too little."""
        for text in self.laws:
            told = len(text.items) <= MOST and not text.is_half_sentence
            for item in sorted(text.items) if told else ():
                if likest := self.nearest_item(text, item):
                    yield text, item, likest
                    break

    def nearest_item(self, text: CitingText, item: str) -> str:
        """Name the item whose citers a text is like, if it is among strangers at one that it cites; else ""."""
        others = [other for other in self.citing[item] if other is not text]
        strange, more = (STRANGER, LIKER) if len(others) > 1 else (STRANGER_OF_ONE, LIKER_OF_ONE)
        cited = text.items - {item}
        own = 0.0
        for other in others:
            own = max(own, self.similarity(text, other) + CITED_TOGETHER * (not cited.isdisjoint(other.items)))
            if own >= strange:
                return ""
        likest, found = own + more, ""
        for candidate in self.items[item.partition(".")[0]] if others else ():
            if candidate not in text.items:
                nearest = max(
                    (self.similarity(text, each) for each in self.citing[candidate] if each is not text), default=0
                )
                likest, found = (nearest, candidate) if nearest >= likest else (likest, found)
        return found

    def similarity(self, one: CitingText, other: CitingText) -> float:
        """Return how much two texts are alike: 0 to 1 by their words, more by what they have to do with one another."""
        # `fsum` has no order of summands, and sets of words have another one in each process.
        common = fsum(self.weights[word] ** 2 for word in one.own & other.own)
        found = common / (self.lengths[id(one)] * self.lengths[id(other)])
        found += SAME_TERM * (not one.terms.isdisjoint(other.terms))
        found += SAME_CASE * (one.case != "" and one.case == other.case)
        found += AMENDS * (other.label in one.amends or one.label in other.amends)
        if one.at.file == other.at.file:
            found += BESIDE / (1 + abs(one.at.line - other.at.line) / NEAR)
        return found

    def _length(self, text: CitingText) -> float:
        return sqrt(fsum(self.weights[word] ** 2 for word in text.own)) or 1.0


def _others(stack: graph.Graph) -> Iterator[CitingText]:
    """List what cites items besides laws, procedures and questions: disputes, charts, preconditions."""
    for dispute in stack.disputes.values():
        readings = dispute.readings
        said = (dispute.label, dispute.question, *(f"{each.label} {each.reason}" for each in readings))
        rules = [label for each in readings for label in each.rules]
        cites = [*dispute.cites, *(cite for each in readings for cite in each.cites)]
        terms = [term for label in rules if label in stack.rules for term in stack.rules[label].terms]
        text = citing_text(dispute.label, words_of(" ".join(said)), cites, dispute.origin)
        yield replace(text, terms=frozenset(terms), amends=frozenset(rules))
    for table in stack.tables.values():
        yield citing_text(table.name, words_of(f"{table.name} {table.reads}"), table.cites, table.origin)
        for row in table.rows:
            if row.cites:  # What a row says of its keys is what its item speaks of.
                told = f"{table.name} {table.reads} {row.kind} {' '.join(_keys(row))}"
                yield citing_text(table.name, words_of(told), row.cites, row.origin)
    for each in stack.preconditions:
        yield citing_text(each.label, words_of(f"{each.label} {each.prose}"), each.cites, each.origin)


def _keys(row: graph.TableRow) -> Iterator[str]:
    """List the words among the keys of a row."""
    for match in (match for matches in row.keys for match in matches or ()):
        yield from (each for each in (match.low, match.high) if isinstance(each, str))
