"""Suggestions: the known names nearest to a misspelled one.

In: the written word and the names that would fit where it stands. Out: the likely ones, best first.
The caller filters by what fits; a near name of the wrong kind is worse than no suggestion.
"""

from collections.abc import Iterable

# rustc's limit: a third of the word may be wrong. Below three letters everything is near everything.
WRONG_LETTERS = 3
TELLING = 4
# What suggestions may cost in one report, in pairs of letters; a name that is looked at costs some, too. Thousands of
# unknown names would be compared with thousands of known ones; behind that none are suggested.
MOST_COMPARED, NAME = 20_000_000, 10


# What else people call the keys of data files.
CALLED = {
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


def nearest_key(word: str, fitting: Iterable[str]) -> tuple[str, ...]:
    """List the keys that `word` may be a slip of, or another word for."""
    keys = tuple(fitting)
    return nearest_names(word, keys) or tuple(key for key in keys if _normalized(word) in CALLED.get(key, "").split())


class _Budget:
    """The work left for suggestions."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_COMPARED


_BUDGET = _Budget()


def begin_report() -> None:
    """Reset the budget of suggestions: every compilation and every report begins so."""
    _BUDGET.left = MOST_COMPARED


def nearest_names(word: str, fitting: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """List the fitting names that `word` may be a slip of, best first; nothing is a slip of itself."""
    if _BUDGET.left <= 0:
        return ()
    ranked = sorted({(rank, name) for name in fitting if name != word and (rank := _rank(word, name)) is not None})
    best = ranked[0][0] if ranked else 0
    # A clear winner stands alone: beside one swapped letter, three wrong letters only distract.
    return tuple(name for rank, name in ranked if rank <= best + 1)[:most]


def names_sharing_a_word(word: str, fitting: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """List the fitting names that share a word with this one, for a name that is no slip."""
    fitting = tuple(fitting)
    _BUDGET.left -= NAME * len(fitting)
    if _BUDGET.left <= 0:
        return ()
    parts = _words(word)
    ranked = sorted(
        (-shared, name) for name in fitting if (shared := sum(_has_same_stem(parts, part) for part in _words(name)))
    )
    return tuple(name for shared, name in ranked if shared == ranked[0][0])[:most]


def _words(name: str) -> list[str]:
    """Take a name apart; short words such as `may` and `the` say nothing."""
    return [part for part in _normalized(name).split("_") if len(part) >= TELLING]


def _has_same_stem(parts: list[str], other: str) -> bool:
    """Return whether a word is one of these, but for its ending: `points` and `point`, `forbid` and `forbidden`."""
    return any(part.startswith(other) or other.startswith(part) for part in parts)


def _rank(word: str, name: str) -> int | None:
    """Return how far apart two names are; None when they are too different to be confused."""
    _BUDGET.left -= NAME
    plain, other = _normalized(word), _normalized(name)
    if plain == other:
        return 0
    if sorted(plain.split("_")) == sorted(other.split("_")):
        return 1
    limit = max(len(plain), len(other), 3) // WRONG_LETTERS
    letters = len(plain) * len(other)
    if abs(len(plain) - len(other)) <= limit and letters <= _BUDGET.left:
        _BUDGET.left -= letters
        # A letter that only one of them has takes a slip each: most names are out before they are compared.
        here, there = set(plain), set(other)
        if max(len(here - there), len(there - here)) > limit:
            return None
        slips = edit_distance(plain, other, limit)
        if slips <= limit and slips < len(plain):
            return slips
    return None


def _normalized(name: str) -> str:
    """Drop what people mix up without noticing: capitals, hyphens for underscores."""
    return name.lower().replace("-", "_").replace(" ", "_")


def edit_distance(a: str, b: str, limit: int) -> int:
    """Count the single-letter slips between two words, or any number above `limit`; swapped neighbors are one slip.

    Optimal string alignment, the restricted form of Damerau and Levenshtein's distance.
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
        # Each later row takes at least one slip from this row or a swap from the one before.
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return row[-1]
