"""Rank the places of a book by a query: BM25F over weighted fields, with grouped rows as one place.

The input is the rows of the index and pairs of synonyms; the output is a `SearchIndex`, which finds places. The site
searches with the same postings and constants (`templates/search.js`), and a test compares the two. Robertson, Zaragoza,
"The Probabilistic Relevance Framework: BM25 and Beyond" (2009), defines the weights by field and the saturation.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from operator import contains

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.misspellings import EXACT_LETTERS, is_misspelling
from compiler.rulebook.index.places import QueryResult, group_by_place
from compiler.rulebook.index.postings import UNIT, compute_postings
from compiler.rulebook.index.ranking_constants import CONSTANTS
from compiler.rulebook.index.stems import (
    IRREGULAR,
    STOP_WORDS,
    SUBJECT_WORDS,
    fold_letters,
    phrase_stems,
    query_words,
    split_tokens,
    stem,
    stems,
    unindexed_words,
)

MEANT = 3  # The most readings of a word that are reported.
FEWEST_PART_LETTERS = 3  # The least letters of each part of a split word.
SOURCE = "Source"  # The sort of rows for items of sources; a row with a text states that the item is not in the book.


# A number of a rule or a ruling within a query: 8.33, 4.2-10a, 8.33 Q2.
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)+(?:-\d+)?[a-z]?(?: q\d+)?(?![\w.-])")

_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")


StemmedPhrase = tuple[str, ...]  # the stems of words that are searched together
# The index of a word among the useful words of a query, -1 for a stop word; its readings with their shares.
WordReadings = tuple[int, Mapping[str, float]]


class SearchIndex:
    """Postings of the rows of one book."""

    def __init__(self, rows: Sequence[IndexRow], synonyms: Iterable[tuple[str, str]]) -> None:
        self.rows = tuple(row for row in rows if row.address)
        self.synonyms: list[tuple[StemmedPhrase, StemmedPhrase]] = []
        synonym_tokens: list[str] = []
        for phrase, sense in synonyms:
            synonym_tokens += split_tokens(phrase)
            stemmed_phrase, stemmed_sense = tuple(phrase_stems(phrase)), tuple(stems(sense))
            if stemmed_phrase and stemmed_sense:
                self.synonyms.append((stemmed_phrase, stemmed_sense))
        self._numbered = {fold_letters(row.number) for row in self.rows if row.number}
        # The first row of each address.
        self.heads = {row.address: row_index for row_index, row in reversed([*enumerate(self.rows)])}
        self.postings, written = compute_postings(self.rows)
        # Each word form with its stem: misspellings are compared with these.
        self.forms = {token: stem(token) for token in sorted({*written, *synonym_tokens, *IRREGULAR})}
        self._abbreviations = {first for (first, *more), _ in self.synonyms if not more and first in STOP_WORDS}
        self._synonym_stems = {word_stem for phrase, _ in self.synonyms for word_stem in phrase}
        self._known = {word_stem: word_stem for word_stem in (*self.postings, *self._synonym_stems)} | self.forms
        self._display_forms = {
            word_stem: form for form, word_stem in sorted(self.forms.items(), key=_short, reverse=True)
        }
        self.titles = [stems(row.title) for row in self.rows]
        self.texts = [
            f" {' '.join(title)} | {' '.join(stems(row.words))} "
            for title, row in zip(self.titles, self.rows, strict=True)
        ]

    def find(self, query: str) -> list[QueryResult]:
        """Return the places for a query, the best first; empty if no word of it is in the book."""
        scores = self._scores(query)
        outright = dict(self._identified_rows(query))
        lifted = {row_index: 100.0 * rank for row_index, rank in outright.items()}
        scores = {row_index: scores.get(row_index, 0) + lifted.get(row_index, 0) for row_index in {**scores, **lifted}}
        return group_by_place(self, scores, lifted, self._matching_stems(query))

    def unknown_words(self, query: str) -> list[str]:
        """Return the words of a query that do not occur in the book and have no reading in it.

        The number of a ruling is one of them if its rule has no such ruling.
        """
        numbers = _NUMBER.findall(_plain(query))
        cited = [number for number in numbers if " " in number and number not in self._numbered]
        named = set(" ".join((*self._numbers(query), *cited)).split())
        lacking = [word for word, readings in self._query_readings(query) if not readings and word not in named]
        return list(dict.fromkeys([*cited, *lacking, *unindexed_words(query)]))

    def substituted_words(self, query: str) -> dict[str, tuple[str, ...]]:
        """Return the words of a query that do not occur in the book, each with the words that it is read as.

        Prefixes of longer words, which are still being typed, and words that are split are omitted.
        """
        substitutes: dict[str, tuple[str, ...]] = {}
        for word, readings in self._query_readings(query):
            most = max(readings.values(), default=1.0)
            if stem(word) not in self.postings and most not in (1.0, CONSTANTS.prefix):
                best_readings = [reading for reading, share in readings.items() if share == most]
                texts = [" ".join(map(self._display_form, reading)) for reading in best_readings]
                substitutes[word] = tuple(dict.fromkeys(texts))[:MEANT]
        return substitutes

    def _display_form(self, word_stem: str) -> str:
        return self._display_forms.get(word_stem, word_stem)

    def stems_of(self, query: str) -> set[str]:
        """Return the stems of a query as typed, and of the readings of misspelled words."""
        query_stems = {stem(token) for token in query_words(query) if token not in self._stop_words(query)}
        return query_stems.union(self._senses(query)[0]) if query_stems else query_stems

    def _matching_stems(self, query: str) -> frozenset[str]:
        """Return the stems that a query matches in the book, with those of its synonyms."""
        return frozenset(chain.from_iterable(sense for senses in self._senses(query)[1] for sense in senses))

    def _stop_words(self, query: str) -> frozenset[str]:
        """Return the words of a query without a topic: IF in capitals is an abbreviation if readers have one.

        A query in capitals throughout has no abbreviations; one of its stop words would be undeclared.
        """
        capitals = STOP_WORDS.intersection(word.lower() for word in _CAPITALS.findall(query))
        return STOP_WORDS if capitals - self._abbreviations else STOP_WORDS - capitals

    def _query_readings(self, query: str) -> Iterator[tuple[str, Mapping[tuple[str, ...], float]]]:
        """Return the useful words of a query, each with its possible readings."""
        stop_words = self._stop_words(query)
        typed = self._split_compounds(token for token in query_words(query) if token not in stop_words)
        if typed:
            yield from zip(typed, self._senses(query)[1], strict=True)

    def _scores(self, query: str) -> dict[int, float]:
        """Compute the score of each row that contains a word of the query."""
        query_stems, senses = self._senses(query)
        gains = [self._gains_of_senses(readings) for readings in senses]
        query_worths = [most for most, _ in gains]
        total = sum(query_worths)
        sums: dict[int, float] = defaultdict(float)
        covered: dict[int, float] = defaultdict(float)
        place_worths: dict[str, float] = defaultdict(float)
        address_gains: dict[str, float] = defaultdict(float)
        for _, found in gains:
            worths: dict[str, float] = defaultdict(float)
            most: dict[str, float] = defaultdict(float)
            for row_index, (gain, worth) in found.items():
                place, address = self.place_of(row_index), self.rows[row_index].address
                sums[row_index] += gain
                covered[row_index] += worth
                worths[place] = max(worth, worths[place])
                most[address] = max(gain, most[address])
            for place, worth in worths.items():
                place_worths[place] += worth
            for address, gain in most.items():
                address_gains[address] += gain
        scores: dict[int, float] = {}
        for row_index, gain in sums.items():
            row = self.rows[row_index]
            more = CONSTANTS.lent * max(0.0, place_worths[self.place_of(row_index)] - covered[row_index])
            other_gains = CONSTANTS.shared * max(0.0, address_gains[row.address] - gain)
            share = min(1.0, (covered[row_index] + more) / total)
            scores[row_index] = (gain + other_gains) * share**CONSTANTS.coverage * CONSTANTS.sorts.get(row.sort, 1.0)
        subjects = {*query_words(query)} & SUBJECT_WORDS
        for row_index in sorted(scores, key=lambda at: (-scores[at], at))[: CONSTANTS.candidates]:
            scores[row_index] *= self._phrases(row_index, subjects, query_stems, senses, query_worths)
        return scores

    def _gains_of_senses(self, senses: Mapping[StemmedPhrase, float]) -> tuple[float, dict[int, tuple[float, float]]]:
        """Return the weight of a word of the query, and for each row with it, or a synonym, its gain and its share.

        A word and its synonyms count as one: the weight is their joint rarity, so that frequent and rare ones score
        alike.
        """
        rows_by_sense = {sense: self._rows_with(sense) for sense in senses}
        worth = self._rarity(len(set().union(*rows_by_sense.values())))
        best: dict[int, tuple[float, float]] = {}
        for sense, share in senses.items():
            rarity = self._rarity(len(rows_by_sense[sense]))
            for row_index, weight in rows_by_sense[sense].items():
                gain = share * rarity * weight / (weight + UNIT * CONSTANTS.saturation)
                most_gain, most_worth = best.get(row_index, (0.0, 0.0))
                best[row_index] = (max(gain, most_gain), max(share * worth, most_worth))
        return worth * max(senses.values(), default=0.0), best

    def _rows_with(self, words: tuple[str, ...]) -> Mapping[int, int]:
        """Return the rows that contain all of some stems, each with the least of their weights."""
        first, *rest = (self.postings.get(word, {}) for word in words)
        if not rest:
            return first
        return {
            row_index: min(weight, *(weights[row_index] for weights in rest))
            for row_index, weight in first.items()
            if all(row_index in weights for weights in rest)
        }

    def place_of(self, row_index: int) -> str:
        """Return the address of the head of a row's group."""
        return self.rows[row_index].beside or self.rows[row_index].address

    def _rarity(self, rows: int) -> float:
        """Compute the weight of a word from the number of rows with it (inverse document frequency); 0 for no row."""
        return math.log(1 + (len(self.rows) - rows + 0.5) / (rows + 0.5)) ** CONSTANTS.rarity if rows else 0.0

    def _senses(self, query: str) -> tuple[list[str], list[dict[StemmedPhrase, float]]]:
        """Return the stems of a query, and the readings of each, with the share that each counts."""
        typed = query_words(query)
        stop_words = self._stop_words(query)
        plain = [token for token in typed if token not in stop_words]
        useful = self._split_compounds(plain or typed)
        read = [dict(self._readings(token, last=index == len(useful))) for index, token in enumerate(useful, 1)]
        query_stems = [next(iter(readings), stem(token)) for readings, token in zip(read, useful, strict=True)]
        senses: list[dict[StemmedPhrase, float]] = [
            {(word_stem,): share for word_stem, share in readings.items()} for readings in read
        ]
        words: list[WordReadings] = [*enumerate(read)]
        every = [*self._words_with_readings(typed, read, stop_words)] if plain else words
        self._add_synonyms(senses, words, every)
        for index, pair in enumerate(pairwise(useful)):
            if (compound := self._known.get("".join(pair), "")) in self.postings:
                senses[index][compound,] = senses[index + 1][compound,] = 1.0
        # Without what no row contains.
        indexed = [{sense: share for sense, share in shares.items() if self._rows_with(sense)} for shares in senses]
        return query_stems, indexed

    def _add_synonyms(
        self, senses: list[dict[StemmedPhrase, float]], useful: list[WordReadings], every: list[WordReadings]
    ) -> None:
        """Add the sense of each declared phrase in a query to those of its words.

        A phrase with stop words is compared with all words of the query, another one with the useful ones.
        """
        for phrase, sense in self.synonyms:
            words = useful if STOP_WORDS.isdisjoint(phrase) else every
            for start in range(len(words) - len(phrase) + 1):
                window = words[start : start + len(phrase)]
                # A misspelled word has the readings of the intended word.
                share = min(readings.get(part, 0.0) for part, (_, readings) in zip(phrase, window, strict=True))
                for index, _ in window if share else ():
                    if index >= 0:
                        senses[index][sense] = max(share * CONSTANTS.synonym, senses[index].get(sense, 0.0))

    def _words_with_readings(
        self, typed: Iterable[str], read: Iterable[Mapping[str, float]], stop_words: frozenset[str]
    ) -> Iterator[WordReadings]:
        """Return the words of a query: the index of each among the useful ones, -1 for a stop word, and readings."""
        useful = enumerate(read)
        for token in typed:
            if token in stop_words:
                yield -1, {token: 1.0}
            else:
                yield from islice(useful, len(self._split_compounds([token])))

    def _split_compounds(self, useful: Iterable[str]) -> list[str]:
        """Split words that are known only as two: a reader joins what the book separates."""
        parts: list[str] = []
        for token in useful:
            is_known = token in self._known or stem(token) in self._known or self._spelling_corrections(token)
            cuts = range(FEWEST_PART_LETTERS, len(token) - FEWEST_PART_LETTERS + 1)
            for cut in () if is_known else cuts:
                if token[:cut] in self._known and token[cut:] in self._known:
                    parts += [token[:cut], token[cut:]]
                    break
            else:
                parts.append(token)
        return parts

    def _readings(self, token: str, *, last: bool) -> Iterator[tuple[str, float]]:
        """Return the readings of a word: its own stem, longer ones while it is typed, those of similar words."""
        word_stem = stem(token)
        if word_stem in self.postings or word_stem in self._synonym_stems:
            yield word_stem, 1.0
            return
        may_be_longer = last and len(token) > 1
        longer = sorted(indexed for indexed in self.postings if may_be_longer and indexed.startswith(token))
        if longer:
            yield from dict.fromkeys(longer, CONSTANTS.prefix).items()
        else:
            share = CONSTANTS.misspelled if len(token) > EXACT_LETTERS else CONSTANTS.misspelled_short
            yield from dict.fromkeys(sorted(self._spelling_corrections(token)), share).items()

    def _spelling_corrections(self, token: str) -> set[str]:
        """Return the stems of the words that a word may be a misspelling of; none for a short word."""
        known = self.forms.items() if len(token) >= EXACT_LETTERS else ()
        return {word_stem for form, word_stem in known if is_misspelling(token, form)}

    def _phrases(
        self,
        row_index: int,
        subjects: set[str],
        query_stems: Sequence[str],
        senses: Sequence[Mapping[StemmedPhrase, float]],
        worths: Sequence[float],
    ) -> float:
        """Return the factor of a row with adjacent words of the query, or whose title is the whole query.

        A title may match by the words of the query or by synonyms of them. Adjacent words count by their share of all
        pairs of the query, so that two frequent words side by side decide no long question.
        """
        title, text = self.titles[row_index], self.texts[row_index]
        alternatives = [
            {word, *(sense[0] for sense in word_senses if len(sense) == 1)}
            for word, word_senses in zip(query_stems, senses, strict=True)
        ]
        factor = 1.0
        if len(title) == len(alternatives) and all(map(contains, alternatives, title)):
            factor = CONSTANTS.exact * (1 + CONSTANTS.subject * self._share_of_subjects(row_index, subjects))
        elif title and {*title} <= set().union(*alternatives):
            factor = CONSTANTS.titled
        adjacent = total = 0.0
        for (first, first_worth), (second, second_worth) in pairwise(zip(query_stems, worths, strict=True)):
            total += first_worth + second_worth
            if f" {first} {second} " in text:
                adjacent += first_worth + second_worth
        return factor * (1 + CONSTANTS.phrase * (adjacent / total if adjacent else 0.0))

    def _share_of_subjects(self, row_index: int, subjects: set[str]) -> float:
        """Return the share of the words for who acts, in a query and a title, that are in both; 0 without any."""
        title_subjects = {*split_tokens(self.rows[row_index].title)} & SUBJECT_WORDS
        every = title_subjects | subjects
        return len(title_subjects & subjects) / len(every) if every else 0.0

    def _numbers(self, query: str) -> list[str]:
        """Return the numbers of the book in a query, as the book writes them, in lower case."""
        text = _plain(query)
        named = [number if number in self._numbered else number.split()[0] for number in _NUMBER.findall(text)]
        return [number for number in dict.fromkeys([text, *named]) if number in self._numbered]

    def _identified_rows(self, query: str) -> Iterator[tuple[int, int]]:
        """Return the rows that a query identifies: by a number, a label, an item of a source or the end of one."""
        numbers = self._numbers(query)
        name = re.sub(r"\s+", "-", fold_letters(query).strip())
        item = re.sub(r"[\s.]+", ".", fold_letters(query).strip())
        item_end = f".{item}" if re.search(r"\.\d+$", item) else "no end of an item"
        for row_index, row in enumerate(self.rows):
            anchor = fold_letters(row.address.partition("#")[2])
            if row.number and fold_letters(row.number) in numbers:
                yield row_index, 4
            elif row.sort == SOURCE and (anchor == item or anchor.endswith(item_end)):
                yield row_index, 3
            elif anchor == name and "-" in name:
                yield row_index, 2


def _plain(query: str) -> str:
    """Return a query in lower case with single blanks."""
    return " ".join(fold_letters(query).split())


def _short(form: tuple[str, str]) -> tuple[int, str]:
    """Return the sort key of a word form: its length."""
    return len(form[0]), form[0]
