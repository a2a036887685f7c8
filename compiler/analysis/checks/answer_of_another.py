"""A ruling whose answer is none to its question: yes or no to "which", or what another ruling of its file is asked.

In: a stack. Out: suspicions. Moved paragraphs may leave an answer behind. Two answers are taken for exchanged
if each has clearly more words of what the other is asked, clarifies and shows than of its own; rare words weigh more.
Texts are read as English, and words compared by their stems.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import fsum, log
from typing import NamedTuple

from compiler.analysis.omissions import AnswerOfAnother
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import Words, words_of
from runtime.graph import nodes as graph

OPEN = re.compile(r"(which|what|when|how|who|where|whom|whose|why)\b", re.IGNORECASE)
# Not "No more than others".
PLAIN = re.compile(r"(yes|no)(?=\s*(?:[,.;:!(]|$))", re.IGNORECASE)
SENTENCES = re.compile(r"(?<=[.?!])\s+")
# So much more weight of words in common, in all and each by itself, shows that answers changed places.
MORE, EACH = 9.0, 2.0


class RulingWords(NamedTuple):
    """A ruling, the words of its answer, and those around it: question, label, what it clarifies, its examples."""

    ruling: graph.Ruling
    answer: Words
    around: Words


def answer_of_another(stack: graph.Graph) -> Iterator[Problem]:
    """Find them, one a ruling."""
    told: set[str] = set()
    for one, other in _exchanged(stack):
        if told.isdisjoint((one.label, other.label)):
            told |= {one.label, other.label}
            yield AnswerOfAnother(_party(one), "", _party(other))
    for ruling in stack.rulings.values():
        asked = OPEN.match(SENTENCES.split(ruling.asks.strip())[-1])
        plain = PLAIN.match(ruling.answers)
        if asked and plain and ruling.label not in told:
            yield AnswerOfAnother(_party(ruling), asked[1].lower(), None, plain[1].lower())


def _exchanged(stack: graph.Graph) -> Iterator[tuple[graph.Ruling, graph.Ruling]]:
    """List pairs of rulings of one file that have each other's answer."""
    texts = _texts(stack)
    known = Counter(word for each in texts for word in each.answer | each.around)
    weights = {word: log((len(texts) + 1) / (count + 0.5)) for word, count in known.items()}
    files: dict[str, list[RulingWords]] = defaultdict(list)
    for each in texts:
        files[each.ruling.origin.file].append(each)
    for group in files.values():
        group.sort(key=lambda each: each.ruling.origin.line)
    for one, other in (pair for group in files.values() for pair in combinations(group, 2)):
        gained = _gained(one, other, weights), _gained(other, one, weights)
        if min(gained) >= EACH and sum(gained) >= MORE:
            yield one.ruling, other.ruling


def _gained(one: RulingWords, other: RulingWords, weights: Mapping[str, float]) -> float:
    """Return how much more of an answer is spoken of around the other ruling than around its own."""
    # `fsum` has no order of summands, and sets of words have another one in each process.
    theirs, own = one.answer & other.around, one.answer & one.around
    return fsum(weights[word] for word in theirs) - fsum(weights[word] for word in own)


def _texts(stack: graph.Graph) -> list[RulingWords]:
    titles: dict[str, list[str]] = defaultdict(list)
    for example in stack.examples:
        titles[example.protects].append(example.title)
    found = []
    for ruling in stack.rulings.values():
        amended = [label for own in ruling.rules if own in stack.rules for label in stack.rules[own].defeats]
        near = [stack.rules[label] for label in (*ruling.clarifies, *amended) if label in stack.rules]
        said = (ruling.asks, ruling.label, *(f"{each.prose} {each.label}" for each in near), *titles[ruling.label])
        found.append(RulingWords(ruling, words_of(ruling.answers), words_of(" ".join(said))))
    return found


def _party(ruling: graph.Ruling) -> Party:
    return Party(ruling.label, ruling.answers, ruling.cites, ruling.origin)
