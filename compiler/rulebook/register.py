"""The register of numbers that the book has assigned, and the next free ones.

The input is the numbers that the layers of a graph register (`numbers:`), and those of layers that are not loaded; the
output is a `Register`, which numbers what is under one heading and explains missing numbers. A number stays valid as
long as its thing is under the same heading; new things get numbers that were never assigned, so that an insertion
renumbers nothing. Without registered numbers everything is numbered in its order.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase

from runtime.graph import nodes as graph

Thing = tuple[str, str]  # "case", "rule" or "ruling", and the label
NINE = 9


@dataclass(frozen=True, slots=True)
class Register:
    """A register: `kept` are numbers by thing, `taken` all numbers that were ever assigned, also to removed things."""

    kept: dict[Thing, str]
    taken: frozenset[str]

    def part_labels(self, case: str) -> tuple[str, ...]:
        """Return the labels of the parts that a case had when it was numbered."""
        return tuple(label for what, label in self.kept if what == "case" and re.fullmatch(rf"{case}-\d+", label))

    def number_level(self, above: str, point: str = "", given: Iterable[str] = ()) -> "Level":
        """Return the level of numbers under a number: 4.2 and 4.21 to 4.29, then 4.2-10.

        `given` are numbers of authors.
        """
        digits = (f"{above}{point}{digit}" for digit in range(1, NINE + 1))
        more = (f"{above}-{digit}" for digit in count(NINE + 1))
        return Level(self, rf"{re.escape(above + point)}[1-9]|{re.escape(above)}-[1-9]\d+", digits, more, given)

    def exception_level(self, above: str) -> "Level":
        """Return the level of numbers of exceptions to a rule: 4.21a, 4.21b."""
        pairs = (one + two for one in ascii_lowercase for two in ascii_lowercase)
        one, two = (f"{above}{each}" for each in ascii_lowercase), (f"{above}{each}" for each in pairs)
        return Level(self, rf"{re.escape(above)}[a-z]{{1,2}}", one, two)

    def ruling_level(self, above: str) -> "Level":
        """Return the level of numbers of rulings beside a rule: 4.21 Q1, 4.21 Q2."""
        return Level(self, rf"{re.escape(above)} Q\d+", (), (f"{above} Q{place}" for place in count(1)))

    def section_level(self, given: Iterable[str]) -> "Level":
        """Return the level of numbers of sections, after those that authors assigned."""
        given = {*given}
        last = max(map(int, given), default=0)
        return Level(self, r"[1-9]\d*", (), (str(place) for place in count(last + 1)), given)


class Level:
    """Assigns the numbers of one level, each once."""

    def __init__(
        self, register: Register, form: str, first: Iterable[str], then: Iterator[str], given: Iterable[str] = ()
    ) -> None:
        self.register = register
        self.form = re.compile(form)
        self.used = {*given}
        self.free = (number for part in (first, then) for number in part)

    def assign_number(self, thing: Thing) -> str:
        """Return the registered number of a thing, else the next one that was never assigned."""
        return self.allot(self.register.kept.get(thing, ""))

    def allot(self, number: str) -> str:
        """Return `number` if it is of this level and unused here, else the next one that was never used."""
        if number in self.used or not self.form.fullmatch(number):
            number = next(each for each in self.free if each not in self.used and each not in self.register.taken)
        self.used.add(number)
        return number


def register_of(book: graph.Graph, elsewhere: Iterable[str] = ()) -> Register:
    """Build the register of a graph; the lowest layer that numbered a thing takes precedence."""
    kept: dict[Thing, str] = {}
    taken = {*elsewhere, *(case.number for case in book.cases.values() if case.number)}
    for what, label, number in (one for layer in book.layers for one in layer.numbers):
        taken.add(number)
        if what != "retired":
            kept.setdefault((what, label), number)
    return Register(kept, frozenset(taken))


def preceding_numbers(number: str) -> tuple[str, ...]:
    """Return the numbers before one on its level: for 4.23, 4.21 and 4.22; for 8.33 Q2, 8.33 Q1."""
    if found := re.fullmatch(r"(.* Q)(\d+)", number):
        return tuple(f"{found[1]}{place}" for place in range(1, int(found[2])))
    if found := re.fullmatch(r"(.*\d)([a-z]{1,2})", number):
        letters = [*ascii_lowercase, *(one + two for one in ascii_lowercase for two in ascii_lowercase)]
        return tuple(f"{found[1]}{letter}" for letter in letters[: letters.index(found[2])])
    if found := re.fullmatch(r"(.*\d)-(\d+)", number):
        point = "" if "." in found[1] else "."
        first = (f"{found[1]}{point}{digit}" for digit in range(1, NINE + 1))
        return (*first, *(f"{found[1]}-{place}" for place in range(NINE + 1, int(found[2]))))
    if found := re.fullmatch(r"(\d+\.\d*)(\d)", number):
        return tuple(f"{found[1]}{digit}" for digit in range(1, int(found[2])))
    return ()
