"""Rank the places of a book by a query: BM25F over weighted fields, with what stands together as one place.

In: the rows of the index and pairs of synonyms. Out: a `SearchIndex`, which finds places. The site searches with the
same postings and constants (`templates/search.js`), and a test compares the two. Robertson, Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond" (2009), has the weights by field and the saturation.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.misspellings import SHORT, is_misspelling, is_one_edit_apart
from compiler.rulebook.index.stems import (
    IRREGULAR,
    STOP_WORDS,
    fold_letters,
    phrase_stems,
    query_words,
    split_tokens,
    stem,
    stems,
    unindexed_words,
)

# What a word weighs by where it stands, and how much a longer field dilutes it.
FIELDS = {"title": 4.5, "words": 2.2, "headings": 0.8, "around": 0.9, "logic": 0.25}
DILUTION = 0.4
MEANT = 3  # Words that are told of those for which a word may stand.
OWN = 2  # Rows of a place that come before other places of its section.
PART = 3  # Letters that each part of a word that is taken apart has at least.
SOURCE = "Source"  # The sort of rows for items of sources; one that says something says that it is not in the book.
UNIT = 100  # Weights are kept as integers: this many to one, so that every reader computes with the same numbers.


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants that tune the ranking; the site reads the same record."""

    saturation: float = 4.0  # how soon it no longer counts that a word comes again
    coverage: float = 1.0  # the exponent of the share of the query that a row covers
    lent: float = 0.6  # what counts of a word that only others at the same place say
    together: float = 0.3  # what a place gains by its second and third row
    phrase: float = 1.4  # two words of the query side by side
    nearby: float = 1.0  # two words of the query within `window` letters
    window: int = 40
    titled: float = 1.25  # the query says the whole title, and more
    exact: float = 1.8  # the query is the title
    synonym: float = 0.8
    prefix: float = 0.6  # a longer word, while the last one is being typed
    misspelled: float = 0.8
    misspelled_short: float = 0.4  # a word of few letters is more often another than a misspelled one
    candidates: int = 120  # rows of which phrases are looked at
    least: float = 0.12  # places that score less than this share of the best are left out
    sorts: Mapping[str, float] = field(
        default_factory=lambda: {
            "Case": 0.6,
            "Ruling": 1.1,
            "Rule": 1.1,
            "Index": 1.1,
            "Chart": 1.1,
            "Action": 0.6,
            "Resolution": 0.7,
            "Sequence": 1.1,
            "Dispute": 1.2,
            "Example": 0.35,
            "Question": 0.5,
            "Word": 0.35,
            "Definition": 0.5,
            "Counter": 0.8,
            "Source": 0.5,
            "Hook": 0.5,
        }
    )


