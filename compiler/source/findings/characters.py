"""Signs without a meaning, and signs that would deceive a reader."""

import unicodedata

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, truncated_line

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
            return self.sentence_here(f"`{self.text}` is no sign of the language", "not here", advice)
        if straight := TYPOGRAPHIC.get(self.text):
            advice = f"write `{straight}`; word processors put the others in its place"
            return self.sentence_here(f"`{self.text}` is a typographic quote", "only straight quotes are read", advice)
        advice = "names are written in the letters a to z, digits and `_`; prose stands in double quotes"
        return self.sentence_here(f"`{self.text}` means nothing here", "not part of the language", advice)


@finding("R0104", "unprintable")
class Unprintable(LocatedFinding):
    """A control character, a reordering mark or a line separator, which would display another text than is read.

    `number` is that of Unicode, as in U+202E.
    """

    number: int

    def sentence(self) -> Sentence:
        message = f"an invisible character (U+{self.number:04X}) stands here"
        return self.sentence_here(message, "a reader would see another text than is compiled", "delete it")


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
        span, sign = self.span, self.sign
        called = f"U+{ord(sign):04X}, {unicodedata.name(sign, 'a sign').lower()}" if len(sign) == 1 else ""
        match self.category:
            case "like":
                message = f"`{sign}` ({called}) looks like `{self.letter}`, and is another letter"
                advice = f"write the Latin letter `{self.letter}`"
                return Sentence(message, (Label(span, "a reader would take this for another name"),), advice)
            case "markup":
                message = f"`{truncated_line(sign)}` is markup, which no name, title or text may hold"
                advice = "write it in words"
                return Sentence(message, (Label(span, "some page or screen would take this for a command"),), advice)
            case "accent":
                message = f"an accent ({called}) stands apart from its letter"
                advice = "write the letter with its accent as one sign, or without it"
                return Sentence(message, (Label(span, "two names that look the same would differ"),), advice)
            case _:
                message = f"`{sign}` ({called}) is no letter of a name"
                advice = "write the name in Latin letters; titles and texts may be in any language"
                return Sentence(message, (Label(span, "names are written in Latin letters"),), advice)


@finding("R0102", "unterminated-text")
class UnterminatedText(LocatedFinding):
    """A text, a quoted name or a list of citations that is not closed in its line.

    `opening` is the sign that opens it.
    """

    opening: str

    def sentence(self) -> Sentence:
        kind = _CLOSING.get(self.opening, "text")
        message = f"this {kind} is not closed in its line"
        advice = f"end it with `{ENDS.get(self.opening, self.opening)}`"
        return self.sentence_here(message, f"opened with `{self.opening}`", advice)
