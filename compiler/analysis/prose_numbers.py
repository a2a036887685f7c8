"""Numbers of a sentence that are not those of its law.

In: a rule. Out: the phrase of the sentence and the form of the law, None where they agree or cannot be compared. The
bound of a sentence and a comparison of whole numbers both cut between two numbers: "three or more", `< 3` and `>= 3`
cut below three, "at most three" and `> 3` above it. A bound differs from its law if a comparison cuts one number beside
it, and none where it does. Other numbers differ if all of sentence and law agree but one of each, if a comparison has
the number beside the only one that disagrees, or if the only number of the law is none of theirs. A number that only
identifies, as the 14 of situation 14, is compared with a die result alone. Sentences are parsed as English; one in
another language has no numbers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import NUMBER, UNCOUNTED_NUMBERS, forms_of, numeral_value
from runtime.graph import nodes as graph
from runtime.graph.operators import MIRRORED
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

# The phrases that cut below their number, those that cut above it, and those that do both.
BELOW = re.compile(
    rf"\b({NUMBER})(?: \w+)? or (?:more|higher|greater)\b|\bat least ({NUMBER})\b"
    rf"|(?<!\bno )(?<!\bnot )\b(?:less|fewer|nearer|closer|lower) than ({NUMBER})\b"
)
ABOVE = re.compile(rf"(?<!\bno )(?<!\bnot )\b(?:(?:more|farther|further|longer|higher) than|over|beyond) ({NUMBER})\b")
AT_MOST = re.compile(
    rf"\b({NUMBER})(?: \w+)? or (?:less|fewer|lower)\b|\b(?:at most|no more than|up to|within) ({NUMBER})\b"
)
DIE_RESULT = re.compile(rf"\bon an? ({NUMBER})\b")
RANGE = re.compile(rf"\b({NUMBER}) (?:or|to) (?:an? )?({NUMBER})\b")
NUMBER_WORD = re.compile(rf"\b{NUMBER}\b")
COMPOUND = re.compile(r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-")
# The comparisons that cut below their number; the other two cut above it.
CUTS_BELOW = frozenset({"<", ">="})
CUTTING = CUTS_BELOW | {">", "<="}


class _LawNumber(NamedTuple):
    """A number of a law with its text, the operator of its comparison, "" without one, and the place of its cut.

    `is_measured` for one that is compared with a track or a printed figure, `is_limit` for a count at which the law
    forbids one more.
    """

    value: Fraction
    text: str
    operator: str = ""
    cut: Fraction | None = None
    is_measured: bool = False
    is_limit: bool = False


class _StatedBound(NamedTuple):
    """A phrase of a sentence with its numbers, and the places at which it cuts: `n` between n and n + 1."""

    phrase: str
    numbers: tuple[Fraction, ...]
    cuts: frozenset[Fraction]
    is_limit: bool = False

    def agrees_with(self, number: _LawNumber, cut: Fraction) -> bool:
        """Return whether a law cuts where the bound does; "no more than three" may forbid one more to three others."""
        return number.cut == cut or (self.is_limit and number.is_limit and number.value == cut)


def differing_number(rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a phrase of a rule's sentence and the number of its law that contradicts it."""
    sentence = rule.prose.lower()
    if not NUMBER_WORD.search(sentence) or COMPOUND.search(sentence):
        return None
    law = list(_law_numbers(rule, writer))
    bounds = list(_stated_bounds(sentence))
    return _differing_bound(bounds, law) or _differing_amount(sentence, bounds, law)


def _stated_bounds(sentence: str) -> Iterator[_StatedBound]:
    for pattern, offset in ((BELOW, -1), (ABOVE, 0), (AT_MOST, 0)):
        for phrase in pattern.finditer(sentence):
            number = numeral_value(next(filter(None, phrase.groups())))
            yield _StatedBound(phrase[0], (number,), frozenset({number + offset}), pattern is AT_MOST)
    for phrase in RANGE.finditer(sentence):
        low, high = numeral_value(phrase[1]), numeral_value(phrase[2])
        if low < high:
            yield _StatedBound(phrase[0], (low, high), frozenset({low - 1, high}))