CONSTANTS = Constants()
# A number of a rule or a ruling within a query: 8.33, 4.2-10a, 8.33 Q2.
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)+(?:-\d+)?[a-z]?(?: q\d+)?(?![\w.-])")


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a query leads to: the row at its head, and the rows that were found there and in its section."""

    head: IndexRow
    rows: tuple[IndexRow, ...]
    score: float


class SearchIndex:
    """Postings of the rows of one book."""

    def __init__(self, rows: Sequence[IndexRow], synonyms: Iterable[tuple[str, str]]) -> None:
        self.rows = tuple(row for row in rows if row.address)
        synonyms = tuple(synonyms)
        self.synonyms = tuple(
            pair for pair in ((tuple(phrase_stems(one)), tuple(stems(meant))) for one, meant in synonyms) if all(pair)
        )
        self._numbered = {fold_letters(row.number) for row in self.rows if row.number}
        self.heads = {row.address: at for at, row in reversed([*enumerate(self.rows)])}
        self.postings, written = _postings(self.rows)
        led = (token for one, _ in synonyms for token in split_tokens(one))
        # Every word as it is written, with its stem: what a slip is held against.
        self.forms = {token: stem(token) for token in sorted({*written, *led, *IRREGULAR})}
        self._led_from = {each for stems_, _ in self.synonyms for each in stems_}
        self._known = {each: each for each in (*self.postings, *self._led_from)} | self.forms
        self._shown = {each: form for form, each in sorted(self.forms.items(), key=_short, reverse=True)}
        self.titles = [stems(row.title) for row in self.rows]
        self._texts = [
            f" {' '.join(title)} | {' '.join(stems(row.words))} "
            for title, row in zip(self.titles, self.rows, strict=True)
        ]

    def find(self, query: str) -> list[Place]:
        """Return the places that a query leads to, the best first; none if no word of it is in the book."""
        scores = self._scores(query)
        outright = dict(self._outright(query))
        lifted = {at: 100.0 * rank for at, rank in outright.items()}
        return self._places({at: scores.get(at, 0) + lifted.get(at, 0) for at in {**scores, **lifted}}, lifted)

    def unknown_words(self, query: str) -> list[str]:
        """Return the words of a query that nothing in the book says, and that stand for nothing in it."""
        named = {part for number in self._numbers(query) for part in number.split()}
        lacking = [word for word, one in self._read(query) if not one and word not in named]
        return list(dict.fromkeys([*lacking, *unindexed_words(query)]))

    def read_as(self, query: str) -> dict[str, tuple[str, ...]]:
        """Return the words of a query that the book does not say, each with the words for which it is taken.

        Those that are taken for a longer one, which is still being typed, or that are written apart, are left out.
        """
        found: dict[str, tuple[str, ...]] = {}
        for word, one in self._read(query):
            most = max(one.values(), default=1.0)
            meant = [each for each in one if one[each] == most]
            if stem(word) not in self.postings and most not in (1.0, CONSTANTS.prefix):
                shown = (" ".join(self._shown.get(each, each) for each in said) for said in meant)
                found[word] = tuple(dict.fromkeys(shown))[:MEANT]
        return found

    def suggested_words(self, query: str) -> dict[str, tuple[str, ...]]:
        """Return the words of a query that stand for nothing in the book, each with words of it that look alike.

        They are no slips, or not surely, and are only proposed.
        """
        alike = (
            (
                word,
                (
                    form
                    for form, own in sorted(self._known.items())
                    if own.isalpha() and own in self.postings and is_one_edit_apart(word, form)
                ),
            )
            for word in self.unknown_words(query)
            if len(word) >= SHORT
        )
        found = {word: tuple(forms)[:MEANT] for word, forms in alike}
        return {word: forms for word, forms in found.items() if forms}

    def unanswered_words(self, query: str) -> list[str]:
        """Return the words of a query that nothing in the book answers, even if they are taken for others in it."""
        read = ((word, stem(word), one) for word, one in self._read(query))
        return [word for word, own, one in read if not self.has_word(own) and (not one or own not in self._led_from)]

    def has_word(self, own: str) -> bool:
        """Return whether anything says a word but items of sources that are not in the book."""
        return any(self.rows[at].sort != SOURCE or not self.rows[at].words for at in self.postings.get(own, ()))

    def stems_of(self, query: str) -> set[str]:
        """Return the stems of a query as they are typed, and as words with a slip in them are read."""
        said = {stem(token) for token in query_words(query) if token not in STOP_WORDS}
        return said.union(self._senses(query)[0]) if said else said

    def _read(self, query: str) -> Iterator[tuple[str, Mapping[tuple[str, ...], float]]]:
        """Yield the useful words of a query, each with what it may stand for."""
        typed = self._parted(token for token in query_words(query) if token not in STOP_WORDS)
        if typed:
            yield from zip(typed, self._senses(query)[1], strict=True)

    def _scores(self, query: str) -> dict[int, float]:
        """Score every row that says a word of the query."""
        spoken, senses = self._senses(query)
        meant = [self._meant(one) for one in senses]
        whole = sum(most for most, _ in meant)
        sums: dict[int, float] = defaultdict(float)
        covered: dict[int, float] = defaultdict(float)
        beside: dict[str, float] = defaultdict(float)
        for _, found in meant:
            there: dict[str, float] = defaultdict(float)
            for at, (gain, worth) in found.items():
                sums[at] += gain
                covered[at] += worth
                there[self._place(at)] = max(worth, there[self._place(at)])
            for place, worth in there.items():
                beside[place] += worth
        scores: dict[int, float] = {}
        for at, gain in sums.items():
            share = covered[at] + CONSTANTS.lent * max(0.0, beside[self._place(at)] - covered[at])
            sort = CONSTANTS.sorts.get(self.rows[at].sort, 1.0)
            scores[at] = gain * min(1.0, share / whole) ** CONSTANTS.coverage * sort
        for at in sorted(scores, key=lambda at: (-scores[at], at))[: CONSTANTS.candidates]:
            scores[at] *= self._phrases(at, spoken, senses)
        return scores

    def _meant(self, senses: Mapping[tuple[str, ...], float]) -> tuple[float, dict[int, tuple[float, float]]]:
        """Return what a word of the query weighs, and for every row that says it, or a synonym, its gain and its share.

        A word and its synonyms are one: its weight is the rarity of them all, so that a row that says the frequent
        one answers the query as well as a row that says the rare one.
        """
        found = {each: self._rows_with(each) for each in senses}
        worth = self._rarity(len({at for rows in found.values() for at in rows}))
        best: dict[int, tuple[float, float]] = {}
        for each, share in senses.items():
            rarity = self._rarity(len(found[each]))
            for at, weight in found[each].items():
                gain = share * rarity * weight / (weight + UNIT * CONSTANTS.saturation)
                more, most = best.get(at, (0.0, 0.0))
                best[at] = (max(gain, more), max(share * worth, most))
        return worth * max(senses.values(), default=0.0), best

    def _rows_with(self, words: tuple[str, ...]) -> Mapping[int, int]:
        """Return the rows that say all of some stems, each with the least of their weights."""
        first, *rest = (self.postings.get(each, {}) for each in words)
        if not rest:
            return first
        return {
            at: min(weight, *(one[at] for one in rest))
            for at, weight in first.items()
            if all(at in one for one in rest)
        }

    def _places(self, scores: Mapping[int, float], lifted: Mapping[int, float]) -> list[Place]:
        """Put what stands together into one place; what a query names outright hides nothing that also answers it."""
        together: dict[str, list[int]] = defaultdict(list)
        for at in sorted(scores, key=lambda at: (-scores[at], at)):
            together[self._place(at)].append(at)
        places = []
        most = 0.0
        for address, found in together.items():
            score, lift = (
                each.get(found[0], 0.0) + CONSTANTS.together * sum(each.get(at, 0.0) for at in found[1:3])
                for each in (scores, lifted)
            )
            most = max(most, score - lift)
            head = self.rows[self.heads.get(address, found[0])]
            # An entry of the index is there for what it leads to.
            rows = dict.fromkeys(self.heads.get(self.rows[at].address, at) for at in found)
            places.append(Place(head, tuple(self.rows[at] for at in rows), score))
        places.sort(key=lambda place: (-place.score, self.heads.get(place.head.address, 0)))
        return _by_section([place for place in places if place.score >= most * CONSTANTS.least])

    def _place(self, at: int) -> str:
        """Return the address of the head of what a row stands with."""
        return self.rows[at].beside or self.rows[at].address

    def _rarity(self, rows: int) -> float:
        """Weigh a word by how few rows have it; one that no row has weighs nothing."""
        return math.log(1 + (len(self.rows) - rows + 0.5) / (rows + 0.5)) if rows else 0.0

    def _senses(self, query: str) -> tuple[list[str], list[dict[tuple[str, ...], float]]]:
        """Return the stems of a query, and what each may stand for, with the share that this counts."""
        typed = query_words(query)
        plain = [token for token in typed if token not in STOP_WORDS]
        useful = self._parted(plain or typed)
        read = [dict(self._readings(token, last=at == len(useful))) for at, token in enumerate(useful, 1)]
        spoken = [next(iter(one), stem(token)) for one, token in zip(read, useful, strict=True)]
        senses: list[dict[tuple[str, ...], float]] = [{(each,): share for each, share in one.items()} for one in read]
        heard = [*enumerate(read)]
        every = [*self._heard(typed, read)] if plain else heard
        for phrase, meant in self.synonyms:
            among = heard if STOP_WORDS.isdisjoint(phrase) else every
            for at in range(len(among) - len(phrase) + 1):
                there = among[at : at + len(phrase)]
                # A word with a slip in it stands for what the word that was meant stands for.
                if share := min(one.get(each, 0.0) for each, (_, one) in zip(phrase, there, strict=True)):
                    for step in (step for step, _ in there if step >= 0):
                        senses[step][meant] = max(share * CONSTANTS.synonym, senses[step].get(meant, 0.0))
        for at, pair in enumerate(pairwise(useful)):
            if (whole := self._known.get("".join(pair), "")) in self.postings:
                for step in (at, at + 1):
                    senses[step][whole,] = 1.0
        return spoken, [{each: share for each, share in one.items() if self._rows_with(each)} for one in senses]

    def _heard(
        self, typed: Iterable[str], read: Iterable[Mapping[str, float]]
    ) -> Iterator[tuple[int, Mapping[str, float]]]:
        """Yield the words of a query: the place of each among the useful ones, -1 for a stop word, and its readings."""
        useful = enumerate(read)
        for token in typed:
            if token in STOP_WORDS:
                yield -1, {token: 1.0}
            else:
                yield from islice(useful, len(self._parted([token])))

    def _parted(self, useful: Iterable[str]) -> list[str]:
        """Take words apart that are known only as two: a reader joins what the book writes apart."""
        found: list[str] = []
        for token in useful:
            known = token in self._known or stem(token) in self._known
            cuts = () if known or self._slips(token) else range(PART, len(token) - PART + 1)
            cut = next((at for at in cuts if token[:at] in self._known and token[at:] in self._known), len(token))
            found += [part for part in (token[:cut], token[cut:]) if part]
        return found

    def _readings(self, token: str, *, last: bool) -> Iterator[tuple[str, float]]:
        """Yield the stems that a word may stand for: its own, longer ones while it is typed, those a slip away."""
        own = stem(token)
        if own in self.postings or own in self._led_from:
            yield own, 1.0
        elif last and len(token) > 1 and (longer := sorted(each for each in self.postings if each.startswith(token))):
            yield from ((each, CONSTANTS.prefix) for each in longer)
        else:
            share = CONSTANTS.misspelled if len(token) > SHORT else CONSTANTS.misspelled_short
            yield from dict.fromkeys(sorted(self._slips(token)), share).items()

    def _slips(self, token: str) -> set[str]:
        """Return the stems of the words that a word is a slip away from; of one with few letters there are none."""
        known = self._known.items() if len(token) >= SHORT else ()
        return {meant for form, meant in known if is_misspelling(token, form)}

    def _phrases(self, at: int, spoken: Sequence[str], senses: Sequence[Mapping[tuple[str, ...], float]]) -> float:
        """Weigh up a row that says words of the query side by side, or whose title the query says whole.

        A title is said in the words of the query or in synonyms of them.
        """
        title, text = self.titles[at], self._texts[at]
        said = [{word, *(each for (each, *more) in one if not more)} for word, one in zip(spoken, senses, strict=True)]
        whole = len(title) == len(said) and all(each in one for each, one in zip(title, said, strict=True))
        factor = CONSTANTS.exact if whole else CONSTANTS.titled if title and {*title} <= set().union(*said) else 1.0
        for one, two in pairwise(spoken):
            first, second = text.find(f" {one} "), text.find(f" {two} ")
            if f" {one} {two} " in text:
                factor *= CONSTANTS.phrase
            elif first >= 0 and second >= 0 and abs(first - second) < CONSTANTS.window:
                factor *= CONSTANTS.nearby
        return factor

    def _numbers(self, query: str) -> list[str]:
        """Return the numbers of the book that a query names, written as the book writes them, in small letters."""
        whole = " ".join(fold_letters(query).split())
        named = [each if each in self._numbered else each.split()[0] for each in _NUMBER.findall(whole)]
        return [each for each in dict.fromkeys([whole, *named]) if each in self._numbered]

    def _outright(self, query: str) -> Iterator[tuple[int, int]]:
        """Yield the rows that a query names: a number, a label, an item of a source or the end of one."""
        numbers = self._numbers(query)
        name = re.sub(r"\s+", "-", fold_letters(query).strip())
        item = re.sub(r"[\s.]+", ".", fold_letters(query).strip())
        for at, row in enumerate(self.rows):
            anchor = fold_letters(row.address.partition("#")[2])
            if row.number and fold_letters(row.number) in numbers:
                yield at, 4
            elif row.sort == SOURCE and (
                anchor == item or (re.search(r"\.\d+$", item) and anchor.endswith(f".{item}"))
            ):
                yield at, 3
            elif anchor == name and "-" in name:
                yield at, 2


def _by_section(places: Iterable[Place]) -> list[Place]:
    """Put the places under one heading where the best of them is, so that the next result is about something else."""
    sections: dict[str, list[Place]] = {}
    for place in places:
        sections.setdefault(place.head.section or place.head.address, []).append(place)
    found = []
    for best, *others in sections.values():
        heads = (other.head for other in others)
        rows = dict.fromkeys((*best.rows[:OWN], *heads, *best.rows))
        found.append(replace(best, rows=tuple(rows)))
    return found


def _postings(rows: Sequence[IndexRow]) -> tuple[dict[str, dict[int, int]], set[str]]:
    """Weigh every stem of every row, `UNIT` to one, and gather all words in the forms in which they are written."""
    written = [[split_tokens(getattr(row, each)) for each in FIELDS] for row in rows]
    texts = [[[stem(one) for one in text if one not in STOP_WORDS] for text in row] for row in written]
    usual = [max(1.0, sum(len(text[at]) for text in texts) / max(1, len(texts))) for at in range(len(FIELDS))]
    found: dict[str, dict[int, int]] = {}
    for place, text in enumerate(texts):
        weights: dict[str, float] = defaultdict(float)
        for at, (each, weight) in enumerate(zip(text, FIELDS.values(), strict=True)):
            share = weight / (1 - DILUTION + DILUTION * len(each) / usual[at])
            for one in each:
                weights[one] += share
        for one, sum_ in weights.items():
            found.setdefault(one, {})[place] = max(1, round(UNIT * sum_))
    return found, {one for row in written for text in row for one in text}


def _short(form: tuple[str, str]) -> tuple[int, str]:
    """Sort a word that is written somewhere, with its stem, by its length."""
    return len(form[0]), form[0]
