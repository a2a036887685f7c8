"""The index of subjects: for every declared word the cases, rules, rulings and charts that speak of it.

In: a graph and its outline. Out: keywords in alphabetical order with the places that print them.
Words are those that the stack declares; nothing else is known of any game.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.rulebook.mentions import Thing
from compiler.rulebook.outline import Card, Entry, Heading, entries_of, headings_of
from runtime.graph import nodes as graph
from runtime.graph import words

# A word that is everywhere leads nowhere.
MOST = 40


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word and where it is spoken of: cases first, then rules and rulings as they are printed."""

    word: str
    places: tuple[Thing, ...]


def gather_keywords(book: graph.Graph, outline: tuple[Heading, ...], titles: dict[Thing, str]) -> tuple[Keyword, ...]:
    """Look for every declared word in every text."""
    texts = list(_texts(book, outline, titles))
    stems = [(thing, " ".join(_stem(word) for word in _tokens(text))) for thing, text in texts]
    found = []
    for word in sorted({word.lower() for word in _declared(book)}):
        wanted = f" {' '.join(_stem(part) for part in _tokens(word))} "
        places = tuple(thing for thing, text in stems if wanted in f" {text} ")
        if 0 < len(places) <= MOST and wanted.strip():
            found.append(Keyword(word, places))
    return tuple(found)


def _declared(book: graph.Graph) -> Iterator[str]:
    """List the words of a vocabulary as they are spoken."""
    known = book.vocabulary
    yield from (words.spaced(name) for name in (*known.kinds, *known.records, *known.measures))
    yield from (words.spaced(flag.name) for flag in known.flags.values())
    for enum in known.enums.values():
        yield from (words.spaced(member.name) for member in enum.members if len(member.name) > 2)
    yield from (case.title.lower() for case in book.cases.values() if len(case.title.split()) == 1)


def _texts(book: graph.Graph, outline: tuple[Heading, ...], titles: dict[Thing, str]) -> Iterator[tuple[Thing, str]]:
    for section in outline:
        for heading in headings_of(section):
            yield ("case", heading.label), titles["case", heading.label]
        for entry in entries_of(section):
            match entry:
                case Entry(label=label):
                    yield ("rule", label), f"{titles['rule', label]} {book.rules[label].prose}"
                case Card(ruling=label):
                    ruling = book.rulings[label]
                    yield ("ruling", label), f"{titles['ruling', label]} {ruling.asks} {ruling.answers}"


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _stem(word: str) -> str:
    """Take the plural off, so that one entry serves both."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
