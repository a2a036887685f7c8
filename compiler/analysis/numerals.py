"""Numbers in English sentences, as words and as figures."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

NUMERALS_IN_ORDER = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
)
NUMBER_OF_WORD = {word: Fraction(number) for number, word in enumerate(NUMERALS_IN_ORDER)} | {
    "twenty": Fraction(20), "thirty": Fraction(30), "double": Fraction(2), "doubled": Fraction(2), "twice": Fraction(2),
    "half": Fraction(2), "halved": Fraction(2), "third": Fraction(3), "quarter": Fraction(4),
}  # fmt: skip
# Odds and fractions, 1-4 and 1/2, are no numbers of things.
NUMBER = rf"(?:(?<![-/\d])\d+(?![-/\d])|{'|'.join(sorted(NUMBER_OF_WORD, key=len, reverse=True))})"
# Numbers that occur in prose without a count.
UNCOUNTED_NUMBERS = {Fraction(-1), Fraction(0), Fraction(1)}


def forms_of(value: Fraction) -> Iterator[Fraction]:
    """Yield the numbers by which a sentence may express a value.

    A loss has its number without the sign, a share its divisor, two thirds both numbers.
    """
    yield from (-value, 1 / value, -1 / value)
    if value.denominator > 1:
        yield from (Fraction(abs(value.numerator)), Fraction(value.denominator), Fraction(floor(abs(value))))
    yield value


def numeral_value(word: str) -> Fraction:
    """Return the number that a word or figure denotes."""
    return NUMBER_OF_WORD[word] if word in NUMBER_OF_WORD else Fraction(word)
