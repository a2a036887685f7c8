"""Terms that ask each other in a circle, or so deep that no answer would come back.

In: terms and rules of the graph. Out: a problem for each circle, and for a chain that goes on too long.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from typing import Any

from compiler.source.kept import Kept
from compiler.source.span import NOWHERE
from compiler.typed.problems import Misplaced, Problem, TermCycle
from compiler.typed.world import Signature
from runtime.graph import nodes as graph

# Printed games get to about a dozen. Answers are worked out by nested calls, of which Python allows a thousand.
DEEPEST = 100
FLAGS = {"trait", "feature", "status"}


def asked_terms(node: object) -> Iterator[str]:
    """Every term an expression asks, flags among them."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo += part
            continue
        if isinstance(part, graph.Ask):
            yield part.term
        elif isinstance(part, graph.Is):
            yield from (f"{test.owner}.{test.name}" for test in part.tests if test.what in FLAGS)
        kind: Any = type(part)
        todo += [getattr(part, name) for name in _parts(kind)]


@cache
def _parts(type_: Any) -> tuple[str, ...]:
    """The fields of a node; what is no node has none."""
    return tuple(part.name for part in fields(type_)) if is_dataclass(type_) else ()


def _asked_otherwise(term: graph.Term) -> frozenset[str]:
    return frozenset(asked_terms(term.otherwise))


def term_cycles(
    terms: Mapping[str, graph.Term], rules: Mapping[str, graph.Rule], known: Mapping[str, Signature], kept: Kept
) -> list[Problem]:
    """Follow every term to those it asks, and those to theirs."""

    def asked(rule: graph.Rule) -> frozenset[str]:
        return kept.of("asked", rule, lambda: frozenset(asked_terms((rule.names, rule.guard, rule.value))))

    asks: dict[str, list[str]] = {}
    for name, term in terms.items():
        otherwise = kept.of("asked", term, partial(_asked_otherwise, term))
        others = otherwise.union(*(asked(rules[label]) for label in term.rules))
        asks[name] = sorted(other for other in others if other in terms)
    found: list[Problem] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if len(path) > DEEPEST:
            why = f"questions that ask each other may go {DEEPEST} deep, and this goes on"
            found.append(Misplaced(known[path[0]].span, f"`{path[0]}`", why))
            done.update(asks)
        elif name in path:
            circle = path[path.index(name) :]
            spans = tuple(known[part].span for part in circle if known[part].span != NOWHERE)
            found.append(TermCycle(spans, tuple(circle)))
            done.update(circle)
        elif name not in done:
            for other in asks[name]:
                visit(other, [*path, name])
            done.add(name)

    for name in sorted(terms):
        visit(name, [])
    return found
