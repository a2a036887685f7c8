"""Split one cell off a row of a chart that covers several cells.

The input is the rows of a chart, and the keys of one cell; the output is the rows with that cell in a separate row, and
the rest of its row in as few rows as possible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.source import nodes as source

Keys = tuple[tuple[source.Word, tuple[source.Match, ...]], ...]


def set_apart(
    rows: Sequence[layered.LayerStatement[source.Row]], keys: Keys
) -> tuple[layered.LayerStatement[source.Row], ...] | None:
    """Split the row that covers a cell together with others; None if no row does, or several do."""
    wanted = {
        word.text: matches[0].text
        for word, matches in keys
        if len(matches) == 1 and isinstance(matches[0], source.Word)
    }
    if len(wanted) != len(keys):
        return None
    found = [at for at, placed in enumerate(rows) if _gives(placed.node, wanted)]
    if len(found) != 1:
        return None
    at = found[0]
    row = rows[at].node
    parts = (replace(row, keys=each) for each in _parts(row.keys, wanted))
    return (*rows[:at], *(replace(rows[at], node=each) for each in parts), *rows[at + 1 :])


def _gives(row: source.Row, wanted: dict[str, str]) -> bool:
    """Return whether a row accepts each of these values explicitly; one that accepts anything has no finite rest."""
    given = {word.text: matches for word, matches in row.keys}
    return given.keys() == wanted.keys() and all(
        any(_is(match, text) for match in given[name]) for name, text in wanted.items()
    )


def _is(match: source.Match, text: str) -> bool:
    """Return whether an accepted key is, or contains, a value."""
    if isinstance(match, source.Word):
        return match.text == text
    return text.lstrip("-").isdecimal() and match.low <= int(text) <= match.high


def _parts(keys: Keys, wanted: dict[str, str]) -> Iterator[Keys]:
    """Return the keys of the cell, then those of the rest: for each key, its remaining values."""
    single = tuple((word, (_one(matches, wanted[word.text]),)) for word, matches in keys)
    yield single
    for at, (word, matches) in enumerate(keys):
        if rest := tuple(_without(matches, wanted[word.text])):
            yield (*single[:at], (word, rest), *keys[at + 1 :])


def _one(matches: Sequence[source.Match], text: str) -> source.Match:
    """Return the accepted key that is one value."""
    match = next(each for each in matches if _is(each, text))
    return match if isinstance(match, source.Word) else source.Word(match.span, text)


def _without(matches: Sequence[source.Match], text: str) -> Iterator[source.Match]:
    """Return the accepted keys without one value."""
    for match in matches:
        if not _is(match, text):
            yield match
        elif isinstance(match, source.MatchRange):
            value = int(text)
            yield from (
                replace(match, low=low, high=high)
                for low, high in ((match.low, value - 1), (value + 1, match.high))
                if low <= high
            )
