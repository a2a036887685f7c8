"""The call graph of terms: cycles, chains that are too long, and answers that take too many queries.

In: the queries of each term, in its default and its rules. Out: the problems.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from compiler.query.database import Database
from compiler.source.finding import Finding
from compiler.source.span import NOWHERE
from compiler.typed.environment import Signature
from compiler.typed.findings.invalid_constructs import InvalidConstruct, TermCycle
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried

# Printed games have about a dozen levels. Answers are evaluated by nested calls, of which Python allows a thousand.
LONGEST_CALL_CHAIN = 100
# In printed games, an answer takes some hundred queries, counted transitively.
MOST_ASKED = 1_000_000


class BuiltTerms(NamedTuple):
    """The rules and terms of a stack before it is a graph."""

    rules: Mapping[str, graph.Rule]
    terms: Mapping[str, graph.Term]


def question_counts(term: graph.Term, built: BuiltTerms, database: Database) -> dict[str, int]:
    """Return how often a term, in its default and its rules, queries each term, by name."""
    term_rules = rules_of_term(built, term)
    return database.derive("terms asked", (term, *term_rules), partial(_count_calls, term, term_rules))


def _count_calls(term: graph.Term, rules: Iterable[graph.Rule]) -> dict[str, int]:
    others = Counter(terms_queried((term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules))))
    return {other: others[other] for other in sorted(others)}


def call_graph_problems(asks: Mapping[str, Mapping[str, int]], signatures: Mapping[str, Signature]) -> list[Finding]:
    """Return the problems of the call graph; `asks` has the number of queries from each term to the others."""
    if _harmless(asks):
        return []
    asks = {name: {other: times for other, times in others.items() if other in asks} for name, others in asks.items()}
    found: list[Finding] = []
    visited: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if len(path) > LONGEST_CALL_CHAIN:
            message = f"`{path[0]}` depends on a chain of more than {LONGEST_CALL_CHAIN} questions"
            found.append(
                InvalidConstruct(signatures[path[0]].span, message, "let one of them be answered without the next")
            )
            visited.update(asks)
        elif name in path:
            circle = path[path.index(name) :]
            spans = tuple(signatures[part].span for part in circle if signatures[part].span != NOWHERE)
            found.append(TermCycle(spans, tuple(circle)))
            visited.update(circle)
        elif name not in visited:
            for other in asks[name]:
                visit(other, [*path, name])
            visited.add(name)

    for name in sorted(asks):
        visit(name, [])
    return found or _excessive_calls(asks, signatures)


def _harmless(asks: Mapping[str, Mapping[str, int]]) -> bool:
    """Return whether the graph has no cycle, no long chain and no excessive number of queries.

    Names that are no terms are ignored, as they are not evaluated.
    """
    often: dict[str, int] = {}
    deep: dict[str, int] = {}

    def count(name: str, level: int) -> None:
        # Provisional values until all callees are counted: a cycle, or a chain that is too long, exceeds the depth.
        often[name], deep[name] = 0, LONGEST_CALL_CHAIN
        depth, times = 0, 1
        for other, so_often in asks[name].items():
            if other not in often:
                if other not in asks:
                    continue
                if level == LONGEST_CALL_CHAIN:
                    depth = LONGEST_CALL_CHAIN
                    break
                count(other, level + 1)
            times += so_often * often[other]
            depth = max(depth, deep[other])
        often[name], deep[name] = times, depth + 1

    for name in asks:
        if name not in often:
            count(name, 1)
    return max(deep.values(), default=0) <= LONGEST_CALL_CHAIN and max(often.values(), default=0) <= MOST_ASKED


def _excessive_calls(asks: Mapping[str, Mapping[str, int]], signatures: Mapping[str, Signature]) -> list[Finding]:
    """Count the queries of each answer transitively; report the lowest terms that exceed the limit."""
    often: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in often:
            often[name] = 1 + sum(times * count(other) for other, times in asks[name].items())
        return often[name]

    beginning = (
        name
        for name in sorted(asks)
        if count(name) > MOST_ASKED and all(often[other] <= MOST_ASKED for other in asks[name])
    )
    message = f"an answer to `{{}}` would take more than {MOST_ASKED:,} other questions"
    advice = "use `with` to name what is asked repeatedly, or ask it less often"
    return [InvalidConstruct(signatures[name].span, message.format(name), advice) for name in beginning]
