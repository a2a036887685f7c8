"""Terms that ask each other in a circle, or so deep or so often that no answer would come back.

In: terms and rules of the graph. Out: a problem for each circle, for a chain that goes on too long, and for a term
that would have others asked millions of times: each of a chain need only ask the next one twice.
"""

from collections import Counter
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
# Those of printed games ask others some hundred times, counted through all that these ask.
MOST_ASKED = 1_000_000
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


def _asked_otherwise(term: graph.Term) -> Counter[str]:
    return Counter(asked_terms(term.otherwise))


def term_cycles(
    terms: Mapping[str, graph.Term], rules: Mapping[str, graph.Rule], known: Mapping[str, Signature], kept: Kept
) -> list[Problem]:
    """Follow every term to those it asks, and those to theirs."""

    def asked(rule: graph.Rule) -> Counter[str]:
        return kept.of("asked", rule, lambda: Counter(asked_terms((rule.names, rule.guard, rule.value))))

    asks: dict[str, dict[str, int]] = {}
    for name, term in terms.items():
        others = Counter(kept.of("asked", term, partial(_asked_otherwise, term)))
        for label in term.rules:
            others.update(asked(rules[label]))
        asks[name] = {other: others[other] for other in sorted(others) if other in terms}
    found: list[Problem] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if len(path) > DEEPEST:
            said = f"`{path[0]}` asks others that ask others, more than {DEEPEST} deep"
            found.append(Misplaced(known[path[0]].span, said, "let one of them answer without asking the next"))
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
    return found or _asked_too_often(asks, known)


def _asked_too_often(asks: Mapping[str, Mapping[str, int]], known: Mapping[str, Signature]) -> list[Problem]:
    """Count how often an answer has others asked; report the terms that begin to ask too often."""
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
    said = f"an answer to `{{}}` would have others asked more than {MOST_ASKED:,} times, through all that these ask"
    advice = "give what is asked again and again a name with `with`, or let fewer of them ask twice"
    return [Misplaced(known[name].span, said.format(name), advice) for name in beginning]
