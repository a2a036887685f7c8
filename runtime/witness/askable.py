"""Let two graphs be asked about the same traits, features and statuses.

A graph has a term for a flag only where some rule speaks on it. What is printed or marked can be asked in every stack
that has the word: where one stack has rules on a flag and the other has none, the other answers with what is printed.
"""

import hashlib
from dataclasses import replace

from runtime.graph import nodes as graph


def with_flags_of(rules: graph.Graph, other: graph.Graph) -> graph.Graph:
    """Give a graph a term without rules for each flag that only another graph has rules on."""
    more = {
        name: replace(term, rules=())
        for name, term in other.terms.items()
        if term.form == "flag" and name not in rules.terms and name in rules.vocabulary.flags
    }
    if not more:
        return rules
    hashed = hashlib.sha256(" ".join((rules.hash, *sorted(more))).encode()).hexdigest()
    return replace(rules, terms={**rules.terms, **more}, hash=hashed)
