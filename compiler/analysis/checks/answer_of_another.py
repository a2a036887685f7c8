"""Rulings whose answer does not fit their question: yes or no to "which", or the answer to another ruling of the file.

In: a stack. Out: suspects. Moved paragraphs may leave an answer behind. Two answers count as exchanged if each has
clearly more words of the question, the clarified rules and the examples of the other ruling than of its own; rare words
have more weight. Texts are parsed as English, and words compared by their stems.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import fsum, log
from typing import NamedTuple

from compiler.analysis.omissions import AnswerOfAnother
from compiler.analysis.parties import ruling_party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import Words, text_stems
from runtime.graph import nodes as graph

OPEN_QUESTION = re.compile(r"(which|what|when|how|who|where|whom|whose|why)\b", re.IGNORECASE)
# "No more than others" is no plain answer.
YES_NO_ANSWER = re.compile(r"(yes|no)(?=\s*(?:[,.;:!(]|$))", re.IGNORECASE)
SENTENCES = re.compile(r"(?<=[.?!])\s+")
# The least gain in weight of common words, of both rulings together and of each, by which answers count as exchanged.
GAIN_TOGETHER, GAIN_OF_EACH = 9.0, 2.0


class RulingWords(NamedTuple):
    """A ruling, the words of its answer, and those of its context: question, label, clarified rules, examples."""

    ruling: graph.Ruling
    answer: Words
    context: Words


def answer_of_another(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings with another answer than their own, each at most once."""
    reported_labels: set[str] = set()
    for first, second in _exchanged(stack):
        if reported_labels.isdisjoint((first.label, second.label)):
            reported_labels |= {first.label, second.label}
            yield AnswerOfAnother(ruling_party(first), "", ruling_party(second))
    for ruling in stack.rulings.values():
        open_question = OPEN_QUESTION.match(SENTENCES.split(ruling.asks.strip())[-1])
        plain = YES_NO_ANSWER.match(ruling.answers)
        if open_question and plain and ruling.label not in reported_labels:
            yield AnswerOfAnother(ruling_party(ruling), open_question[1].lower(), None, plain[1].lower())


def _exchanged(stack: graph.Graph) -> Iterator[tuple[graph.Ruling, graph.Ruling]]:
    """List pairs of rulings of one file that have each other's answer."""
    texts = _texts(stack)
    known = Counter(word for each in texts for word in each.answer | each.context)
    weights = {word: log((len(texts) + 1) / (count + 0.5)) for word, count in known.items()}
    files: dict[str, list[RulingWords]] = defaultdict(list)
    for each in texts:
        files[each.ruling.origin.file].append(each)
    for group in files.values():
        group.sort(key=lambda each: each.ruling.origin.line)
    for first, second in (pair for group in files.values() for pair in combinations(group, 2)):
        gained = _weight_gain(first, second, weights), _weight_gain(second, first, weights)
        if min(gained) >= GAIN_OF_EACH and sum(gained) >= GAIN_TOGETHER:
            yield first.ruling, second.ruling


def _weight_gain(ruling: RulingWords, other: RulingWords, weights: Mapping[str, float]) -> float:
    """Return how much more weight an answer shares with the context of the other ruling than with its own."""
    # `fsum` is independent of the order of summands, and the order of a set of words differs between processes.
    foreign_words, own_words = ruling.answer & other.context, ruling.answer & ruling.context
    return fsum(weights[word] for word in foreign_words) - fsum(weights[word] for word in own_words)


def _texts(stack: graph.Graph) -> list[RulingWords]:
    titles: dict[str, list[str]] = defaultdict(list)
    for example in stack.examples:
        titles[example.protects].append(example.title)
    found = []
    for ruling in stack.rulings.values():
        amended = [
            label for own_label in ruling.rules if own_label in stack.rules for label in stack.rules[own_label].defeats
        ]
        related_rules = [stack.rules[label] for label in (*ruling.clarifies, *amended) if label in stack.rules]
        context_texts = (
            ruling.asks,
            ruling.label,
            *(f"{each.prose} {each.label}" for each in related_rules),
            *titles[ruling.label],
        )
        found.append(RulingWords(ruling, text_stems(ruling.answers), text_stems(" ".join(context_texts))))
    return found
