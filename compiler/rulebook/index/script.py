"""Write a search index as a script, so that a page that was opened from a file can load it."""

import json
from dataclasses import asdict

from compiler.rulebook.index.ranking import CONSTANTS, SHORT, UNIT, SearchIndex
from compiler.rulebook.index.stems import IRREGULAR, STOP_WORDS, stem, tokens


def write_index(index: SearchIndex) -> bytes:
    """Write rows, postings, word forms, synonyms and the constants of the ranking: what `search.js` reads."""
    rows = [[row.sort, row.title, row.number, row.address, row.words, row.beside] for row in index.rows]
    postings = {each: [n for pair in sorted(found.items()) for n in pair] for each, found in index.postings.items()}
    return (
        f"const BOOK = [\n{_lines(rows)}\n];\n"
        f"const POSTINGS = {_written(dict(sorted(postings.items())))};\n"
        f"const FORMS = {_written(_forms(index))};\n"
        f"const SYNONYMS = {_written(index.synonyms)};\n"
        f"const STOP_WORDS = {_written(sorted(STOP_WORDS))};\n"
        f"const RANKING = {_written({**asdict(CONSTANTS), 'unit': UNIT, 'short': SHORT})};\n"
    ).encode()


def _forms(index: SearchIndex) -> dict[str, str]:
    """Pair every word of the book, and what else its readers say, with its stem, where that is another word."""
    rows = ((row.title, row.words, row.headings, row.around, row.logic) for row in index.rows)
    texts = (text for row in (*rows, index.said, IRREGULAR) for text in row)
    known = sorted({token for text in texts for token in tokens(text)})
    return {token: stem(token) for token in known if stem(token) != token}


def _lines(rows: list[list[str]]) -> str:
    return ",\n".join(_written(row) for row in rows)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
