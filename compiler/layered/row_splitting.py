"""Split one cell off a row of a chart that covers several cells.

The input is the rows of a chart, and the keys of one cell; the output is the rows with that cell in a separate row, and
the rest of its row in as few rows as possible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.source import nodes as source

Keys = tuple[tuple[source.Word, tuple[source.Match, ...]], ...]


def split_row(
    rows: Sequence[layered.LayerStatement[source.Row]], keys: Keys
) -> tuple[layered.LayerStatement[source.Row], ...] | None:
    """Split the row that covers a cell together with others; None if no row does, or several do."""
    texts_by_key = {
        word.text: matches[0].text
        for word, matches in keys
        if len(matches) == 1 and isinstance(matches[0], source.Word)
    }
    if len(texts_by_key) != len(keys):
        return None
    found = [index for index, placed in enumerate(rows) if _gives(placed.node, texts_by_key)]
    if len(found) != 1:
        return None
    index = found[0]
    row = rows[index].node
    parts = (replace(row, keys=each) for each in _parts(row.keys, texts_by_key))
    return (*rows[:index], *(replace(rows[index], node=each) for each in parts), *rows[index + 1 :])


def _gives(row: source.Row, texts_by_key: dict[str, str]) -> bool:
    """Return whether a row accepts each of these values explicitly; one that accepts anything has no finite rest."""
    matches_by_key = {word.text: matches for word, matches in row.keys}
    return matches_by_key.keys() == texts_by_key.keys() and all(
        any(_is(match, text) for match in matches_by_key[name]) for name, text in texts_by_key.items()
    )


def _is(match: source.Match, text: str) -> bool:
    """Return whether an accepted key is, or contains, a value."""
    if isinstance(match, source.Word):
        return match.text == text
    return text.lstrip("-").isdecimal() and match.low <= int(text) <= match.high


def _parts(keys: Keys, texts_by_key: dict[str, str]) -> Iterator[Keys]:
    """Return the keys of the cell, then those of the rest: for each key, its remaining values."""
    single = tuple((word, (_single_match(matches, texts_by_key[word.text]),)) for word, matches in keys)
    yield single
    for index, (word, matches) in enumerate(keys):
        if rest := tuple(_without(matches, texts_by_key[word.text])):
            yield (*single[:index], (word, rest), *keys[index + 1 :])


def _single_match(matches: Sequence[source.Match], text: str) -> source.Match:
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
