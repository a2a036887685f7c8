"""Rewrite findings with `space` and `connection` for an author who uses these words.

In rules `space` is a synonym of `hex`, and `connection` of `hexside`; behind the parser only the latter exist. An
author whose rules contain only spaces, and no hexes, gets reports about spaces.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from compiler.report.diagnostic import Diagnostic

SPACES = re.compile(r"\b(?:space|connection)\b")
HEXES = re.compile(r"\bhex(?:es|side)?\b")
MEANT = {"hex": "space", "hexes": "spaces", "hexside": "connection", "hexsides": "connections"}
WORDS = re.compile(r"\bhex(?:es|sides?)?\b")
# Texts about hexes only, as other spaces have no lines and directions.
GEOMETRY = "R0584"
COMMENT = re.compile(r"#.*")


def in_words_of_the_author(found: list[Diagnostic], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Rewrite findings with the author's words for spaces, by the folder of the first party."""
    known: dict[str, bool] = {}
    diagnostics = []
    for each in found:
        folder = each.spans[0].span.file.rpartition("/")[0] if each.spans else ""
        if folder not in known:
            known[folder] = bool(folder) and _speaks_of_spaces(folder, texts)
        diagnostics.append(_reworded(each) if known[folder] and each.code != GEOMETRY else each)
    return diagnostics


def _speaks_of_spaces(folder: str, texts: Mapping[str, str]) -> bool:
    rules = [COMMENT.sub("", text) for file, text in texts.items() if _is_rules_of(file, folder)]
    return any(map(SPACES.search, rules)) and not any(map(HEXES.search, rules))


def _is_rules_of(file: str, folder: str) -> bool:
    return file.endswith(".rules") and file.startswith(f"{folder}/")


def _reworded(each: Diagnostic) -> Diagnostic:
    reword = partial(WORDS.sub, lambda word: MEANT[word[0]])
    spans = tuple(replace(label, text=reword(label.text)) for label in each.spans)
    return replace(
        each, message=reword(each.message), spans=spans, help=reword(each.help), explanation=reword(each.explanation)
    )
