"""Postings: the weight of each stem in each row of the index.

In: rows. Out: integers, weighted by the field that contains the stem, and by the length of that field relative to the
mean of all rows, as in BM25F.
"""

from collections import defaultdict
from collections.abc import Sequence

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.stems import (
    STOP_WORDS,
    split_tokens,
    stem,
)

# The weight of a word by field, and the penalty for the length of the field.
FIELDS = {"title": 4.5, "words": 2.2, "headings": 0.8, "around": 0.9, "logic": 0.25}
DILUTION = 0.4
UNIT = 100  # Weights are integers in this unit, so that all implementations compute with the same numbers.


def usual_length(lengths: Sequence[int]) -> float:
    """Return the mean length of a field, at least 1."""
    return max(1.0, sum(lengths) / max(1, len(lengths)))


def compute_postings(rows: Sequence[IndexRow]) -> tuple[dict[str, dict[int, int]], set[str]]:
    """Compute the weight of each stem in each row, in units of `UNIT`, and collect all word forms."""
    written = [[split_tokens(getattr(row, each)) for each in FIELDS] for row in rows]
    texts = [[[stem(token) for token in text if token not in STOP_WORDS] for text in row] for row in written]
    usual = [usual_length([len(text[field_index]) for text in texts]) for field_index in range(len(FIELDS))]
    found: dict[str, dict[int, int]] = {}
    for index, text in enumerate(texts):
        weights: dict[str, float] = defaultdict(float)
        for field_index, (each, weight) in enumerate(zip(text, FIELDS.values(), strict=True)):
            share = weight / (1 - DILUTION + DILUTION * len(each) / usual[field_index])
            for token in each:
                weights[token] += share
        for token, sum_ in weights.items():
            found.setdefault(token, {})[index] = max(1, round(UNIT * sum_))
    return found, {token for row in written for text in row for token in text}
