"""Write a search index as a script that a page opened from a file can load.

In: a `SearchIndex`. Out: the text of the script; search.js in ../templates reads it and ranks by it in the browser.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import asdict

from compiler.rulebook.index.index_row import ASKED_SORT, INDEX, IndexRow
from compiler.rulebook.index.misspellings import EXACT_LETTERS, SURE
from compiler.rulebook.index.places import BENEATH, RULE_SORTS
from compiler.rulebook.index.postings import DILUTION, FIELDS, UNIT, usual_length
from compiler.rulebook.index.ranking import FEWEST_PART_LETTERS, MEANT, SearchIndex
from compiler.rulebook.index.ranking_constants import CONSTANTS
from compiler.rulebook.index.stems import STOP_WORDS, SUBJECT_WORDS

_TITLED = (INDEX, ASKED_SORT)


def write_index(index: SearchIndex) -> bytes:
    """Write rows, postings, word forms, synonyms and the constants of the ranking, which `search.js` reads."""
    pages = {page: number for number, page in enumerate(dict.fromkeys(_page(row.address) for row in index.rows))}
    rows = [_script_row(index, row, pages) for row in index.rows]
    leading = frozenset(row_index for row_index, row in enumerate(rows) if isinstance(row[1], int))
    # Where a stem is no word, or has several forms, all forms are needed: the page shows the word that was used.
    forms: dict[str, list[str]] = {}
    for token, stem in sorted(index.forms.items()):
        forms.setdefault(stem, []).append(token)
    forms_of = {stem: " ".join(written) for stem, written in forms.items() if written != [stem]}
    limits = {
        "unit": UNIT, "short": EXACT_LETTERS, "sure": SURE, "part": FEWEST_PART_LETTERS, "meant": MEANT,
        "beneath": BENEATH, "rules": RULE_SORTS, "who": sorted(SUBJECT_WORDS),
        "title": FIELDS["title"], "dilution": DILUTION, "usual": usual_length([len(title) for title in index.titles]),
    }  # fmt: skip
    postings = {each: [*_distances(found, leading)] for each, found in sorted(index.postings.items())}
    lines = ",\n".join(_json_text(row) for row in _join_titles(rows))
    return (
        f"const PAGES = {_json_text(list(pages))};\n"
        f"const BOOK = [\n{lines}\n];\n"
        f"const POSTINGS = {_json_text({each: pairs for each, pairs in postings.items() if pairs})};\n"
        f"const FORMS = {_json_text(forms_of)};\n"
        f"const SYNONYMS = {_json_text(index.synonyms)};\n"
        f"const STOP_WORDS = {_json_text(sorted(STOP_WORDS))};\n"
        f"const RANKING = {_json_text({**asdict(CONSTANTS), **limits})};\n"
    ).encode()


def _script_row(index: SearchIndex, row: IndexRow, pages: Mapping[str, int]) -> list[str | int]:
    """Return the fields of a row in the order in which `search.js` reads them, without empty ones at the end.

    An entry of the index and a query have a sort, the number of the row that they lead to, where that row has their
    place, and a title. They are most of the rows, and their addresses would be most of the script.
    """
    head_index = index.heads[row.address]
    head = index.rows[head_index]
    if row.sort in _TITLED and head.sort not in _TITLED and head.beside == row.beside:
        return [row.sort, head_index, row.title]
    page = _page(row.address)
    address = f"{pages[page]}{row.address.removeprefix(page)}"
    beside = index.heads.get(row.beside, row.beside)
    fields: list[str | int] = [row.sort, row.title, row.number, address, row.words, beside, row.section]
    while fields[-1] == "":
        fields.pop()
    return fields


def _page(address: str) -> str:
    return address.partition("#")[0]


def _join_titles(rows: Iterable[list[str | int]]) -> list[list[str | int]]:
    """Join the titles of adjacent rows that lead to the same row."""
    joined: list[list[str | int]] = []
    for row in rows:
        if joined and isinstance(row[1], int) and joined[-1][:2] == row[:2]:
            joined[-1].append(row[2])
        else:
            joined.append([*row])
    return joined


def _distances(found: Mapping[int, int], leading: Container[int]) -> Iterator[int]:
    """Return the distance from row to row and the weight in each, without rows that have a title only."""
    last = 0
    for row_index, weight in sorted(found.items()):
        if row_index not in leading:
            yield from (row_index - last, weight)
            last = row_index


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
