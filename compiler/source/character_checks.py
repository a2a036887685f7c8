"""Check the characters of texts and names.

The input is texts and names as written; the output is invisible characters, letters of other scripts that resemble
those around them and, for a name or title, characters that no name may contain. A reader of a name has to see what is
compiled: two names that look equal are equal, and no name is markup where it is displayed.
"""

import re
import unicodedata
from collections.abc import Iterator

from runtime.graph.frozen_dataclass import frozen_dataclass

# Control characters could command a terminal, bidirectional and invisible ones could display another text than is
# compiled, and line separators would make an editor count lines differently.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\ufffe\uffff"
    "\U000e0000-\U000e0fff]+"
)
# Letters of other scripts that look like a Latin letter.
_LIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјорсухһԁԛԝёїΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιαυԱՏՕՈսոօհՍⅠⅤⅩⅬⅭⅮⅯⅰⅴⅹⅼⅽⅾⅿ",
        "ABESIJKMHOPCTYXYGQWaesijopcyxhdqweiABEZHIKMNOPTYXoviavUSOnunohUIVXLCDMivxlcdm",
        strict=True,
    )
)
_FOREIGN_WORD = re.compile(r"\w*[^\W\x00-\x7f]\w*")
_LATIN = re.compile(r"[A-Za-z]")
# A tag of a web page or of a console, as `<b>`, `[/red]`, `![x](y)`; `<1`, `a/b` and `[PB 6.3]` are not tags.
_TAG = re.compile(r"</?[A-Za-z!?][^<>\n]*>?|\[/?[a-z#@][^\[\]\n]*\]|\]\(|`|&[#A-Za-z]\w*;|\\")
_TAG_IN_TEXT = re.compile(r"</?[A-Za-z!?][^<>\n]*>")


@frozen_dataclass
class CharacterProblem:
    """A character that a name or text must not contain, with its offset.

    `category` is "like", "letter", "accent" or "markup"; `letter` is the letter that it resembles, "" otherwise.
    """

    start: int
    sign: str
    category: str
    letter: str = ""


def lookalike_letters(text: str) -> Iterator[CharacterProblem]:
    """Return letters of other scripts that resemble a Latin one and occur among Latin letters, one for each word."""
    if text.isascii():
        return
    for found in _FOREIGN_WORD.finditer(text):
        if _LATIN.search(found.group()):
            for offset, letter in enumerate(found.group(), found.start()):
                if like := _like(letter):
                    yield CharacterProblem(offset, letter, "like", like)
                    break


def _like(letter: str) -> str:
    """Return the Latin letter that another letter resembles, "" if there is none."""
    if letter.isascii() or not letter.isalpha():
        return ""
    plain = unicodedata.normalize("NFKC", letter)
    styled = plain != letter and len(plain) == 1 and plain.isascii() and plain.isalpha() and letter not in "ªº"
    return _LIKE.get(letter, plain if styled else "")


def latin_lookalike(name: str) -> str:
    """Return a name with letters of other scripts replaced by the Latin letters that they resemble."""
    return "".join(_like(letter) or letter for letter in name)


def name_problem(name: str) -> CharacterProblem | None:
    """Return what no name may contain: tags, letters that are not Latin, combining accents.

    None if there is nothing.
    """
    tag = _TAG.search(name)
    if tag:
        return CharacterProblem(tag.start(), tag.group(), "markup")
    if name.isascii():
        return None
    return next((problem for offset, letter in enumerate(name) if (problem := _odd_letter(offset, letter))), None)


def _odd_letter(offset: int, letter: str) -> CharacterProblem | None:
    if letter.isascii():
        return None
    if like := _like(letter):
        return CharacterProblem(offset, letter, "like", like)
    if unicodedata.category(letter).startswith("M"):
        return CharacterProblem(offset, letter, "accent")
    if letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN"):
        return CharacterProblem(offset, letter, "letter")
    return None


def tag_in(text: str) -> CharacterProblem | None:
    """Return the markup tag in a text or title; None if there is none."""
    found = _TAG_IN_TEXT.search(text) if "<" in text else None
    return CharacterProblem(found.start(), found.group(), "markup") if found else None
