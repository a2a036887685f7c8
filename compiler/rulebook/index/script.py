"""Write a search index as a script, so that a page that was opened from a file can load it."""

import json
from dataclasses import asdict

from compiler.rulebook.index.ranking import CONSTANTS, OWN, PART, SHORT, UNIT, SearchIndex
from compiler.rulebook.index.stems import STOP_WORDS


def write_index(index: SearchIndex) -> bytes:
    """Write rows, postings, word forms, synonyms and the constants of the ranking: what `search.js` reads."""
    # In the order in which `search.js` takes a row apart.
    rows = [[row.sort, row.title, row.number, row.address, row.words, row.beside, row.section] for row in index.rows]
    forms = {token: stem for token, stem in index.forms.items() if stem != token}
    postings = {each: [n for pair in sorted(found.items()) for n in pair] for each, found in index.postings.items()}
    return (
        f"const BOOK = [\n{_lines(rows)}\n];\n"
        f"const POSTINGS = {_written(dict(sorted(postings.items())))};\n"
        f"const FORMS = {_written(forms)};\n"
        f"const SYNONYMS = {_written(index.synonyms)};\n"
        f"const STOP_WORDS = {_written(sorted(STOP_WORDS))};\n"
        f"const RANKING = {_written({**asdict(CONSTANTS), 'unit': UNIT, 'short': SHORT, 'part': PART, 'own': OWN})};\n"
    ).encode()


def _lines(rows: list[list[str]]) -> str:
    return ",\n".join(_written(row) for row in rows)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
