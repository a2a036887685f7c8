"""The English words of questions about a position, by their role in one: pronouns, prepositions, words for chances.

In: `templates/lexicon.txt`. Out: a set of words, or of their stems, for each role.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from compiler.rulebook.index.stems import stem

_LINES = (Path(__file__).parent / "templates" / "lexicon.txt").read_text(encoding="utf-8").splitlines()
WORDS = {
    role: frozenset(each.strip() for each in entries.split(","))
    for role, _, entries in (line.partition(":") for line in _LINES if not line.startswith("#"))
}
DETERMINERS, DIRECTIONS = WORDS["determiner"], WORDS["direction"]
PREPOSITIONS = WORDS["destination"] | WORDS["target"] | WORDS["agent"] | WORDS["other preposition"]


def has_role(role: str, words: Iterable[str]) -> bool:
    """Return whether some words have a role, those that are not short in any form: *chances*.

    *Allowance* is no word for what is allowed.
    """
    if role == "permission":
        return not WORDS[role].isdisjoint(words)
    return not {*map(_form, WORDS[role])}.isdisjoint(map(_form, words))


def has_phrase(role: str, text: str) -> bool:
    """Return whether a text has a phrase of a role, as whole words."""
    return any(f" {phrase} " in f" {text} " for phrase in WORDS[role])


def pattern_of(role: str) -> str:
    """Return a regular expression for the words of a role."""
    return "|".join(sorted(map(re.escape, WORDS[role])))


def _form(word: str) -> str:
    """Return what the forms of a word have in common; *its* is no *it*."""
    return stem(word) if len(word) > 3 else word
