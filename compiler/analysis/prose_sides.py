"""Sentences about enemies whose law selects friends, or the reverse.

In: a rule of a stack. Out: the word of the sentence, and the law's comparison of sides. Only sentences with one of the
two words are examined, and laws that compare sides in one way only, and query nothing whose name or definition has the
other. Sentences are parsed as English.
"""

import re
from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_polarity
from runtime.graph.walk import walk

ENEMY = re.compile(r"\b(?:enem(?:y|ies)(?:'s)?|foes?|hostile|opponents?|opposing)\b")
FRIEND = re.compile(r"\b(?:friends?|friendly)\b")
FRIENDLY_WORD = re.compile(r"\b(?:friends?|friendly|own)\b")
DENIAL = re.compile(r"\b(?:not|no|nobody|none|nor|never|neither|nothing|cannot|free of|while)\b")
RESTRICTING_WORD = re.compile(r"\b(?:only|unless|alone|but|except\w*|nobody else)\b")
# The depth to which the definitions of queried terms are followed.
MOST_DEFINITION_LEVELS = 3


def other_side(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Return the word for a side, and the law's comparison of sides; None if no difference is found."""
    sentence = rule.prose.lower()
    restricts = rule_polarity(rule) is False and (not DENIAL.search(sentence) or RESTRICTING_WORD.search(sentence))
    return None if restricts else compared_side(rule, stack)  # "Friends alone may pass" forbids others.


def compared_side(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Return the word for a side, and the comparison by which the law selects the other; None if it selects neither."""
    sentence = rule.prose.lower()
    enemy, friend = ENEMY.search(sentence), FRIEND.search(sentence)
    if bool(enemy) == bool(friend):
        return None
    written = (rule.guard, rule.value, rule.names)
    comparisons = set(_compared(written, stack, set(), 0))
    if enemy and comparisons == {"="} and not _turns(written, stack, 0):
        return enemy[0], "only `=` between sides"
    if friend and comparisons == {"!="}:
        return friend[0], "only `!=` between sides"
    return None


def _compared(value: object, stack: graph.Graph, visited_terms: set[str], depth: int) -> Iterator[str]:
    """List the comparisons of sides in a law and in the terms that it queries.

    Names with a word for a party count as one.
    """
    for node in walk(value):
        match node:
            case graph.Op("=" | "!=" as op, (left, right)) if _is_side(left) or _is_side(right):
                yield op
            case graph.Ask(name) if name not in visited_terms:
                visited_terms.add(name)
                yield from _by_name(name)
                term = stack.terms.get(name)
                for label in term.rules if term is not None and depth < MOST_DEFINITION_LEVELS else ():
                    each = stack.rules[label]
                    yield from _compared((each.guard, each.value, each.names), stack, visited_terms, depth + 1)
            case graph.Get(_, _, _, name) | graph.GameTrack(_, name) | graph.Var(name):
                yield from _by_name(name)
            case _:
                pass


def _turns(value: object, stack: graph.Graph, depth: int) -> bool:
    """Return whether a value may invert a comparison: by `every`, `not` or `none`, or a term of many rules."""
    for node in walk(value):
        if isinstance(node, graph.Fold | graph.Op) and node.op in {"every", "not", "none"}:
            return True
        if isinstance(node, graph.Ask):
            term = stack.terms.get(node.term)
            reads_side = any(isinstance(each, graph.Get) and each.name == "side" for each in node.arguments)
            if term is None or len(term.rules) != 1 or depth == MOST_DEFINITION_LEVELS or not reads_side:
                return True
            law = stack.rules[term.rules[0]]
            if law.guard is not None or not _compares(law.value) or _turns(law.value, stack, depth + 1):
                return True
    return False


def _compares(value: object) -> bool:
    return any(
        isinstance(node, graph.Op) and node.op in {"=", "!="} and any(map(_is_side, node.arguments))
        for node in walk(value)
    )


def _by_name(name: str) -> Iterator[str]:
    words = name.replace("_", " ")
    if ENEMY.search(words):
        yield "!="
    if FRIENDLY_WORD.search(words):
        yield "="


def _is_side(expr: graph.Expr) -> bool:
    return (isinstance(expr, graph.Get) and expr.name in {"side", "of", "by"}) or (
        isinstance(expr, graph.Var) and expr.name in {"player", "side", "of", "by"}
    )
