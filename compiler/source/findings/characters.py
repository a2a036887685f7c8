"""Signs without a meaning, and signs that would deceive a reader."""

import unicodedata

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Sentence, truncated_line

ENDS = {'"': '"', "'": "'", "[": "]", "{": "}"}

_CLOSING = {'"': "text", "'": "quoted name", "[": "list of citations", "{": "block"}

# Signs that are not part of the language, with advice.
FOREIGN = {
    **{sign: f"write `{word}`" for sign, word in {"&&": "and", "||": "or", "!": "not"}.items()},
    "&": "write `and`; the members that two sets share are `{x in A where x in B}`",
    ";": "delete it: a line needs no end",
    "%": "write a fraction: half of it is `1/2 * ..`",
    "->": "write `:`",
    "?": "write `if CONDITION then A else B`",
}

# Quotes as word processors insert them, and the straight ones that they represent.
TYPOGRAPHIC = {
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'"),
}


@finding("R0103", "bad-character")
class BadCharacter(LocatedFinding):
    """Characters without a meaning outside a text: `§`, curly quotes, accented letters in a name."""

    text: str

    def sentence(self) -> Sentence:
        if advice := FOREIGN.get(self.text):
            return self.sentence_here(f"`{self.text}` is not a sign of the language", "unknown", advice)
        if straight := TYPOGRAPHIC.get(self.text):
            message = f"`{self.text}` is a typographic quote, which is not a sign of the language"
            return self.sentence_here(
                message, "perhaps changed by a word processor", f"write the straight quote `{straight}`"
            )
        advice = "write names with the letters a to z, digits and `_`, and put other texts in double quotes"
        return self.sentence_here(f"`{self.text}` is not a sign of the language", "unknown", advice)


@finding("R0104", "unprintable")
class Unprintable(LocatedFinding):
    """A control character, a reordering mark or a line separator, which would display another text than is read.

    `number` is that of Unicode, as in U+202E.
    """

    number: int

    def sentence(self) -> Sentence:
        message = f"there is an invisible character here, U+{self.number:04X}"
        return self.sentence_here(message, "readers would not see it", "delete it")


@finding("R0108", "odd-sign")
class OddSign(LocatedFinding):
    """A character that no name may contain, and titles and texts only where it does not deceive a reader.

    `category`: "like" (drawn as the Latin letter `letter`), "letter" (of another script), "accent" (apart from its
    letter), "markup" (a tag, which some page or screen would interpret).
    """

    sign: str
    category: str
    letter: str

    def sentence(self) -> Sentence:
        sign = self.sign
        called = f"U+{ord(sign):04X}, {unicodedata.name(sign, 'a sign').lower()}" if len(sign) == 1 else ""
        match self.category:
            case "like":
                message = f"`{sign}` ({called}) looks like `{self.letter}` but is a different letter"
                advice = f"write the Latin letter `{self.letter}`"
                return self.sentence_here(message, "readers would not see the difference", advice)
            case "markup":
                message = f"`{truncated_line(sign)}` is markup, which names, titles and texts cannot contain"
                return self.sentence_here(message, "a browser would not show it as text", "write it in words")
            case "accent":
                message = f"this accent ({called}) is separate from its letter"
                advice = "write the letter and its accent as one character, or leave out the accent"
                return self.sentence_here(message, "two names that look the same would differ", advice)
            case _:
                message = f"`{sign}` ({called}) is not a letter that a name can contain"
                advice = "write the name in Latin letters"
                return self.sentence_here(message, "only titles and texts may contain it", advice)


@finding("R0102", "unterminated-text")
class UnterminatedText(LocatedFinding):
    """A text, a quoted name or a list of citations that is not closed in its line.

    `opening` is the sign that opens it.
    """

    opening: str

    def sentence(self) -> Sentence:
        kind = _CLOSING.get(self.opening, "text")
        message = f"this {kind} is not closed on its line"
        advice = f"close it with `{ENDS.get(self.opening, self.opening)}`"
        return self.sentence_here(message, f"opened with `{self.opening}`", advice)
