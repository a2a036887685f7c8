"""The numbers of everything in an outline, and why some numbers are missing.

The input is an outline and its register; the output is numbers by thing, and for each heading a text that explains the
numbers under it that nothing in this book has: of rules that are withdrawn, of layers that are not loaded, and of
earlier editions.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.headings import Heading, RuleEntry, entries_of, entries_under, headings_of
from compiler.rulebook.register import LawKey, Level, Register, preceding_numbers
from compiler.source.numbering import number_key
from runtime.graph import nodes as graph
from runtime.graph import words

RUN = 3  # consecutive numbers from which a range is printed


def number_things(outline: tuple[Heading, ...], register: Register) -> dict[LawKey, str]:
    """Return the numbers of cases, rules, and rulings, the latter after what they are beside: 8.33 Q1, 8.33 Q2."""
    numbers: dict[LawKey, str] = {}
    questions: dict[str, Level] = {}
    for section in outline:
        numbers |= {("case", heading.label): heading.number for heading in headings_of(section)}
        for entry in entries_of(section):
            if isinstance(entry, RuleEntry):
                numbers["rule", entry.label] = entry.number
            else:
                level = questions.setdefault(entry.number, register.ruling_level(entry.number))
                numbers["ruling", entry.ruling] = level.assign_number(("ruling", entry.ruling))
    return numbers


def missing_numbers(book: graph.Graph, outline: tuple[Heading, ...], numbers: dict[LawKey, str]) -> dict[str, str]:
    """Return by heading which numbers are missing, "" where none is; under "" those of sections."""
    removed_numbers: set[str] = set()
    for layer in book.layers:
        for what, label, number in layer.numbers:
            if what in ("rule", "ruling") and (what, label) not in numbers:
                removed_numbers.add(number)
    top = [section.number for section in outline]
    missing = {"": _missing(numbers, map(str, range(int(top[0]), int(top[-1]))))} if top else {}
    headings = [heading for section in outline for heading in headings_of(section)]
    for heading in headings:
        present_numbers = [part.number for part in heading.parts]
        present_numbers += [numbers[entry.thing] for entry in entries_under(heading.entries)]
        expected_numbers = {number for number in removed_numbers if _nearest(headings, number) is heading}
        expected_numbers.update(*map(preceding_numbers, present_numbers))
        missing[heading.label] = _missing(numbers, expected_numbers)
    return missing


def _nearest(headings: list[Heading], number: str) -> Heading | None:
    """Return the innermost heading that contains a number."""
    ancestors = [heading for heading in headings if number.startswith(heading.number) and number != heading.number]
    return max(ancestors, key=lambda heading: len(heading.number), default=None)


def _missing(numbers: dict[LawKey, str], expected_numbers: Iterable[str]) -> str:
    absent = {*expected_numbers} - {*numbers.values()}
    if not absent:
        return ""
    runs = words.list_text([*_runs(sorted(absent, key=number_key))])
    if len(absent) == 1:
        return (
            f"{runs} is not used: it is the number of a rule that is withdrawn or not played, or of an earlier edition."
        )
    return f"{runs} are not used: they are numbers of rules that are withdrawn or not played, or of earlier editions."


def _runs(numbers: list[str]) -> Iterator[str]:
    """Format consecutive numbers as ranges."""
    runs: list[list[str]] = []
    for number in numbers:
        if runs and _previous_number(number) == runs[-1][-1]:
            runs[-1].append(number)
        else:
            runs.append([number])
    for run in runs:
        yield from [f"{run[0]} to {run[-1]}"] if len(run) >= RUN else run


def _previous_number(number: str) -> str:
    """Return the number directly before one; "" before the first."""
    return str(int(number) - 1) if number.isdigit() else ("", *preceding_numbers(number))[-1]
