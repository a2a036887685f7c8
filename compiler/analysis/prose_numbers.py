"""Numbers of a sentence that are not those of its law.

In: a rule. Out: the phrase of the sentence and the form of the law, None where they agree or cannot be compared. The
bound of a sentence and a comparison of whole numbers both cut between two numbers: "three or more", `< 3` and `>= 3`
cut below three, "at most three" and `> 3` above it. A bound differs from its law if a comparison cuts one number beside
it, and none where it does. Other numbers differ if all of sentence and law agree but one of each. Sentences are parsed
as English; one in another language has no numbers.
"""

import re
from collections.abc import Iterator, Sequence
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
ABOVE = re.compile(
    rf"\b({NUMBER})(?: \w+)? or (?:less|fewer|lower)\b|\b(?:at most|no more than|up to|within) ({NUMBER})\b"
    rf"|(?<!\bno )(?<!\bnot )\b(?:(?:more|farther|further|longer|higher) than|over|beyond) ({NUMBER})\b"
)
RANGE = re.compile(rf"\b({NUMBER}) (?:or|to) (?:an? )?({NUMBER})\b")
NUMBER_WORD = re.compile(rf"\b{NUMBER}\b")
COMPOUND = re.compile(r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-")
# The comparisons that cut below their number; the other two cut above it.
CUTS_BELOW = frozenset({"<", ">="})
CUTTING = CUTS_BELOW | {">", "<="}


class StatedBound(NamedTuple):
    """A phrase of a sentence with its numbers, and the places at which it cuts: `n` between n and n + 1."""

    phrase: str
    numbers: tuple[Fraction, ...]
    cuts: frozenset[Fraction]


class LawNumber(NamedTuple):
    """A number of a law with its text, the operator of its comparison, "" without one, and the places of its cut.

    `is_measured` for one that is compared with a track or a printed figure.
    """

    value: Fraction
    text: str
    operator: str = ""
    cuts: frozenset[Fraction] = frozenset()
    is_measured: bool = False


def differing_number(rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a phrase of a rule's sentence and the number of its law that contradicts it."""
    sentence = rule.prose.lower()
    if not NUMBER_WORD.search(sentence) or COMPOUND.search(sentence):
        return None
    law = list(_law_numbers(rule, writer))
    bounds = list(_stated_bounds(sentence))
    return _differing_bound(bounds, law) or _differing_amount(sentence, bounds, law)


def _stated_bounds(sentence: str) -> Iterator[StatedBound]:
    for pattern, offset in ((BELOW, -1), (ABOVE, 0)):
        for phrase in pattern.finditer(sentence):
            number = numeral_value(next(filter(None, phrase.groups())))
            yield StatedBound(phrase[0], (number,), frozenset({number + offset}))
    for phrase in RANGE.finditer(sentence):
        low, high = numeral_value(phrase[1]), numeral_value(phrase[2])
        if low < high:
            yield StatedBound(phrase[0], (low, high), frozenset({low - 1, high}))


def _law_numbers(rule: graph.Rule, writer: ExpressionWriter) -> Iterator[LawNumber]:
    """Yield the numbers of a law: those of comparisons first, then all."""
    law = list(walk((rule.guard, rule.value, tuple(value for _, value in rule.names))))
    compared: set[int] = set()
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
        # "No more than three" also holds where the law forbids one more to three others.
        is_limit = isinstance(other, graph.Fold) and op == ">=" and rule_answer(rule) is False
        cuts = frozenset({cut, number.value}) if is_limit else frozenset({cut})
        is_measured = isinstance(other, graph.Get) and other.what in {"track", "printed"}
        yield LawNumber(number.value, f"{op} {writer.text(number)}", op, cuts, is_measured)
    for node in law:
        if isinstance(node, graph.Num) and id(node) not in compared:
            yield LawNumber(node.value, writer.text(node))
        elif isinstance(node, graph.Place) and any(map(str.isdigit, node.name)):
            yield LawNumber(Fraction(node.at), node.name)


def _differing_bound(bounds: Sequence[StatedBound], law: Sequence[LawNumber]) -> tuple[str, str] | None:
    """Compare "three or more" with comparisons that cut at most one number beside it."""
    for bound in bounds:
        near = [each for each in law if any(abs(cut - other) <= 1 for cut in each.cuts for other in bound.cuts)]
        if near and not any(each.cuts & bound.cuts for each in near):
            return bound.phrase, near[0].text
    return None


def _differing_amount(sentence: str, bounds: Sequence[StatedBound], law: Sequence[LawNumber]) -> tuple[str, str] | None:
    """Compare the numbers of a sentence with those of its law, where all but one of each agree."""
    stated = {numeral_value(word): word for word in NUMBER_WORD.findall(sentence)}
    for bound in bounds:
        if any(bound.cuts & number.cuts for number in law):
            law = [number for number in law if not bound.cuts & number.cuts]
            stated = {value: word for value, word in stated.items() if value not in bound.numbers}
    unmatched_words = [
        word
        for value, word in stated.items()
        if value not in UNCOUNTED_NUMBERS and not any(_may_state(value, number) for number in law)
    ]
    unmatched_numbers = {
        number.value: number.text
        for number in law
        if number.value not in UNCOUNTED_NUMBERS and not any(_may_state(value, number) for value in stated)
    }
    if len(unmatched_words) == len(unmatched_numbers) == 1:
        return unmatched_words[0], next(iter(unmatched_numbers.values()))
    return None


def _may_state(value: Fraction, number: LawNumber) -> bool:
    """Return whether a number that a sentence states without a bound may be that of a law.

    A comparison may be stated from either side, but whoever writes `>= 5` means five: six only of a count, which may
    leave out the piece itself.
    """
    if number.value and value in forms_of(number.value):
        return True
    if number.operator == ">=":
        return not number.is_measured and value == number.value + 1
    return bool(number.operator) and abs(value - number.value) == 1
