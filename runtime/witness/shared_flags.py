"""Add the terms for traits, features and statuses that only another graph has.

A graph has a term for a flag only if some rule is about it. What is printed or marked can be queried in every stack
that declares the word: if one stack has rules on a flag and the other has none, the other answers with what is printed.
"""

import hashlib
from dataclasses import replace
from fractions import Fraction

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
