"""Sentences with "half", "twice" or a denial whose law has nothing to that effect.

In: a rule. Out: the word of the sentence, and the law's form. Only laws are reported in which nothing can mean that
word: a value without a division, a lookup in a chart, a count or a name with "half"; a prohibition without a number; a
permission that defeats no rule and has no negation in its condition. Sentences are parsed as English.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import numeral_value
from runtime.graph import nodes as graph
from runtime.graph.operators import COMPARISONS
from runtime.graph.verbs import rule_polarity
from runtime.graph.walk import walk

HALF_PHRASE = re.compile(r"\bhalf (?:of )?(?:the|its|their|his|what|as)\b")
REPETITION = re.compile(r"\b(?:twice|thrice|(?:three|four|five) times)\b(?! as\b)")
NOBODY_PHRASE = re.compile(r"\b(?:nobody|no one|never)\b(?! else\b)")
FACTOR_OF_WORD = {"twice": 2, "thrice": 3}
DENYING_OPS, DENYING_PASSES = {"not", *COMPARISONS} - {"="}, {"none", "every"}


def missing_factor(rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a word of the sentence that nothing in the law expresses, and the law; None if there is none."""
    sentence = rule.prose.lower()
    law = list(walk((rule.guard, rule.value, tuple(value for _, value in rule.names))))
    if (
        rule.value is not None
        and rule.verb == "is"
        and (found := HALF_PHRASE.search(sentence))
        and not _halves(law, rule)
    ):
        return found[0], writer.text(rule.value)
    if rule_polarity(rule) is False and (found := REPETITION.search(sentence)):
        multiple = FACTOR_OF_WORD.get(found[0]) or numeral_value(found[0].split()[0])
        once = multiple == 2 and any(isinstance(node, graph.Test) and node.what == "status" for node in law)
        return None if once or _numbers(law) & {multiple, multiple - 1} or _compares(law) else (found[0], rule.verb)
    denies = any(map(_is_denial, law))
    if rule_polarity(rule) and not rule.defeats and (found := NOBODY_PHRASE.search(sentence)) and not denies:
        return found[0], rule.verb
    return None


def _numbers(law: Sequence[object]) -> set[Fraction]:
    return {node.value for node in law if isinstance(node, graph.Num)}


def _compares(law: Sequence[object]) -> bool:
    """Return whether a law compares an amount, which may be a name for the number."""
    return _may_compute_number(law) or any(isinstance(node, graph.Op) and node.op in COMPARISONS for node in law)


def _may_compute_number(law: Sequence[object]) -> bool:
    """Return whether a law looks up a chart or has a fold, whose value may be the number."""
    return any(isinstance(node, graph.Cell | graph.Fold) for node in law)


def _halves(law: Sequence[object], rule: graph.Rule) -> bool:
    divided = any(isinstance(node, graph.Op) and node.op == "/" for node in law)
    named = any("half" in str(getattr(node, "name", "")) for node in (*law, rule))
    # "Has lost half of its crew" is also `lost * 2 >= crew`.
    doubled = any(
        isinstance(node, graph.Op) and node.op == "*" and 2 in _numbers(node.arguments) for node in walk(rule.guard)
    )
    return divided or named or doubled or _may_compute_number(law) or Fraction(1, 2) in _numbers(law)


def _is_denial(node: object) -> bool:
    match node:
        case graph.Op(op=op):
            return op in DENYING_OPS or "not" in op
        case graph.Fold(op=op):
            return op in DENYING_PASSES
        case graph.Is(negated=negated) | graph.Has(negated=negated):
            return negated
        case graph.Num(value=value) | graph.Truth(value=value):
            return not value
        case _:
            return False
