"""The register of numbers that the book has assigned, and the next free ones.

The input is the numbers that the layers of a graph register (`numbers:`), and those of layers that are not loaded; the
output is a `Register`, which numbers what is under one heading and explains missing numbers. A number stays valid as
long as its thing is under the same heading; new things get numbers that were never assigned, so that an insertion
renumbers nothing. Without registered numbers everything is numbered in its order.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count
from string import ascii_lowercase

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

LawKey = tuple[str, str]  # "case", "rule" or "ruling", and the label
NINE = 9


@frozen_dataclass
class Register:
    """A register: numbers by thing, and all numbers that were ever assigned, also to things that were removed."""

    numbers: dict[LawKey, str]
    assigned_numbers: frozenset[str]

    def part_labels(self, case: str) -> tuple[str, ...]:
        """Return the labels of the parts that a case had when it was numbered."""
        return tuple(label for kind, label in self.numbers if kind == "case" and re.fullmatch(rf"{case}-\d+", label))

    def number_level(self, above: str, point: str, author_numbers: Iterable[str]) -> "Level":
        """Return the level of numbers under a number: 4.2 and 4.21 to 4.29, then 4.2-10.

        `author_numbers` are numbers of authors.
        """
        digits = (f"{above}{point}{digit}" for digit in range(1, NINE + 1))
        more = (f"{above}-{digit}" for digit in count(NINE + 1))
        return Level(
            self, rf"{re.escape(above + point)}[1-9]|{re.escape(above)}-[1-9]\d+", digits, more, author_numbers
        )

    def exception_level(self, above: str) -> "Level":
        """Return the level of numbers of exceptions to a rule: 4.21a, 4.21b."""
        pairs = (first + second for first in ascii_lowercase for second in ascii_lowercase)
        first, second = (f"{above}{each}" for each in ascii_lowercase), (f"{above}{pair}" for pair in pairs)
        return Level(self, rf"{re.escape(above)}[a-z]{{1,2}}", first, second)

    def ruling_level(self, above: str) -> "Level":
        """Return the level of numbers of rulings beside a rule: 4.21 Q1, 4.21 Q2."""
        return Level(self, rf"{re.escape(above)} Q\d+", (), (f"{above} Q{number}" for number in count(1)))

    def section_level(self, author_numbers: Iterable[str]) -> "Level":
        """Return the level of numbers of sections, after those that authors assigned."""
        author_numbers = {*author_numbers}
        last = max(map(int, author_numbers), default=0)
        return Level(self, r"[1-9]\d*", (), (str(number) for number in count(last + 1)), author_numbers)


class Level:
    """Assigns the numbers of one level, each once."""

    def __init__(
        self,
        register: Register,
        form: str,
        first: Iterable[str],
        rest: Iterator[str],
        author_numbers: Iterable[str] = (),
    ) -> None:
        self.register = register
        self.pattern = re.compile(form)
        self.used = {*author_numbers}
        self.free_numbers = (number for part in (first, rest) for number in part)

    def assign_number(self, key: LawKey) -> str:
        """Return the registered number of a thing, else the next one that was never assigned."""
        return self.allot(self.register.numbers.get(key, ""))

    def allot(self, number: str) -> str:
        """Return `number` if it is of this level and unused here, else the next one that was never used."""
        if number in self.used or not self.pattern.fullmatch(number):
            number = next(
                each
                for each in self.free_numbers
                if each not in self.used and each not in self.register.assigned_numbers
            )
        self.used.add(number)
        return number


def number_register(book: graph.Graph) -> Register:
    """Build the register of a graph; the lowest layer that numbered a thing takes precedence."""
    numbers: dict[LawKey, str] = {}
    assigned_numbers = {case.number for case in book.cases.values() if case.number}
    for kind, label, number in (entry for layer in book.layers for entry in layer.numbers):
        assigned_numbers.add(number)
        if kind != "retired":
            numbers.setdefault((kind, label), number)
    return Register(numbers, frozenset(assigned_numbers))


def preceding_numbers(number: str) -> tuple[str, ...]:
    """Return the numbers before one on its level: for 4.23, 4.21 and 4.22; for 8.33 Q2, 8.33 Q1."""
    if found := re.fullmatch(r"(.* Q)(\d+)", number):
        return tuple(f"{found[1]}{before}" for before in range(1, int(found[2])))
    if found := re.fullmatch(r"(.*\d)([a-z]{1,2})", number):
        letters = [*ascii_lowercase, *(initial + two for initial in ascii_lowercase for two in ascii_lowercase)]
        return tuple(f"{found[1]}{letter}" for letter in letters[: letters.index(found[2])])
    if found := re.fullmatch(r"(.*\d)-(\d+)", number):
        point = "" if "." in found[1] else "."
        first = (f"{found[1]}{point}{digit}" for digit in range(1, NINE + 1))
        return (*first, *(f"{found[1]}-{before}" for before in range(NINE + 1, int(found[2]))))
    if found := re.fullmatch(r"(\d+\.\d*)(\d)", number):
        return tuple(f"{found[1]}{digit}" for digit in range(1, int(found[2])))
    return ()
