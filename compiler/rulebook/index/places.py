"""Group the rows that a query found to places, and the places under one heading to one result.

The input is the scores of rows; the output is places, the best first. `templates/search.js` does the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from compiler.rulebook.index.index_row import ASKED_SORT, INDEX, IndexRow
from compiler.rulebook.index.ranking_constants import CONSTANTS
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by

if TYPE_CHECKING:
    from compiler.rulebook.index.ranking import SearchIndex

BENEATH = 3  # Rows of a result that are shown beneath its head.
RULE_SORTS = ("Rule", "Ruling")


@frozen_dataclass
class QueryResult:
    """A result of a query: the row at its head, and the rows that were found there and in its section, the best first.

    `found_by` has, for the address of a row, the entry of the index or the declared query by which it was found, if
    that contains more words of the query than the row.
    """

    head: IndexRow
    rows: tuple[IndexRow, ...]
    score: float
    found_by: Mapping[str, str]


def group_by_place(
    index: SearchIndex, scores: Mapping[int, float], lifted: Mapping[int, float], matching: Set[str]
) -> list[QueryResult]:
    """Group rows to places; a row that the query identifies directly does not hide others that answer it."""
    rows_by_place: dict[str, list[int]] = defaultdict(list)
    row_scores: dict[str, float] = {}  # An entry of the index represents its places.
    for row_index in sorted(scores, key=lambda row_index: (-scores[row_index], row_index)):
        rows_by_place[index.place_of(row_index)].append(row_index)
        row_scores.setdefault(index.rows[row_index].address, scores[row_index])
    places = []
    most = 0.0
    for address, row_indices in rows_by_place.items():
        score = _total(scores[row_index] for row_index in row_indices)
        most = max(most, score - _total(lifted.get(row_index, 0.0) for row_index in row_indices))
        head = index.rows[index.heads.get(address, row_indices[0])]
        addresses = dict.fromkeys(index.rows[row_index].address for row_index in row_indices)
        rows = tuple(index.rows[index.heads[row_address]] for row_address in addresses)
        places.append(QueryResult(head, rows, score, _found_by(index, row_indices, matching)))
    places.sort(key=lambda place: (-place.score, index.heads.get(place.head.address, 0)))
    return _group_by_section([place for place in places if place.score >= most * CONSTANTS.least], row_scores)


def _total(scores: Iterable[float]) -> float:
    """Return the first of some scores, and a share of the second and the third."""
    first, *others = islice(scores, 3)
    return first + CONSTANTS.together * sum(others)


def _found_by(index: SearchIndex, row_indices: Iterable[int], matching: Set[str]) -> dict[str, str]:
    """Return the address of each row that was found by an entry of the index or a query, with the best of them."""
    best: dict[str, str] = {}
    for row_index in row_indices:
        row = index.rows[row_index]
        if row.sort in (INDEX, ASKED_SORT) and row.address not in best:
            row_stems = matching & {*index.texts[index.heads[row.address]].split()}
            if len(matching & {*index.titles[row_index]}) > len(row_stems):
                best[row.address] = row.title
    return best


def _group_by_section(places: Iterable[QueryResult], scores: Mapping[str, float]) -> list[QueryResult]:
    """Group the places under one heading to the best, which gains by others: the next result has another topic.

    Rules and rulings beyond those that are shown with it are a result of their own if they answer nearly as well.
    """
    results = []
    for section_places in group_by(places, lambda place: place.head.section or place.head.address).values():
        best, *others = section_places
        listed: dict[str, IndexRow] = {}
        found_by: dict[str, str] = {}
        for place in section_places:
            listed |= {row.address: row for row in place.rows}
            found_by |= place.found_by
        rows = [listed[address] for address in sorted(listed, key=lambda address: -scores[address])]
        more = CONSTANTS.section * sum(other.score for other in others[:2])
        results.append(replace(best, rows=tuple(rows), score=best.score + more, found_by=found_by))
        beneath = [row for row in rows if row is not best.head]
        left = tuple(row for row in beneath[BENEATH:] if row.sort in RULE_SORTS)
        if left and scores[left[0].address] >= CONSTANTS.rest * scores[rows[0].address]:
            results.append(QueryResult(left[0], left, _total(scores[row.address] for row in left), found_by))
    return sorted(results, key=lambda result: -result.score)
