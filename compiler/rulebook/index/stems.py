"""Split a text into words and reduce words to their stems, for the index of the book and for queries.

The stems are those of Porter's second algorithm for English (snowballstemmer); irregular forms, which do not share
their letters, are listed.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path

import snowballstemmer

# Words without a topic.
STOP_WORDS = frozenset(
    "a about actually again all allowed also am an and any anybody anyone are as at be because been both by can could "
    "did do does doing done during each ever every for from get gets guy guys had happen happened happens has have he "
    "her him his how i if in into is it its just made make may me must my no not of on one only or our per possible "
    "really same should sit sits sitting so some somebody someone still such than that the their them then there they "
    "this thru to too us versus very vs was we were what when where whether which while who will with would you "
    "your "
    # Contractions, of which splitting drops the apostrophe.
    "arent cant couldnt didnt doesnt dont hasnt havent hes hows im isnt ive lets shes shouldnt thats theres theyre "
    "theyve wasnt werent whats wheres whos wont wouldnt youre youve".split()
)
# Those for who acts: who sees is not what I see.
SUBJECT_WORDS = frozenset("anybody anyone guy guys he i one she somebody someone they we who you".split())
# Irregular forms of words, a line each: the word, and its forms.
IRREGULAR = {
    form: word.rstrip(":")
    for word, *forms in map(
        str.split,
        (Path(__file__).parents[1] / "templates" / "irregular_forms.txt").read_text(encoding="utf-8").splitlines(),
    )
    for form in forms
}
# Numbers of cases and items of sources are single words, 4.23a and q.hay.04.
_TOKEN = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+|[a-z0-9]+")
# Two numbers in opposition: 7 to 2, 7:2; 7-2 if nothing else is in the query.
_RATIO = re.compile(r"\b\d+ ?(?:to|against|vs|:) ?\d+\b|^\s*\d+ ?- ?\d+\s*$")
# The plural of an abbreviation, which has no vowel: HMGs.
_ABBREVIATIONS = re.compile(r"[^aeiouy\W\d_]{2,}s")
_STEMMER = snowballstemmer.stemmer("english")


def fold_letters(text: str) -> str:
    """Convert a text to lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))


def split_tokens(text: str) -> list[str]:
    """Split a text into words; designations are one word with a hyphen or without: T-34."""
    plain = re.sub(r"['’]", "", fold_letters(text))
    return _TOKEN.findall(re.sub(r"\b([a-z]{1,4})-(?=\d)", r"\1", plain))


def query_words(query: str) -> list[str]:
    """Split a query into words; two numbers in opposition are a ratio, whichever they are."""
    return split_tokens(_RATIO.sub("ratio", fold_letters(query)))


def unindexed_words(query: str) -> list[str]:
    """Return the words of a query in scripts that are not indexed."""
    return [word for word in re.findall(r"[^\W_]+", fold_letters(query)) if not word.isascii()]


@cache
def stem(token: str) -> str:
    """Return the common stem of the forms of a word."""
    word = IRREGULAR.get(token, token)
    if any(each.isdigit() for each in word):
        return re.sub(r"(?<=\d)s$", "", word)  # the plural of a designation: T-34s
    if _ABBREVIATIONS.fullmatch(word):
        return word[:-1]
    return str(_STEMMER.stemWord(word))


def stems(text: str) -> list[str]:
    """Return the stems of a text in their order, without stop words."""
    return [stem(token) for token in split_tokens(text) if token not in STOP_WORDS]


def phrase_stems(phrase: str) -> list[str]:
    """Return the stems of a search phrase; its stop words stay if one word would be left without them.

    While moving is not every move, and the same target is not every target.
    """
    plain = stems(phrase)
    return (
        plain if len(plain) > 1 else [token if token in STOP_WORDS else stem(token) for token in split_tokens(phrase)]
    )


def singular(word: str) -> str:
    """Return the singular of a word, so that one entry serves both."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
