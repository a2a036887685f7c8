"""Sentences that count differently from their law where one of the two has the number one.

In: a rule or a procedure. Out: the phrase of the sentence, and the law's form. "One" occurs in prose without counting,
so only these phrases are compared: "one point less" with a law that subtracts two, "two points less" with one that
divides by two, "adds two" with a law whose only number is one, "room for three" with a law that forbids at two, "loses
a column" or "one column lower" with a law that adds one. Of a procedure, the only number of its sentence is compared
with the only number of its steps.
"""

import re
from collections.abc import Iterable

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import AUXILIARIES, NUMERALS_IN_ORDER, UNCOUNTED_NUMBERS, numeral_value
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

COUNT = rf"(?:(?<![-/\d])\d+(?![-/\d])|{'|'.join(sorted(NUMERALS_IN_ORDER, key=len, reverse=True))})"
ONE_MORE = re.compile(r"\b(?:one|1|a single) (?:\w+ ){1,2}(?:less|fewer|more|farther|further|extra)\b")
SHIFTED = re.compile(rf"\b({COUNT}) (?:\w+ ){{1,2}}(?:less|fewer|more)\b(?! than)")
CAPACITY = re.compile(rf"\broom for ({COUNT})\b|\bno more than ({COUNT})\b|\bat most ({COUNT})\b")
# Numbers that differ by more are unlikely to be about the same thing.
LARGEST_AMOUNT_GAP = 2
GAINS = re.compile(rf"\b(?:gains?|adds?|plus)\b|\b{COUNT} (?:\w+ more|(?:\w+ )?higher)\b(?! than)")
LOSSES = re.compile(
    rf"\b(?:loses?|losing|subtracts?|minus)\b|\b{COUNT} (?:\w+ (?:less|fewer)|(?:\w+ )?lower)\b(?! than)"
)


def contrary_amounts(
    rule: graph.Rule, sentence: str, law: Iterable[object], writer: ExpressionWriter
) -> tuple[str, str] | None:
    """Return a number of a sentence and the differing one of its law, if one of them is one or has a wrong measure."""
    law = tuple(law)
    numbers = [node for node in law if isinstance(node, graph.Num)]
    named = [word for word in re.findall(rf"\b{COUNT}\b", sentence) if numeral_value(word) not in UNCOUNTED_NUMBERS]
    return (
        _one_for_more(sentence, named, numbers, writer)
        or _more_for_one(rule, sentence, named, numbers, writer)
        or _scaled(rule, sentence, law)
        or _capacity(rule, sentence)
        or _measured(sentence, numbers, writer)
    )


def _one_for_more(
    sentence: str, named: list[str], numbers: list[graph.Num], writer: ExpressionWriter
) -> tuple[str, str] | None:
    """Compare "one point less" with a law that subtracts two."""
    found = ONE_MORE.search(sentence)
    compared = {number.value: number for number in numbers if number.value not in UNCOUNTED_NUMBERS}
    if not found or named or len(compared) != 1 or any(number.value in {1, -1} for number in numbers):
        return None
    return found[0], writer.text(next(iter(compared.values())))


def _more_for_one(
    rule: graph.Rule, sentence: str, named: list[str], numbers: list[graph.Num], writer: ExpressionWriter
) -> tuple[str, str] | None:
    """Compare "adds two" or "two points less" with a conclusion that adds or subtracts one, and no other number."""
    value = rule.value
    if isinstance(value, graph.Op) and value.op in {"+", "-"} and SHIFTED.search(sentence):
        value = value.arguments[-1]
    if len(named) != 1 or not isinstance(value, graph.Num) or abs(value.value) != 1 or len(numbers) > 1:
        return None
    verb = rf"\b(?:adds?|subtracts?|costs?|worth|gains?|loses?|pays?|takes?|is|are) {named[0]}\b"
    measured = re.search(rf"{verb}|\b{named[0]} (?:\w+ )?(?:points|columns)\b", sentence)
    return (named[0], writer.text(value)) if measured and not re.search(r"\b(?:one|1)\b", sentence) else None


def _scaled(rule: graph.Rule, sentence: str, law: Iterable[object]) -> tuple[str, str] | None:
    """Compare "two points less" with a law that divides by two and subtracts nothing."""
    found = SHIFTED.search(sentence)
    operators = {node.op for node in law if isinstance(node, graph.Op)} & {"+", "-", "neg", "*", "/"}
    if found is None or rule.verb != "is" or not operators <= {"*", "/"}:
        return None
    return next(((found[0], f"{op} {numeral_value(found[1])}") for op in sorted(operators)), None)


def _capacity(rule: graph.Rule, sentence: str) -> tuple[str, str] | None:
    """Compare "room for three" with a law that forbids at a count of two."""
    counts = [
        node.arguments[1].value + (node.op == ">")
        for node in walk(rule.guard)
        if isinstance(node, graph.Op) and node.op in {">", ">="} and rule_answer(rule) is False
        if isinstance(node.arguments[0], graph.Fold) and isinstance(node.arguments[1], graph.Num)
    ]
    found = CAPACITY.search(sentence)
    if found is None or len(counts) != 1:
        return None
    number = numeral_value(next(filter(None, found.groups())))
    return (found[0], f">= {counts[0]}") if abs(number - counts[0]) == 1 and number not in UNCOUNTED_NUMBERS else None


def _measured(sentence: str, numbers: list[graph.Num], writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "ten points" with `10 hexes`: a number with the name of another measure, or of a kind."""
    words = writer.vocabulary
    called = {name: _stems(f"{name} {reads}") for name, reads in words.measures.items()}
    others = [*called.values(), *(_stems(f"{name} {each.reads}") for name, each in words.kinds.items())]
    for count, noun in re.findall(rf"\b({COUNT}) ([a-z]+)", sentence):
        measures = {each.measure for each in numbers if each.value == numeral_value(count) not in UNCOUNTED_NUMBERS}
        known = [called.get(measure, set()) for measure in measures]
        named = noun not in AUXILIARIES and any(_stems(noun) <= other for other in others)
        if measures and all(known) and named and not any(measure_stems & _stems(sentence) for measure_stems in known):
            return f"{count} {noun}", next(writer.text(each) for each in numbers if each.value == numeral_value(count))
    return None


def _stems(text: str) -> set[str]:
    """Return the words of a text without plural endings."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())}


def contrary_sign(rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "gains" and "loses" with the sign of the amount that a rule adds."""
    value = rule.value
    if rule.verb != "adds" or not isinstance(value, graph.Num) or not value.value:
        return None
    gains, losses = GAINS.search(rule.prose.lower()), LOSSES.search(rule.prose.lower())
    wrong, right = (losses, gains) if value.value > 0 else (gains, losses)
    return (wrong[0], f"adds {writer.text(value)}") if wrong and not right else None


def procedure_amounts(procedure: graph.Procedure, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare the only number of a procedure's sentence with the only number of its steps."""
    sentence = procedure.prose.lower()
    named = {numeral_value(word): word for word in re.findall(rf"\b{COUNT}\b", sentence)}
    numbers = {node.value: node for node in walk(procedure.body) if isinstance(node, graph.Num)}
    written = {value: node for value, node in numbers.items() if value not in UNCOUNTED_NUMBERS}
    if len(named) != 1 or len(written) != 1 or any(value in UNCOUNTED_NUMBERS for value in named):
        return None
    [(number, word)], [(value, node)] = named.items(), written.items()
    return None if number == value or abs(number - value) > LARGEST_AMOUNT_GAP else (word, writer.text(node))
