"""Words that are the contrary of one another, and texts that say contrary things of the same.

In: two texts. Out: a word, or a number, with what it is said of, and its contrary with the same in the other text:
"before the attack" and "after the attack", "three units" and "four units". A text that says both says nothing here.
Texts are English; words are compared by their stems.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from compiler.analysis.numerals import SMALL, WORDS, value_of
from compiler.analysis.section_profiles import COMMON, stem

PAIRS = (
    "before after, first last, always never, own enemy, friendly enemy, above below, more less, more fewer, most least,"
    " higher lower, begins ends, adds subtracts, inside outside, enter leave, enters leaves, both neither, all none,"
    " same other, near far, over under, shorter longer, up down"
)
CONTRARY: dict[str, set[str]] = defaultdict(set)
for _pair in PAIRS.split(","):
    _one, _other = _pair.split()
    CONTRARY[_one].add(_other)
    CONTRARY[_other].add(_one)
# Number words that count something, and are no measure of how often or how much.
COUNTS = WORDS.keys() - {"double", "doubled", "twice", "half", "halved", "third", "quarter"}
ARTICLES = {"the", "a", "an"}
TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*|\d+(?:[-/]\d+)?")
FIGURE = re.compile(r"\d+$")

# What is said of something: by the stem of that, the words themselves, each with the two as they are written.
Said = Mapping[str, Mapping[str, str]]


def contrary(one: str, other: str) -> tuple[str, str] | None:
    """Give what the first text says of something, and the contrary that the other says of it; None if there is none."""
    return next(_opposed(_words(one), _words(other)), None) or next(_counted(one, other), None)


def _opposed(one: Said, other: Said) -> Iterator[tuple[str, str]]:
    for of in one.keys() & other.keys():
        for word, written in one[of].items():
            for opposite in CONTRARY[word] & other[of].keys():
                if opposite not in one[of] and word not in other[of]:
                    yield written, other[of][opposite]


def _counted(one: str, other: str) -> Iterator[tuple[str, str]]:
    """List different numbers of the same, none of which the other text says of anything."""
    own, others = _numbers(one), _numbers(other)
    said, also = _all_numbers(one), _all_numbers(other)
    for of in own.keys() & others.keys():
        if also.isdisjoint(own[of]) and said.isdisjoint(others[of]):
            yield next(iter(own[of].values())), next(iter(others[of].values()))


def _all_numbers(text: str) -> set[str]:
    return {str(value_of(word)) for word in TOKEN.findall(text.lower()) if word in WORDS or FIGURE.match(word)}


def _words(text: str) -> Said:
    """List the words with a contrary, by the stem of the word behind them."""
    return _by_next(text, {word: word for word in CONTRARY})


def _numbers(text: str) -> Said:
    """List the numbers above one, by the stem of what they count."""
    figures = {word: word for word in TOKEN.findall(text.lower()) if FIGURE.match(word)}
    named = figures | {word: word for word in COUNTS}
    return _by_next(text, {word: str(value_of(word)) for word in named if value_of(word) not in SMALL})


def _by_next(text: str, meant: Mapping[str, str]) -> Said:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    tokens = [word for word in TOKEN.findall(text.lower().replace("_", " ")) if word not in ARTICLES]
    for word, of in pairwise(tokens):
        if word in meant and of[0].isalpha() and of not in COMMON and of not in CONTRARY and of not in WORDS:
            found[stem(of).removesuffix("e")][meant[word]] = f"{word} {of}"
    return found