def _law_numbers(rule: graph.Rule, writer: ExpressionWriter) -> Iterator[_LawNumber]:
    """Yield the numbers of a law: those of comparisons first, then all."""
    law = list(walk((rule.guard, rule.value, tuple(value for _, value in rule.names))))
    compared, identifying = set[int](), _identifying_numbers(law)
    for node in law:
        match node:
            case graph.Op(op, (other, graph.Num() as number)) if op in CUTTING:
                pass
            case graph.Op(op, (graph.Num() as number, other)) if op in CUTTING:
                op = MIRRORED[op]
            case _:
                continue
        compared.add(id(number))
        cut = number.value - 1 if op in CUTS_BELOW else number.value
        is_measured = isinstance(other, graph.Get) and other.what in {"track", "printed"}
        is_limit = isinstance(other, graph.Fold) and op == ">=" and rule_answer(rule) is False
        yield _LawNumber(number.value, f"{op} {writer.text(number)}", op, cut, is_measured, is_limit)
    for node in law:
        if isinstance(node, graph.Num) and id(node) in identifying:
            yield _LawNumber(node.value, f"= {writer.text(node)}", "=")
        elif isinstance(node, graph.Num) and id(node) not in compared:
            yield _LawNumber(node.value, writer.text(node))
        elif isinstance(node, graph.Place) and any(map(str.isdigit, node.name)):
            yield _LawNumber(Fraction(node.at), node.name)


def _identifying_numbers(law: Sequence[object]) -> set[int]:
    """Return the identities of the numbers without a measure that something is or is not: `scenario.number = 14`."""
    equations = [node for node in law if isinstance(node, graph.Op) and node.op in {"=", "!="}]
    arguments = [part for node in equations for part in node.arguments]
    return {id(part) for part in arguments if isinstance(part, graph.Num) and not part.measure}


def _differing_bound(bounds: Sequence[_StatedBound], law: Sequence[_LawNumber]) -> tuple[str, str] | None:
    """Compare "three or more" with comparisons that cut at most one number beside it."""
    for bound in bounds:
        for cut in bound.cuts:
            near = [number for number in law if number.cut is not None and abs(number.cut - cut) <= 1]
            if near and not any(bound.agrees_with(number, cut) for number in near):
                return bound.phrase, near[0].text
    return None


def _differing_amount(
    sentence: str, bounds: Sequence[_StatedBound], law: Sequence[_LawNumber]
) -> tuple[str, str] | None:
    """Compare the numbers of a sentence that no bound has with those of its law."""
    stated = {numeral_value(word): word for word in NUMBER_WORD.findall(sentence)}
    others = list(law)
    for bound in bounds:
        agreeing = [number for number in others if any(bound.agrees_with(number, cut) for cut in bound.cuts)]
        if agreeing:
            others = [number for number in others if number not in agreeing]
            stated = {value: word for value, word in stated.items() if value not in bound.numbers}
    words = {
        value: word
        for value, word in stated.items()
        if value not in UNCOUNTED_NUMBERS and not any(_may_state(value, number) for number in others)
    }
    left = {
        number.value: number
        for number in others
        if number.value not in UNCOUNTED_NUMBERS and not any(_may_state(value, number) for value in stated)
    }
    return _unmatched_pair(sentence, words, left, is_only=len(law) == 1 and len(words) == len(stated))


def _unmatched_pair(
    sentence: str, words: Mapping[Fraction, str], left: Mapping[Fraction, _LawNumber], *, is_only: bool
) -> tuple[str, str] | None:
    """Return a number of a sentence and the one of its law that should be it; `is_only` if the law has no other."""
    if not words or not left or (len(words) > 1 and not is_only):
        return None
    value, word = next(iter(words.items()))
    beside = [number for number in left.values() if number.operator in CUTTING and abs(number.value - value) == 1]
    candidates = beside or list(left.values())
    if len(candidates) > 1:
        return None
    if candidates[0].operator == "=":
        result = DIE_RESULT.search(sentence)
        return (result[0], candidates[0].text) if result else None
    return word, candidates[0].text


def _may_state(value: Fraction, number: _LawNumber) -> bool:
    """Return whether a number that a sentence states without a bound may be that of a law.

    A comparison may be stated from either side, but whoever writes `>= 5` means five: six only of a count, which may
    leave out the piece itself.
    """
    if number.value and value in forms_of(number.value):
        return True
    if number.operator == ">=":
        return not number.is_measured and value == number.value + 1
    return number.operator in CUTTING and abs(value - number.value) == 1
