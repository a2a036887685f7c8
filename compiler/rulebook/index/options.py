"""Find layers that a stack lacks and could have, by the words of a query.

The input is such layers with their titles, phrases and sentences, the index of the book that lacks them, and a query;
the output is the layers about it. The site searches the same words (`templates/search.js`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import stem, stems

MOST_OPTIONS = 3  # options that are listed
HEADED = ("Case", "Rule", "Ruling", "Chart")  # Rows whose titles are subjects of the book itself.


@dataclass(frozen=True, slots=True)
class OptionLayer:
    """A layer that a stack lacks and could have; `phrases` are the index and search phrases of its contents."""

    name: str
    title: str
    phrases: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The stems by which an option is found: those of its title, of its phrases, and of words that only it contains."""

    name: str
    title: str
    title_stems: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    stems: tuple[str, ...]


def option_words(index: SearchIndex, options: Iterable[OptionLayer]) -> Iterator[OptionWords]:
    """Return the words of options that are not in the book: phrases that are no title in it, new words."""
    titles = _titles(index)
    for option in options:
        phrases = dict.fromkeys(tuple(sorted({*stems(phrase)})) for phrase in option.phrases)
        new = {token for sentence in option.sentences for token in stems(sentence)}
        yield OptionWords(
            option.name,
            option.title,
            tuple(sorted({*stems(option.title)})),
            tuple(each for each in phrases if each and not any(title.issuperset(each) for title in titles)),
            tuple(sorted(token for token in new if not index.has_word(token))),
        )


def options_about(index: SearchIndex, options: Sequence[OptionWords], query: str) -> list[OptionWords]:
    """Return the options about a query: first those with their title in it, then those with a phrase or word of it."""
    query_stems, missing = index.stems_of(query), {stem(word) for word in index.unanswered_words(query)}
    is_title = any(query_stems <= title for title in _titles(index))
    ranked = [(_rank(option, query_stems, missing, is_title=is_title), number) for number, option in enumerate(options)]
    return [
        options[number] for rank, number in sorted((-rank, number) for rank, number in ranked if rank)[:MOST_OPTIONS]
    ]


def _titles(index: SearchIndex) -> list[frozenset[str]]:
    """Return the stems of each title of the book itself."""
    return [frozenset(title) for row, title in zip(index.rows, index.titles, strict=True) if row.sort in HEADED]


def _rank(option: OptionWords, query_stems: set[str], missing: set[str], *, is_title: bool) -> int:
    """Compute the rank of an option for a query: by its title, by a phrase, by words that the book lacks.

    Some words of its title suffice where the book has no title with all words of the query.
    """
    titled = {*option.title_stems}
    if titled & query_stems and (titled <= query_stems or (query_stems <= titled and not is_title)):
        return 1000
    if any(query_stems.issuperset(phrase) for phrase in option.phrases):
        return 100
    return len(missing.intersection(option.stems))
