"""The unknowns of the rules of one term, and the representative values of each.

A number is cut at every constant that a guard compares it with: one value at each cut and one between neighboring cuts
represent all others, because no guard distinguishes them. So a factor of 0..60 has five representatives where a guard
tests `= 1` and another `> 12`.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from compiler.analysis.formula import PlainValue
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Options:
    """A domain of listed values."""

    values: tuple[PlainValue, ...]


@frozen_dataclass
class NumberInterval:
    """A domain of numbers between two ends (None: no end); `is_whole` ones only, or fractions too."""

    low: int | None
    high: int | None
    is_whole: bool = False


Domain = Options | NumberInterval

YES_NO_OPTIONS = Options((False, True))


@frozen_dataclass
class UnknownSubject:
    """The subject of an unknown: the property `field_kind` of the piece or hex `subject`.

    `owner` is the kind that declares it.
    """

    subject: str
    owner: str
    field_kind: str
    name: str


@dataclass(slots=True)
class UnknownDomain:
    """An unknown: its text, its domain, and the cuts of its numbers."""

    text: str
    domain: Domain
    subject: UnknownSubject | None
    cuts: set[Fraction] = field(default_factory=set)


class Space:
    """The unknowns of a term, numbered by their texts, so that equal texts are one unknown."""

    def __init__(self) -> None:
        self.unknowns: list[UnknownDomain] = []
        self._numbers: dict[str, int] = {}
        self._values: dict[int, tuple[int, tuple[PlainValue, ...]]] = {}

    def add_unknown(self, text: str, domain: Domain, about: UnknownSubject | None = None) -> int:
        """Return the number of the unknown with this text, added if it is new."""
        if text not in self._numbers:
            self._numbers[text] = len(self.unknowns)
            self.unknowns.append(UnknownDomain(text, domain, about))
        return self._numbers[text]

    def has_unknown(self, text: str) -> bool:
        """Return whether there is an unknown with this text."""
        return text in self._numbers

    def add_cut(self, number: int, constant: Fraction) -> None:
        """Add a cut: proofs distinguish values below, at and above this constant."""
        question = self.unknowns[number]
        if isinstance(question.domain, NumberInterval) and question.domain.is_whole:
            question.cuts |= {Fraction(constant.__floor__()), Fraction(constant.__ceil__())}
        else:
            question.cuts.add(constant)

    def representative_values(self, number: int) -> tuple[PlainValue, ...]:
        """Return one value for each class that guards distinguish, smallest first."""
        question = self.unknowns[number]
        if isinstance(question.domain, Options):
            return question.domain.values
        cuts, found = self._values.get(number, (-1, ()))
        if cuts != len(question.cuts):  # Cuts are added and never removed, so their number identifies them.
            found = tuple(value for value, _ in _classes(question.domain, question.cuts))
            self._values[number] = (len(question.cuts), found)
        return found

    def representative_of(self, number: int, value: PlainValue) -> PlainValue | None:
        """Return the representative of a value; None if the value lies outside the domain."""
        domain, cuts = self.unknowns[number].domain, sorted(self.unknowns[number].cuts)
        if isinstance(domain, Options):
            return value if value in domain.values else None
        assert not isinstance(value, str)
        below = sum(cut < value for cut in cuts), value in cuts
        for candidate in self.representative_values(number):
            assert not isinstance(candidate, str)
            if (sum(cut < candidate for cut in cuts), candidate in cuts) == below:
                return candidate
        return None

    def value_text(self, number: int, value: PlainValue) -> str:
        """Format the statement that an unknown has this value, or lies in the class that it represents."""
        question = self.unknowns[number]
        if question.domain == YES_NO_OPTIONS:
            return question.text if value else _denied(question.text)
        if isinstance(question.domain, Options):
            return f"{question.text} = {value}"
        words = dict(_classes(question.domain, question.cuts))
        return f"{question.text} {words[Fraction(value)]}"


def _denied(text: str) -> str:
    """Format the negation of a truth value's text."""
    for positive, negative in ((" is ", " is not "), (" has ", " has no ")):
        before, verb, after = text.rpartition(positive)
        if verb and "(" not in after:
            return before + negative + after
    return f"not {text}"


def _classes(domain: NumberInterval, cuts: set[Fraction]) -> list[tuple[Fraction, str]]:
    """List the classes between cuts: a representative of each, and its text."""
    low = None if domain.low is None else Fraction(domain.low)
    high = None if domain.high is None else Fraction(domain.high)
    marks = sorted(cut for cut in cuts if (low is None or cut >= low) and (high is None or cut <= high))
    if not marks:
        return [(low if low is not None else high if high is not None else Fraction(0), "is anything")]
    found: list[tuple[Fraction, str]] = []
    if low is None or low < marks[0]:
        found.append((low if low is not None else marks[0] - 1, f"< {marks[0]}"))
    for index, mark in enumerate(marks):
        found.append((mark, f"= {mark}"))
        if index + 1 < len(marks):
            after = marks[index + 1]
            if (value := _between(mark, after, is_whole=domain.is_whole)) is not None:
                # Who writes rules for 1 and for 2 may think of whole numbers only.
                note = " (a fraction)" if value.denominator > 1 else ""
                found.append((value, f"between {mark} and {after}{note}"))
    if high is None or high > marks[-1]:
        found.append((high if high is not None else marks[-1] + 1, f"> {marks[-1]}"))
    return found


def _between(low: Fraction, high: Fraction, *, is_whole: bool) -> Fraction | None:
    """Return a number strictly between two, a whole one if there is one; None if it must be whole and there is none."""
    if (after := Fraction(low.__floor__() + 1)) < high:
        return after
    return None if is_whole else (low + high) / 2
