"""Sentences for characters that a text or a name must not contain."""

import unicodedata

from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence
from compiler.report.words.parties import truncated_line
from compiler.source.problems import BadCharacter, OddSign
from compiler.source.scanner import TYPOGRAPHIC

# Signs that are not part of the language, with advice.
FOREIGN = {
    **{sign: f"write `{word}`" for sign, word in {"&&": "and", "||": "or", "!": "not"}.items()},
    "&": "write `and`; the members that two sets share are `{x in A where x in B}`",
    ";": "delete it: a line needs no end",
    "%": "write a fraction: half of it is `1/2 * ..`",
    "->": "write `:`",
    "?": "write `if CONDITION then A else B`",
}


def bad_character(problem: BadCharacter) -> Sentence:
    """Return the sentence for a sign without a meaning, with a replacement."""
    match problem:
        case BadCharacter(span, text) if advice := FOREIGN.get(text):
            return Sentence(f"`{text}` is no sign of the language", (Label(span, "not here"),), advice)
        case BadCharacter(span, text) if straight := TYPOGRAPHIC.get(text):
            advice = f"write `{straight}`; word processors put the others in its place"
            return Sentence(f"`{text}` is a typographic quote", (Label(span, "only straight quotes are read"),), advice)
        case BadCharacter(span, text):
            advice = "names are written in the letters a to z, digits and `_`; prose stands in double quotes"
            return Sentence(f"`{text}` means nothing here", (Label(span, "not part of the language"),), advice)


def character_sentence(problem: OddSign) -> Sentence:
    """Return the sentence for a character that would deceive a reader."""
    span, sign = problem.span, problem.sign
    called = f"U+{ord(sign):04X}, {unicodedata.name(sign, 'a sign').lower()}" if len(sign) == 1 else ""
    match problem.category:
        case "like":
            message = f"`{sign}` ({called}) looks like `{problem.letter}`, and is another letter"
            advice = f"write the Latin letter `{problem.letter}`"
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
