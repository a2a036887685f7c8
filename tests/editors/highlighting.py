"""Apply a TextMate grammar to a text, in Python; patterns of several lines are not supported.

In: a grammar as JSON and a text. Out: for each line, the spans with their scopes. In VS Code, vscode-textmate does
this; test_textmate.py compares both where node is installed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scoped:
    """A span of a line, its columns from zero, with its innermost scope."""

    start: int
    end: int
    scope: str


class Highlighter:
    """A compiled grammar of `match` patterns that are included from a repository; other patterns are a KeyError."""

    def __init__(self, grammar: dict[str, Any]) -> None:
        """Compile the patterns in their order."""
        parts = [grammar["repository"][each["include"].removeprefix("#")]["patterns"] for each in grammar["patterns"]]
        self._patterns = [_compiled(each) for part in parts for each in part]

    def line(self, text: str) -> list[Scoped]:
        """Return the spans of a line that have a scope, in order."""
        return [*_scoped(text, 0, len(text), self._patterns)]


@dataclass(frozen=True, slots=True)
class _Pattern:
    expression: re.Pattern[str]
    scope: str
    captures: dict[int, dict[str, Any]]


def _compiled(pattern: dict[str, Any]) -> _Pattern:
    captures = {int(number): each for number, each in pattern.get("captures", {}).items()}
    return _Pattern(re.compile(pattern["match"]), pattern.get("name", ""), captures)


def _scoped(text: str, at: int, end: int, patterns: list[_Pattern]) -> Iterator[Scoped]:
    """Yield the spans of the leftmost match, and continue after it; of several matches the first pattern's counts."""
    found: dict[int, re.Match[str] | None] = {}
    while at < end:
        best = None
        for place, each in enumerate(patterns):
            match = found.get(place)
            if place not in found or (match and match.start() < at):
                match = found[place] = each.expression.search(text, at, end)
            if match and match.end() > match.start() and (best is None or match.start() < best[0].start()):
                best = match, each
        if best is None:
            return
        yield from _captured(*best)
        at = best[0].end()


def _captured(match: re.Match[str], pattern: _Pattern) -> Iterator[Scoped]:
    """Yield the captures of a match with their scopes, and the rest of the match with its own."""
    inner: list[Scoped] = []
    for number, capture in sorted(pattern.captures.items()):
        start, end = match.span(number)
        if start >= 0 and "patterns" in capture:
            inner += _scoped(match.string, start, end, [_compiled(each) for each in capture["patterns"]])
        elif start >= 0:
            inner.append(Scoped(start, end, capture["name"]))
    at = match.start()
    for each in [*inner, Scoped(match.end(), match.end(), "")]:
        if pattern.scope and at < each.start:
            yield Scoped(at, each.start, pattern.scope)
        if each.scope:
            yield each
        at = each.end
