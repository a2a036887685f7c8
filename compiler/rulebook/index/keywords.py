"""The index of subjects: for each word that a reader may look up, the cases, rules, rulings and charts about it.

The input is a graph, its outline and the documents it cites; the output is keywords in alphabetical order with their
places. Words are kinds of pieces, printed words of counters and maps, keys of charts, the titles of cases and the
headings of the sources; `see:` in a layer refers to them from other words. Subjects with sub-entries are declared by
layers (`index:` beside their openings). Nothing is specific to a game.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import replace

from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry, entries_of, headings_of
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.index.merging import Keyword, PrintedOutline, best_places, edit_entries, entry_key
from compiler.rulebook.index.references import (
    PARTICLES,
    fitting_references,
    is_shorthand,
    is_typed,
    limit_references,
    only_refers,
)
from compiler.rulebook.index.stems import singular
from compiler.rulebook.source_items import Source
from runtime.graph import nodes as graph
from runtime.graph import words

# A word with too many places is restricted to titles and questions, or to titles.
MOST_PLACES = 40
WORDS_OF_LONG_TITLE = 4  # words of a title that is one entry
TITLE_SEPARATOR = re.compile(r", and |, | and ")  # between the words of a title that are entries of their own
# First words of titles that are no entries: of questions, and particles.
OPENING_WORDS = PARTICLES | frozenset("what who where when how which whether".split())
# Words that a search may contain, but that have no entry.
UNINDEXED_WORDS = frozenset(
    "a add after again all an and any at back before begin begins below beside by carries closes count counts end ends "
    "even first for four from ground half happens heavy in inside into last level many may most no not of off on one "
    "only or out over own second see struck the three through to together twice two under unit up when whole "
    "with".split()
)


Subjects = dict[str, dict[str, tuple[BookKey, ...]]]  # subjects with their sub-entries, and their places


def gather_keywords(
    book: graph.Graph,
    outline: tuple[Heading, ...],
    titles: dict[BookKey, str],
    sources: tuple[Source, ...],
    subjects: Subjects,
) -> tuple[Keyword, ...]:
    """Compute the entries of all words."""
    texts = list(_texts(book, outline, titles))
    lines: list[tuple[BookKey, tuple[str, ...]]] = [
        (key, (_compounds(f"{title} {question} {text}"), _compounds(f"{title} {question}"), _compounds(title)))
        for key, title, question, text in texts
    ]
    printed = {key: index for index, (key, *_) in enumerate(texts)}
    places_by_word: dict[str, set[BookKey]] = {}
    for heading, places in _cited_headings(sources, printed, titles):
        places_by_word.setdefault(heading.lower(), set()).update(places)
    sees = {phrase: terms for layer in book.layers for phrase, terms in layer.see}
    known = {word.lower() for word in (*_declared(book), *_headed(outline, titles))}
    # The target of a reference is an entry if it is a heading; "first" or "harder" only serve the search.
    heads = [_stems(term) for term in (*known, *places_by_word, *(titles["case", label] for label in _cases(outline)))]
    led_to = (
        term
        for terms in sees.values()
        for term in terms
        if not is_typed(term) and not UNINDEXED_WORDS.issuperset(term.lower().split())
    )
    known |= {term for term in led_to for stems in [_stems(term)] if any(stems in head for head in heads)}
    known -= {word for word in known if word.startswith("no ")}  # what a counter is barred from
    for word in sorted(known | set(places_by_word)):
        places = _places_of_word(_stems(word), lines)
        places_by_word[word] = places_by_word.get(word, set()) | places
    found = {word: sorted(places, key=printed.__getitem__) for word, places in places_by_word.items() if places}
    order = PrintedOutline(printed, _containing_cases(outline), titles)
    entries = {word: Keyword(word, best_places(word, places, order)) for word, places in _distinct_words(found).items()}
    for name in book.tables:  # Players look up a chart by its title.
        chart = ("chart", name)
        if title := titles.get(chart, "").lower():
            entry = entries.get(title, Keyword(title, ()))
            entries[title] = replace(entry, places=tuple(dict.fromkeys((chart, *entry.places))))
    forms = {_stems(word): word for word in entries}
    for subject, groups in subjects.items():
        word = forms.setdefault(_stems(subject), subject)
        sub_entries = {phrase: keys for phrase, keys in groups.items() if phrase}
        held_by = entries[word].places if word in entries else ()
        own_places = [place for place in held_by if not sub_entries or place[0] == "case"]
        direct = dict.fromkeys((*groups.get("", ()), *own_places))
        entries[word] = Keyword(word, tuple(direct), (), tuple(sorted(sub_entries.items())))
    for phrase, terms in sees.items():
        if UNINDEXED_WORDS.issuperset(phrase.lower().split()) or is_shorthand(phrase, terms):
            continue
        word = forms.get(_stems(phrase), phrase)
        targets = (forms.get(_stems(term), term) for term in terms)
        if references := tuple(term for term in targets if term in entries and term != word):
            entry = entries.get(word, Keyword(word, ()))
            entries[word] = replace(
                entry, cross_references=tuple(dict.fromkeys((*entry.cross_references, *references)))
            )
            forms[_stems(phrase)] = word  # Two spellings of one word are one entry.
    merged_entries = edit_entries(entries, order)
    uses = {entry.word: _places_titled(_stems(entry.word), lines) for entry in merged_entries if only_refers(entry)}
    entries_ = fitting_references(merged_entries, uses, order)
    queries = (phrase for layer in book.layers for _, phrases in layer.asked for phrase in phrases)
    everything = "".join(map(_stems, [*(f"{question} {text}" for _, _, question, text in texts), *queries]))
    counts = {entry.word: everything.count(_stems(entry.word)) for entry in entries_ if only_refers(entry)}
    return limit_references(entries_, counts, order)


def _containing_cases(outline: tuple[Heading, ...]) -> dict[BookKey, BookKey]:
    """Return the case that contains each case, rule and ruling."""
    above: dict[BookKey, BookKey] = {key: ("case", heading.label) for heading, key in _with_headings(outline)}
    for section in outline:
        for heading in headings_of(section):
            above |= {("case", part.label): ("case", heading.label) for part in heading.parts}
    return above


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
    found: dict[BookKey, tuple[str, ...]] = {}
    for layer in book.layers:
        for name, phrases in layer.asked:
            if (key := _referent(book, printed, name) or _searched_only(book, name)) is not None:
                found[key] = (*found.get(key, ()), *phrases)
    return found


def _searched_only(book: graph.Graph, name: str) -> BookKey | None:
    """Return a thing that the search finds though no subject leads to it: an action, a dispute, a definition."""
    named = (key for key, each in book.procedures.items() if name in {each.name, f"{each.what} {each.name}"})
    if (key := next(named, None)) is not None:
        return ("procedure", key)
    return ("dispute", name) if name in book.disputes else ("rule", name) if name in book.rules else None


def _printed(outline: tuple[Heading, ...]) -> set[BookKey]:
    """Return the cases that the book prints, and the things under them."""
    return {("case", label) for label in _cases(outline)} | {key for _, key in _with_headings(outline)}


def _referent(book: graph.Graph, printed: Container[BookKey], name: str) -> BookKey | None:
    """Return what a name denotes; a ruling takes precedence over its rule."""
    for kind in ("ruling", "rule", "case"):
        if (kind, name) in printed:
            return (kind, name)
    if name == "sequence":
        return next((("procedure", key) for key, each in book.procedures.items() if each.what == "sequence"), None)
    return ("chart", name) if name in book.tables else ("term", name) if name in book.terms else None


def _cases(outline: tuple[Heading, ...]) -> Iterator[str]:
    return (heading.label for section in outline for heading in headings_of(section))


def _with_headings(outline: tuple[Heading, ...]) -> Iterator[tuple[Heading, BookKey]]:
    """Return pairs of a heading and a thing directly under it."""
    for section in outline:
        for heading in headings_of(section):
            for entry in entries_of(replace(heading, parts=())):
                yield heading, ("rule", entry.label) if isinstance(entry, RuleEntry) else ("ruling", entry.ruling)


def _places_of_word(stems: str, lines: list[tuple[BookKey, tuple[str, ...]]]) -> set[BookKey]:
    """Return the texts with a word; if too many, those with it in a question or title.

    If still too many, in a title.
    """
    if not stems.strip():
        return set()
    for depth in range(2):
        places = {key for key, texts in lines if _mentions(texts[depth], stems)}
        if len(places) <= MOST_PLACES:
            return places
    return _places_titled(stems, lines)


def _places_titled(stems: str, lines: list[tuple[BookKey, tuple[str, ...]]]) -> set[BookKey]:
    """Find the texts with a word in their titles."""
    return {key for key, texts in lines if _mentions(texts[-1], stems)}


def _mentions(text: str, stems: str) -> bool:
    """Return whether a text has a word, not as the last part of a compound, or a phrase, with hyphens or without."""
    if " " in stems.strip():
        return stems in text.replace(" -", " ")
    return stems in text


def _distinct_words(found: dict[str, list[BookKey]]) -> dict[str, list[BookKey]]:
    """Return one of several forms of a word, the first, or one with a hyphen."""
    first_forms: dict[str, str] = {}
    for word in sorted(found, key=lambda one: ("-" not in one, one)):
        first_forms.setdefault(_stems(word), word)
    return {word: places for word, places in found.items() if first_forms[_stems(word)] == word}


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


def _headed(outline: tuple[Heading, ...], titles: dict[BookKey, str]) -> Iterator[str]:
    """Return the titles that authors assigned to cases."""
    for section in outline:
        for heading in headings_of(section):
            title = titles["case", heading.label]
            first, *rest = title.lower().split() or [""]
            parts = TITLE_SEPARATOR.split(title.lower())
            if heading.title and len(parts) > 1 and all(len(part.split()) == 1 for part in parts):
                yield from parts
            elif heading.title and first not in OPENING_WORDS and len(rest) < WORDS_OF_LONG_TITLE:
                yield " ".join(rest) if first in ("a", "an", "the") and rest else title


def _cited_headings(
    sources: tuple[Source, ...], printed: dict[BookKey, int], titles: dict[BookKey, str]
) -> Iterator[tuple[str, set[BookKey]]]:
    """Return the headings of the sources, and what cites the items under them in titles with half of their words.

    Other headings collect what has no subject in common: game procedure.
    """
    for source in sources:
        for part in source.parts:
            key = {*entry_key(part.heading)}
            places = {place for item in part.items for place in item.places if place in printed}
            if part.heading and len(places) <= MOST_PLACES:
                about = {place for place in places if 2 * len(key & {*entry_key(titles[place])}) >= len(key)}
                yield from [(part.heading, about)] if about else ()


def _texts(
    book: graph.Graph, outline: tuple[Heading, ...], titles: dict[BookKey, str]
) -> Iterator[tuple[BookKey, str, str, str]]:
    """Return all things printed under the cases, with title, question and text."""
    for section in outline:
        for heading in headings_of(section):
            yield ("case", heading.label), titles["case", heading.label], "", ""
        for entry in entries_of(section):
            match entry:
                case RuleEntry(label=label):
                    yield ("rule", label), titles["rule", label], "", book.rules[label].prose
                case RulingEntry(ruling=label):
                    ruling = book.rulings[label]
                    yield ("ruling", label), titles["ruling", label], ruling.asks, ruling.answers


def _stems(text: str) -> str:
    """Format a text as stems with a blank on either side of each."""
    return f" {' '.join(singular(word) for word in re.findall(r'[a-z0-9]+', text.lower()))} "


def _compounds(text: str) -> str:
    """Format a text as its stems, with a hyphen before those inside a compound: "hand" is not found in "left-hand"."""
    parts = re.findall(r"((?<=[a-z0-9])-)?([a-z0-9]+)", text.lower())
    return f" {' '.join(hyphen + singular(word) for hyphen, word in parts)} "
