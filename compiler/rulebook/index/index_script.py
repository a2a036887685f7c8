"""Write a search index as a script that a page opened from a file can load.

In: a `SearchIndex`. Out: the text of the script; search.js in ../templates reads it and ranks by it in the browser.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict

from compiler.rulebook.index.index_row import ASKED, INDEX, IndexRow
from compiler.rulebook.index.misspellings import SHORT, SURE
from compiler.rulebook.index.options import HEADED, MOST_OPTIONS, OptionWords
from compiler.rulebook.index.postings import UNIT
from compiler.rulebook.index.ranking import MEANT, OWN, PART, SearchIndex
from compiler.rulebook.index.ranking_constants import CONSTANTS
from compiler.rulebook.index.stems import STOP_WORDS

_TITLED = (INDEX, ASKED)


def write_index(index: SearchIndex, options: Iterable[OptionWords]) -> bytes:
    """Write rows, postings, word forms, synonyms, options and the constants of the ranking, which `search.js` reads."""
    rows = [_script_row(index, row) for row in index.rows]
    # Where a stem is no word, or has several forms, all forms are needed: the page shows the word that was used.
    forms: dict[str, list[str]] = {}
    for token, stem in sorted(index.forms.items()):
        forms.setdefault(stem, []).append(token)
    forms_of = {stem: " ".join(written) for stem, written in forms.items() if written != [stem]}
    others = [[each.name, each.title, each.title_stems, each.phrases, " ".join(each.stems)] for each in options]
    limits = {
        "unit": UNIT, "short": SHORT, "sure": SURE, "part": PART, "own": OWN, "meant": MEANT, "options": MOST_OPTIONS,
        "headed": HEADED,
    }  # fmt: skip
    postings = {each: [n for pair in sorted(found.items()) for n in pair] for each, found in index.postings.items()}
    return (
        f"const BOOK = [\n{_lines(rows)}\n];\n"
        f"const POSTINGS = {_json_text(dict(sorted(postings.items())))};\n"
        f"const FORMS = {_json_text(forms_of)};\n"
        f"const SYNONYMS = {_json_text(index.synonyms)};\n"
        f"const STOP_WORDS = {_json_text(sorted(STOP_WORDS))};\n"
        f"const OPTIONS = {_json_text(others)};\n"
        f"const RANKING = {_json_text({**asdict(CONSTANTS), **limits})};\n"
    ).encode()


def _script_row(index: SearchIndex, row: IndexRow) -> list[str | int]:
    """Return the fields of a row in the order in which `search.js` reads them.

    An entry of the index and a query have a title, a sort and the number of the row that they lead to, where that row
    has their place. They are most of the rows, and their addresses would be most of the script.
    """
    at = index.heads[row.address]
    head = index.rows[at]
    if row.sort in _TITLED and head.sort not in _TITLED and head.beside == row.beside:
        return [row.sort, row.title, at]
    return [row.sort, row.title, row.number, row.address, row.words, row.beside, row.section]


def _lines(rows: list[list[str | int]]) -> str:
    return ",\n".join(_json_text(row) for row in rows)


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
