"""The index of subjects: for each word that a reader may look up, the few places that define or decide about it.

The input is a graph, its outline and the documents it cites; the output is entries in alphabetical order. Authors edit
the index: layers declare subjects with sub-entries (`index:` beside their openings), and words of readers that lead to
words of the rules (`see:`). The other entries are kinds of pieces, printed words of counters and maps, keys and titles
of charts, titles of cases and headings of the sources, as far as a title has them or few texts mention them. All forms
of a word are one entry. Nothing is specific to a game.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from compiler.rulebook.book_order import printed_order
from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry, entries_of, headings_of
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.index.stems import phrase_stems
from compiler.rulebook.source_items import Source
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass

MOST_PLACES = 6  # places of an entry
FEW_PLACES = 3  # are printed in the place of a reference to them
MOST_REFERENCES = 2  # words that only refer to one entry
SHORTHAND = 5  # the most letters of a word that only leaves out letters
WORDS_OF_LONG_TITLE = 3  # words of a title that is one entry
TITLE_SEPARATOR = re.compile(r", and |, | and ")  # between the words of a title that are entries of their own
ARTICLE = re.compile(r"^(?:a|an|the) ")
PARTICLES = frozenset(
    "aboard across ahead along around at away behind by during for from in inside into its no off on out over past per "
    "rid through to under up when while with without".split()
)
# First words of titles that are no entries: of questions, and particles.
OPENING_WORDS = PARTICLES | frozenset("what who where when how which whether".split())

Subjects = dict[str, dict[str, tuple[BookKey, ...]]]  # subjects with their sub-entries, and their places


@frozen_dataclass
class Keyword:
    """A word with its places in printed order, or the words to see instead; its sub-entries."""

    word: str
    places: tuple[BookKey, ...]
    cross_references: tuple[str, ...] = ()
    under: tuple[tuple[str, tuple[BookKey, ...]], ...] = ()

    @property
    def has_places(self) -> bool:
        """Return whether the entry or one of its sub-entries has a place."""
        return bool(self.places or self.under)


def gather_keywords(
    book: graph.Graph,
    outline: tuple[Heading, ...],
    titles: dict[BookKey, str],
    sources: tuple[Source, ...],
    subjects: Subjects,
) -> tuple[Keyword, ...]:
    """Compute the entries of all words."""
    texts = _PrintedTexts(book, outline, titles)
    entries: dict[str, Keyword] = {}
    headings = (part.heading for source in sources for part in source.parts)
    for word in sorted({word.lower() for word in (*_declared(book), *_case_words(outline, titles), *headings)}):
        if (key := entry_key(word)) and key not in entries and (places := texts.best_places(key)):
            entries[key] = Keyword(word, places)
    for name in book.tables:  # Players look up a chart by its title.
        if title := titles.get(("chart", name), "").lower():
            entry = entries.get(entry_key(title), Keyword(title, ()))
            entries[entry_key(title)] = replace(entry, places=_first_places(("chart", name), *entry.places))
    for subject, groups in subjects.items():
        entry = entries.get(entry_key(subject), Keyword(subject, ()))
        under = tuple(sorted((phrase, keys[:MOST_PLACES]) for phrase, keys in groups.items() if phrase))
        own_places = [place for place in entry.places if not under or place[0] == "case"]
        places = _first_places(*groups.get("", ()), *own_places)
        entries[entry_key(subject)] = replace(entry, places=places, under=under)
    entries |= _references(book, texts, entries)
    return tuple(sorted(entries.values(), key=lambda entry: (entry.word.lower(), entry.word)))


def _first_places(*places: BookKey) -> tuple[BookKey, ...]:
    return tuple(dict.fromkeys(places))[:MOST_PLACES]


def _references(book: graph.Graph, texts: "_PrintedTexts", entries: dict[str, Keyword]) -> dict[str, Keyword]:
    """Return the entries of the words of readers that lead to words of the rules, by key.

    Of many words for one entry the most common are printed; the search knows all.
    """
    references: dict[str, Keyword] = {}
    counts: Counter[str] = Counter()
    terms_by_phrase = {phrase: terms for layer in book.layers for phrase, terms in layer.see}
    for phrase in sorted(terms_by_phrase, key=lambda phrase: (-texts.count(entry_key(phrase)), phrase)):
        key, terms = entry_key(phrase), terms_by_phrase[phrase]
        if not key or key in entries or key in references or not _is_entry(phrase, terms):
            continue
        targets = dict.fromkeys(entries[target] for target in map(entry_key, terms) if target in entries)
        words_of_rules = [target.word for target in targets if target.has_places]
        if not words_of_rules or counts[words_of_rules[0]] == MOST_REFERENCES:
            continue
        counts[words_of_rules[0]] += 1
        places = tuple(dict.fromkeys(place for target in targets for place in target.places))
        if len(places) <= FEW_PLACES and not any(target.under for target in targets):
            references[key] = Keyword(phrase, places)
        else:
            references[key] = Keyword(phrase, (), tuple(words_of_rules))
    return references


def _is_entry(phrase: str, terms: Iterable[str]) -> bool:
    """Return whether the index has an entry for a phrase: one with a particle, "on its back", is a query."""
    return PARTICLES.isdisjoint(phrase.lower().split()) and not _is_shorthand(phrase, terms)


def _is_shorthand(word: str, terms: Iterable[str]) -> bool:
    """Return whether a word only leaves out letters of its terms, beside which a reader finds it."""
    pattern = ".*".join(word)
    return len(word) <= SHORTHAND and word.islower() and all(re.match(pattern, term.lower()) for term in terms)


def entry_key(word: str) -> str:
    """Return the stems of a word or phrase, which are the same for all its forms; a compound is one word."""
    return " ".join(phrase_stems(ARTICLE.sub("", word.lower()).replace("-", "")))


class _PrintedTexts:
    """The cases, rules and rulings of a book in printed order, with the stems of their titles and texts."""

    def __init__(self, book: graph.Graph, outline: tuple[Heading, ...], titles: dict[BookKey, str]) -> None:
        self.titles: dict[BookKey, str] = {}
        self.texts: dict[BookKey, str] = {}
        for section in outline:
            for label in (heading.label for heading in headings_of(section)):
                self._add(("case", label), titles["case", label], "")
            for entry in entries_of(section):
                match entry:
                    case RuleEntry(label=label):
                        self._add(("rule", label), titles["rule", label], book.rules[label].prose)
                    case RulingEntry(ruling=label):
                        ruling = book.rulings[label]
                        self._add(("ruling", label), titles["ruling", label], f"{ruling.asks} {ruling.answers}")
        self.everything = " ".join(self.texts.values())

    def _add(self, place: BookKey, title: str, text: str) -> None:
        self.titles[place], self.texts[place] = f" {entry_key(title)} ", f" {entry_key(text)} "

    def count(self, key: str) -> int:
        """Count how often the texts have a word."""
        return self.everything.count(f" {key} ")

    def best_places(self, key: str) -> tuple[BookKey, ...]:
        """Return the cases headed by a word, else the rules, else those that mention it; too many are of no use."""
        headed = [place for place, title in self.titles.items() if f" {key} " in title]
        cases = [place for place in headed if place[0] == "case"]
        if cases:
            shortest = sorted(cases, key=lambda place: len(self.titles[place].split()))[:MOST_PLACES]
            return tuple(place for place in cases if place in shortest)
        places = headed or [place for place, text in self.texts.items() if f" {key} " in text]
        return tuple(places) if len(places) <= MOST_PLACES else ()


def declared_subjects(book: graph.Graph, outline: tuple[Heading, ...]) -> Subjects:
    """Collect the subjects that layers declare with their sub-entries, "" for none, as far as this book prints them."""
    printed = _printed(outline)
    subjects: Subjects = {}
    for layer in book.layers:
        for subject, sub_entry, names in layer.index:
            if keys := tuple(key for name in names if (key := _referent(book, printed, name))):
                sub_entries = subjects.setdefault(subject, {})
                sub_entries[sub_entry] = tuple(dict.fromkeys((*sub_entries.get(sub_entry, ()), *keys)))
    return subjects


def search_phrases(book: graph.Graph, outline: tuple[Heading, ...]) -> dict[BookKey, tuple[str, ...]]:
    """Collect the search phrases that layers declare for what this book prints."""
    printed = _printed(outline)
    phrases_by_thing: dict[BookKey, tuple[str, ...]] = {}
    for layer in book.layers:
        for name, phrases in layer.asked:
            if (key := _referent(book, printed, name) or _searched_only(book, name)) is not None:
                phrases_by_thing[key] = (*phrases_by_thing.get(key, ()), *phrases)
    return phrases_by_thing


def _searched_only(book: graph.Graph, name: str) -> BookKey | None:
    """Return a thing that the search finds though no subject leads to it: an action, a dispute, a definition."""
    for key, procedure in book.procedures.items():
        if name in {procedure.name, f"{procedure.what} {procedure.name}"}:
            return ("procedure", key)
    return ("dispute", name) if name in book.disputes else ("rule", name) if name in book.rules else None


def _printed(outline: tuple[Heading, ...]) -> set[BookKey]:
    """Return the cases that the book prints, and the things under them."""
    cases: set[BookKey] = {("case", heading.label) for section in outline for heading in headings_of(section)}
    return cases.union(printed_order(outline))


def _referent(book: graph.Graph, printed: Container[BookKey], name: str) -> BookKey | None:
    """Return what a name denotes; a ruling takes precedence over its rule."""
    for kind in ("ruling", "rule", "case"):
        if (kind, name) in printed:
            return (kind, name)
    if name == "sequence":
        sequences = (key for key, procedure in book.procedures.items() if procedure.what == "sequence")
        return next((("procedure", key) for key in sequences), None)
    return ("chart", name) if name in book.tables else ("term", name) if name in book.terms else None


def _declared(book: graph.Graph) -> Iterator[str]:
    """Return the words for things on a table: pieces, what is printed on them and on maps, keys of charts."""
    known = book.vocabulary
    yield from (words.kind(name, known) for name in known.kinds)
    for flag in known.flags.values():
        if flag.what in ("trait", "feature", "path") or flag.marker:
            yield words.readable_name(flag.name)
    keys = {key.type.name for table in book.tables.values() for key in table.keys if isinstance(key.type, graph.Enum)}
    for name in sorted(keys & set(known.enums)):
        yield from (words.readable_name(member.name) for member in known.enums[name].members if len(member.name) > 2)


def _case_words(outline: tuple[Heading, ...], titles: dict[BookKey, str]) -> Iterator[str]:
    """Return the words of the titles that authors assigned to cases."""
    for section in outline:
        for heading in headings_of(section):
            title = titles["case", heading.label]
            first, *rest = title.lower().split() or [""]
            parts = TITLE_SEPARATOR.split(title.lower())
            if heading.title and len(parts) > 1 and all(len(part.split()) == 1 for part in parts):
                yield from parts
            elif heading.title and first not in OPENING_WORDS and len(rest) < WORDS_OF_LONG_TITLE:
                yield " ".join(rest) if first in ("a", "an", "the") and rest else title
