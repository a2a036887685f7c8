"""Parse the text between the brackets of a citation: `TQ.LANE.02 .03, TS.04-.06`.

The input is that text with its place; the output is one word per id, in full: TQ.LANE.02, TQ.LANE.03, TS.04, TS.05,
TS.06. A short `.03` takes its prefix from the id before it; a range enumerates its last number, and may be written in
full, TS.04-TS.06.
"""

import re
from collections.abc import Callable

from compiler.source.findings.literals import BadCite
from compiler.source.nodes import Word
from compiler.source.span import Span

# A printed section has dozens of items; a typing error such as `.1-.1000000` must not become a million.
LONGEST_RANGE = 200

_ITEM = re.compile(r"[^\s,]+")
_CITE = re.compile(
    r"(?P<head>[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*(?:\.[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)*?)?"
    r"(?:\.(?P<last>[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*?)(?:-(?P=head)?\.(?P<to>\d+))?)?"
)


def read_cites(
    text: str, file: str, place: Callable[[int], tuple[int, int]], offset: int
) -> tuple[tuple[Word, ...], tuple[BadCite, ...]]:
    """Expand the ids in `text`, whose first character is at `offset`."""
    words: list[Word] = []
    bad_cites: list[BadCite] = []
    head = ""
    for item in _ITEM.finditer(text):
        start, end = offset + item.start(), offset + item.end()
        span = Span(file, *place(start), *place(end))
        ids, head = _expand(item.group(), head)
        if not ids:
            bad_cites.append(BadCite(span, item.group()[:40]))
        cited = {each.text for each in words}
        bad_cites += (BadCite(span, id_, is_repetition=True) for id_ in ids if id_ in cited)
        words += (Word(span, id_) for id_ in ids)
    return tuple(words), tuple(bad_cites)


def _expand(item: str, before: str) -> tuple[list[str], str]:
    """Expand one item; return also the prefix for a short id after it."""
    found = _CITE.fullmatch(item)
    if found is None:
        return [], before
    head, last, to = found["head"] or before, found["last"], found["to"]
    if last is None:
        return [head], head
    if not head:
        return [], before
    if to is None:
        return [f"{head}.{last}"], head
    if not last.isdigit() or not int(last) <= int(to) < int(last) + LONGEST_RANGE:
        return [], head
    return [f"{head}.{number:0{len(last)}d}" for number in range(int(last), int(to) + 1)], head
