"""Make two graphs comparable: terms for the flags that only one has rules on, rows of charts divided alike.

A graph has a term for a flag only if some rule is about it. What is printed or marked can be queried in every stack
that declares the word, so the other one answers with what is printed. Where a layer changed one cell of a row for
several values of a key, the other graph's row is divided likewise, so that only the changed cell differs; the parts
that kept their content have the origin of the row.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from runtime.graph import nodes as graph
from runtime.graph.members import members_of


def with_flags_of(rules: graph.Graph, other: graph.Graph) -> graph.Graph:
    """Add a term without rules for each flag that only another graph has rules on."""
    more = {
        name: replace(term, rules=())
        for name, term in other.terms.items()
        if term.form == "flag" and name not in rules.terms and name in rules.vocabulary.flags
    }
    if not more:
        return rules
    hashed = hashlib.sha256(" ".join((rules.hash, *sorted(more))).encode()).hexdigest()
    return replace(rules, terms={**rules.terms, **more}, hash=hashed)


def values_of(type_: graph.Type, stack: graph.Graph) -> list[graph.Expr] | None:
    """Return the values of a type, None if they cannot be enumerated."""
    words = stack.vocabulary
    match type_:
        case graph.YesNo():
            return [graph.Truth(value=False), graph.Truth(value=True)]
        case graph.Enum(name) if name in words.enums:
            return [graph.Member(name, word) for word in members_of(words, name)]
        case graph.Scale(name):
            return [graph.Place(name, *place) for place in words.scales[name].places]
        case graph.Number(int(low), int(high), measure):
            return [graph.Num(Fraction(value), measure) for value in range(low, high + 1)]
        case _:
            return None


def with_rows_split_alike(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, graph.Graph]:
    """Return both graphs, the rows of each divided as the other one divides them."""
    return _split(a, b), _split(b, a)


def _split(rules: graph.Graph, other: graph.Graph) -> graph.Graph:
    changed: dict[str, graph.Table] = {}
    for name, table in rules.tables.items():
        counterpart = other.tables.get(name)
        if counterpart is None or len(counterpart.keys) != len(table.keys):  # Games may share a name only.
            continue
        rows = tuple(part for row in table.rows for part in _parts(row, counterpart.rows))
        if rows != table.rows:
            changed[name] = replace(table, rows=rows)
    return replace(rules, tables={**rules.tables, **changed}) if changed else rules


def _parts(row: graph.TableRow, others: Sequence[graph.TableRow]) -> tuple[graph.TableRow, ...]:
    """Return a row in the parts of which one still has its origin; the row itself unless these cover all of it."""
    inside = [each for each in others if _covers(row, each)]
    if row.keys in (each.keys for each in others) or all(each.origin != row.origin for each in inside):
        return (row,)
    return tuple(replace(row, keys=each.keys) for each in inside) if sum(map(_size, inside)) == _size(row) else (row,)


def _covers(row: graph.TableRow, part: graph.TableRow) -> bool:
    """Return whether a row accepts all that another one accepts; one that accepts anything has no parts."""
    return all(
        whole == pieces or (whole is not None and pieces is not None and all(map(_is_in(whole), pieces)))
        for whole, pieces in zip(row.keys, part.keys, strict=True)
    )


def _is_in(matches: Sequence[graph.Match]) -> Callable[[graph.Match], bool]:
    return lambda part: any(_contains(match, part) for match in matches)


def _contains(match: graph.Match, part: graph.Match) -> bool:
    ends = (match.low, part.low, part.high, match.high)
    numbers = [end for end in ends if isinstance(end, int | Fraction)]
    return match == part if len(numbers) < len(ends) else numbers == sorted(numbers)


def _size(row: graph.TableRow) -> int:
    """Return how many combinations of values a row accepts; a key that accepts anything counts once."""
    return prod(sum(map(_count, matches)) for matches in row.keys if matches is not None)


def _count(match: graph.Match) -> int:
    if isinstance(match.low, int | Fraction) and isinstance(match.high, int | Fraction):
        return int(match.high - match.low) + 1
    return 1
