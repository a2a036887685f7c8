"""Group the rows that a query found to places, and the places under one heading to one result.

The input is the scores of rows; the output is places, the best first. `templates/search.js` does the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compiler.rulebook.index.index_row import ASKED, INDEX, IndexRow
from compiler.rulebook.index.ranking_constants import CONSTANTS
from runtime.graph.grouping import group_by

if TYPE_CHECKING:
    from compiler.rulebook.index.ranking import SearchIndex

OWN = 2  # Rows of a place that come before other places of its section.
EXAMPLE = "Example"


@dataclass(frozen=True, slots=True)
class Place:
    """A result of a query: the row at its head, and the rows that were found there and in its section.

    `answer` represents the place in the result of another: the head, or a ruling beneath it that answers far better.
    `found_by` has, for the address of a row, the entry of the index or the declared query by which it was found, if
    that contains more words of the query than the row.
    """

    head: IndexRow
    rows: tuple[IndexRow, ...]
    score: float
    answer: IndexRow
    found_by: Mapping[str, str]


def group_by_place(
    index: SearchIndex, scores: Mapping[int, float], lifted: Mapping[int, float], matching: Set[str]
) -> list[Place]:
    """Group rows to places; a row that the query identifies directly does not hide others that answer it."""
    together: dict[str, list[int]] = defaultdict(list)
    for row_index in sorted(scores, key=lambda at: (-scores[at], at)):
        together[index.place_of(row_index)].append(row_index)
    places = []
    most = 0.0
    for address, found in together.items():
        score, lift = (
            each.get(found[0], 0.0) + CONSTANTS.together * sum(each.get(row_index, 0.0) for row_index in found[1:3])
            for each in (scores, lifted)
        )
        most = max(most, score - lift)
        head = index.rows[index.heads.get(address, found[0])]
        # An entry of the index represents its places.
        ranked = dict.fromkeys(index.heads.get(index.rows[row_index].address, row_index) for row_index in found)
        rows = _examples_last(index.rows[row_index] for row_index in ranked)
        of_head = scores.get(index.heads.get(address, -1), 0.0)
        answer = head if of_head >= CONSTANTS.head * scores[found[0]] else rows[0]
        places.append(Place(head, rows, score, answer, _found_by(index, found, matching)))
    places.sort(key=lambda place: (-place.score, index.heads.get(place.head.address, 0)))
    return _group_by_section([place for place in places if place.score >= most * CONSTANTS.least])


def _examples_last(rows: Iterable[IndexRow]) -> tuple[IndexRow, ...]:
    """Return rows with examples last: rules and rulings answer, and examples only illustrate."""
    return tuple(sorted(rows, key=lambda row: row.sort == EXAMPLE))


def _found_by(index: SearchIndex, found: Iterable[int], matching: Set[str]) -> dict[str, str]:
    """Return the address of each row that was found by an entry of the index or a query, with the best of them."""
    best: dict[str, str] = {}
    for row_index in found:
        row = index.rows[row_index]
        if row.sort in (INDEX, ASKED) and row.address not in best:
            row_stems = matching & {*index.texts[index.heads[row.address]].split()}
            if len(matching & {*index.titles[row_index]}) > len(row_stems):
                best[row.address] = row.title
    return best


def _group_by_section(places: Iterable[Place]) -> list[Place]:
    """Group the places under one heading to the best, which gains by others: the next result has another topic."""
    sections = group_by(places, lambda place: place.head.section or place.head.address)
    found = []
    for best, *others in sections.values():
        answers = (other.answer for other in others)
        rows = _examples_last(dict.fromkeys((*best.rows[:OWN], *answers, *best.rows)))
        more = CONSTANTS.section * sum(other.score for other in others[:2])
        found_by = {address: entry for place in (best, *others) for address, entry in place.found_by.items()}
        found.append(replace(best, rows=rows, score=best.score + more, found_by=found_by))
    return sorted(found, key=lambda place: -place.score)
