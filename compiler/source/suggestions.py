"""Suggest the known names nearest to a misspelled one.

The input is the written word and the names that are valid in its place; the output is the likely ones, best first. The
caller filters by validity; a near name of the wrong kind is worse than no suggestion.
"""

from collections.abc import Iterable

# rustc's limit: a third of the word may be wrong. Below three letters every word is near every other.
WRONG_LETTERS = 3
# The budget of suggestions for one report, in pairs of letters; a name that is considered has a cost, too. Thousands of
# unknown names would be compared with thousands of known ones; when the budget is spent, none are suggested.
MOST_COMPARED, COMPARISONS_PER_NAME = 20_000_000, 10


# Synonyms that authors use for the keys of data files.
KEY_SYNONYMS = {
    "at": "hex where location position pos square cell spot",
    "in": "inside within place",
    "side": "owner player nation army team faction",
    "type": "unit kind counter piece class",
    "name": "id label called",
    "id": "name label",
    "title": "name heading",
    "pieces": "units counters forces",
    "unit": "type counter kind piece",
    "units": "pieces counters",
    "rows": "hexes grid map lines",
    "paths": "path ways",
    "sides": "hexsides edges side",
    "terrain": "hexes features ground",
    "map": "board boards",
    "turns": "length rounds duration",
    "order": "players sequence turn_order",
    "uses": "rules stack game on",
    "sets_up": "setup set_up deploys deployment area where at",
    "enters": "entry arrives arrival reinforcement",
    "victory": "win wins goals aims objectives victory_conditions",
    "facts": "tracks settings values",
    "special": "rules special_rules",
    "cites": "source sources reference",
    "expect": "old was before",
    "now": "new to becomes value",
    "keys": "key inputs",
    "cell": "cells output values",
    "on": "requires base needs extends",
    "relations": "pairs links",
    "game": "clock state scenario",
    "position": "title name",
    "stack": "uses rules",
}


def nearest_key(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the keys that `word` may be a misspelling or a synonym of."""
    keys = tuple(names)
    return nearest_names(word, keys) or tuple(
        key for key in keys if _normalized(word) in KEY_SYNONYMS.get(key, "").split()
    )


class _Budget:
    """The budget of comparisons for suggestions."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_COMPARED


_BUDGET = _Budget()


def begin_report() -> None:
    """Reset the budget of suggestions, at the start of each compilation and each report."""
    _BUDGET.left = MOST_COMPARED


def nearest_names(word: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return the valid names that `word` may be a misspelling of, best first, without `word` itself."""
    if _BUDGET.left <= 0:
        return ()
    ranked = sorted({(rank, name) for name in names if name != word and (rank := _rank(word, name)) is not None})
    best = ranked[0][0] if ranked else 0
    # A clear best match is returned alone: beside one swapped letter, three wrong letters only distract.
    return tuple(name for rank, name in ranked if rank <= best + 1)[:most]


def _rank(word: str, name: str) -> int | None:
    """Return the distance of two names; None if they are too different to be confused."""
    _BUDGET.left -= COMPARISONS_PER_NAME
    plain, other = _normalized(word), _normalized(name)
    if plain == other:
        return 0
    if sorted(plain.split("_")) == sorted(other.split("_")):
        return 1
    limit = max(len(plain), len(other), 3) // WRONG_LETTERS
    letters = len(plain) * len(other)
    if abs(len(plain) - len(other)) <= limit and letters <= _BUDGET.left:
        _BUDGET.left -= letters
        # A letter that only one of them has costs one error: most names are excluded before they are aligned.
        plain_letters, other_letters = set(plain), set(other)
        if max(len(plain_letters - other_letters), len(other_letters - plain_letters)) > limit:
            return None
        distance = edit_distance(plain, other, limit)
        if distance <= limit and distance < len(plain):
            return distance
    return None


def _normalized(name: str) -> str:
    """Normalize what people confuse without noticing: capitals, hyphens and blanks for underscores."""
    return name.lower().replace("-", "_").replace(" ", "_")


def edit_distance(a: str, b: str, limit: int) -> int:
    """Compute the number of single-letter errors between two words, or any number above `limit`.

    The algorithm is optimal string alignment, the restricted form of the distance of Damerau and Levenshtein: swapped
    neighbors count as one error.
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        # Each later row takes at least one error from this row or a swap from the one before.
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return row[-1]
