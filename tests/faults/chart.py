"""Faults in data: numbers, members, traits, the order of rows, cells, victory conditions, and sides of forces."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

Place = tuple[int, int, str]
ROW = re.compile(r"^ +- [\[{].*[\]}]\n", re.MULTILINE)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    for found in ROW.finditer(text):
        yield found.start(), found[0]


def figure(text: str) -> Iterator[Place]:
    """Yield the places of numbers in rows, with the number plus three."""
    for at, row in _rows(text):
        for found in re.finditer(r"(?<=[\s,\[])(\d+)(?=[,\]}])", row):
            yield at + found.start(), at + found.end(), str(int(found[1]) + 3)


def word(text: str) -> Iterator[Place]:
    """Yield the places of words in rows, with the word in the same column of the previous row."""
    for (_, before), (at, row) in pairwise(_rows(text)):
        own_words, other = (list(re.finditer(r"(?<=[\s,\[])([A-Za-z_]\w*)(?=[,\]}])", each)) for each in (row, before))
        for found, near in zip(own_words[1:], other[1:], strict=False):
            if found[1] != near[1] and len(own_words) == len(other):
                yield at + found.start(), at + found.end(), near[1]


def trait(text: str) -> Iterator[Place]:
    """Yield the places of last traits of counters, with no text."""
    for at, row in _rows(text):
        if found := re.search(r", (\w+)\]\]\n$", row):
            yield at + found.start(), at + found.start() + 2 + len(found[1]), ""


def row_order(text: str) -> Iterator[Place]:
    """Yield the places of two adjacent rows of a grid, with their values exchanged and their keys kept."""
    for one, other in pairwise(re.finditer(r"^ +\S+: (\[[^\]\n]*\])\n", text, re.MULTILINE)):
        if other.start() == one.end() and one[1] != other[1]:
            now = f"{text[one.start() : one.start(1)]}{other[1]}\n{text[other.start() : other.start(1)]}{one[1]}\n"
            yield one.start(), other.end(), now


def cell(text: str) -> Iterator[Place]:
    """Yield the places of cells of a grid, with the value of the next cell."""
    for row in re.finditer(r"^ +\S+: \[([^\]\n]*)\]\n", text, re.MULTILINE):
        parts = list(re.finditer(r"[^,\s]+", row[1]))
        for one, other in pairwise(parts):
            if one[0] != other[0]:
                yield row.start(1) + one.start(), row.start(1) + one.end(), other[0]


def victory(text: str) -> Iterator[Place]:
    """Yield the places of victory lines of a card, with the text of the next line."""
    block = re.search(r"^victory:\n(?: .*\n)+", text, re.MULTILINE)
    places = block.span() if block and re.search(r"^scenario:", text, re.MULTILINE) else (0, 0)
    lines = list(re.compile(r'^ +\w+: ("[^"\n]+")$', re.MULTILINE).finditer(text, *places))
    for one, other in pairwise(lines):
        if one[1] != other[1]:
            yield one.start(1), one.end(1), other[1]


def owner(text: str) -> Iterator[Place]:
    """Yield the places of sides of forces, with the other side, on cards with two sides."""
    sides = list(dict.fromkeys(re.findall(r"\bside: (\w+)", text)))
    for found in re.finditer(r"^ +- side: (\w+)$", text, re.MULTILINE):
        if len(sides) == 2:
            yield found.start(1), found.end(1), next(each for each in sides if each != found[1])


KINDS: Mapping[str, Callable[[str], Iterator[Place]]] = {
    "data figure": figure, "data word": word, "data trait": trait, "data rows": row_order, "data cell": cell,
    "data victory": victory, "data owner": owner,
}  # fmt: skip
