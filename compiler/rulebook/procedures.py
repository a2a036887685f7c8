"""Assign actions and resolutions to sections of the book.

The input is a graph and its outline; the output is for each section the keys of the procedures whose questions its
rules answer more than any other section's.
"""

from collections import Counter

from compiler.rulebook.headings import Heading, entries_of
from compiler.rulebook.index.mentions import Mentions
from compiler.rulebook.source_order import written_rank
from runtime.graph import nodes as graph


def procedures_by_section(
    book: graph.Graph, outline: tuple[Heading, ...], mentions: Mentions
) -> dict[str, tuple[str, ...]]:
    """Assign each action and resolution to one section, if any answers what it queries."""
    answers = _answers_by_section(book, outline)
    order = {section.label: index for index, section in enumerate(outline)}
    keys_by_section: dict[str, list[str]] = {}
    procedures = sorted(book.procedures.items(), key=lambda item: (*written_rank(book, item[1]), item[0]))
    for key, procedure in procedures:
        if procedure.what not in ("action", "resolution"):
            continue
        # A question counts once, however many rules answer it; one that many procedures query has little weight.
        votes: Counter[str] = Counter()
        for kind, name in mentions.things_read[("procedure", key)]:
            counted = answers.get(name, Counter()) if kind == "term" else Counter()
            for label, count in counted.items():
                votes[label] += round(1000 * count / counted.total())
        if votes:
            best = min(votes, key=lambda label: (-votes[label], order[label]))
            keys_by_section.setdefault(best, []).append(key)
    return {section: tuple(keys) for section, keys in keys_by_section.items()}


def _answers_by_section(book: graph.Graph, outline: tuple[Heading, ...]) -> dict[str, Counter[str]]:
    """Return for each question how many entries of each section answer it; rules of a ruling count with it, too."""
    answers: dict[str, Counter[str]] = {}
    for section in outline:
        for entry in entries_of(section):
            for rule in entry.rules:
                for term in book.rules[rule.label].terms:
                    answers.setdefault(term, Counter())[section.label] += 1
    return answers
