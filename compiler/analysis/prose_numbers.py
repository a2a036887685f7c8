"""Numbers of a sentence that are not those of its law.

In: a rule. Out: the phrase of the sentence and the form of the law, None where they agree or cannot be compared. Only
these are compared: the numbers of a sentence with those of a law, where all but one agree; a bound like "three or
more" with a comparison that differs by at most one; "three units" with `> 3`; "shelters four" with `>= 5`, which
states four by a number that the sentence lacks; "rounded up" with the rounding. Sentences are parsed as English; one in
another language has no numbers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import CONVERSE_ORDER, NUMBER, UNCOUNTED_NUMBERS, forms_of, numeral_value
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

AT_LEAST = re.compile(rf"\b({NUMBER})(?: \w+)? or (?:more|higher|greater)\b|\bat least ({NUMBER})\b")
MORE_PHRASE = re.compile(
    rf"(?<!\bno )(?<!\bnot )\b(?:(?:more|farther|further|longer|higher) than|over|beyond) ({NUMBER})\b"
)
# A sentence with one of these may mean a number that is exceeded, or the last one that is allowed.
BOUNDING_WORD = re.compile(
    r"\b(?:than|over|above|beyond|exceed\w*|past|after|another|up to|within|apart|away|far\w*|distan\w*|may|can"
    r"|holds?|fits?|carr\w+|allow\w*|limit\w*|only|all|maximum|most|room|stack\w*|enough|stays?)\b"
)
AT_MOST = re.compile(
    rf"\b({NUMBER})(?: \w+)? or (?:less|fewer|lower)\b|\b(?:at most|no more than|up to|within) ({NUMBER})\b"
)
FROM_TO = re.compile(rf"\b({NUMBER}) (?:or|to) ({NUMBER})\b")
IN_A_ROW = re.compile(rf"\b{NUMBER}(?:(?:,| or| to)+ (?:an? )?{NUMBER})+\b")
FEWER = re.compile(rf"(?<!\bno )(?<!\bnot )\b(?:less|fewer|nearer|closer|lower) than ({NUMBER})\b")
NUMBER_OR_ROUNDING = re.compile(rf"\b{NUMBER}\b|\bround")
OTHER_WAY = {"round_up": "round_down", "round_down": "round_up"}
ROUNDED = re.compile(r"\bround(?:ed|ing|s)?\b[^.;,]* (up|down)\b")

SMALL_NUMBER = "(?:one|two|three|four|five|six|\\d+)"
ADDS = re.compile(rf"\b(?:adds?|raises?|gains?)\b[^.;,]*?\b{SMALL_NUMBER}\b")
TAKES = re.compile(rf"\b(?:subtracts?|lowers?|loses?)\b[^.;,]*?\b{SMALL_NUMBER}\b|\b(?:back|down) by {SMALL_NUMBER}\b")
MORE_BY_NUMBER = re.compile(rf"\b{NUMBER}(?: [a-z]+s)? (?:more|higher|greater)\b(?! than\b)")
LESS = re.compile(rf"\b{NUMBER}(?: [a-z]+s)? (?:less|fewer|lower)\b(?! than\b)")
BOUND = re.compile(r"\bor (?:more|less|higher|lower|fewer|greater)\b")
ON_A = re.compile(rf"\bon an? ({NUMBER})\b(?! or\b)(?!,? (?:\w+ )?or\b)")

StatedLimit = tuple[str, Fraction]
# Comparisons that split whole numbers below their operand, and the first signs of the two directions.
SPLIT_BELOW, BOTH_ENDS = {"<", ">="}, {"<", ">"}
COMPOUND = re.compile(r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-")


def differing_number(rule: graph.Rule, answer: str, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Return a phrase of a rule's sentence and the number of its law that contradicts it.

    `answer` is what the ruling of the rule answers, or "".
    """
    sentence = rule.prose.lower()
    full_text = f"{sentence} {answer.lower()} {rule.label.replace('-', ' ')}"
    if not NUMBER_OR_ROUNDING.search(full_text):
        return None
    law = list(walk((rule.guard, rule.value, tuple(value for _, value in rule.names))))
    bounds = dict(_compared(law, writer))
    return (
        _rounding(sentence, law)
        or _bounds(sentence, bounds, _counted(rule, law))
        or _numbers(sentence, law, bounds, writer)
        or _strict_bound(full_text, bounds)
        or _off_by_one(sentence, law, bounds)
        or _one_of_several(sentence, law, bounds)
        or _conclusion_amount(sentence, rule, writer)
        or _die_result(sentence, rule, writer)
        or _contrary_sum(sentence, rule, writer)
        or _contrary_contribution(sentence, rule, writer)
    )


def _rounding(sentence: str, law: Sequence[object]) -> tuple[str, str] | None:
    """Compare "rounded up" with the operator; what is subtracted rounds the difference in the other direction."""
    found = ROUNDED.search(sentence)
    operators = {node.op for node in law if isinstance(node, graph.Op) and node.op.startswith("round_")}
    for node in law:
        if isinstance(node, graph.Op) and node.op in {"-", "neg"}:
            away = {each.op for each in walk(node.arguments[-1]) if isinstance(each, graph.Op)}
            operators |= {OTHER_WAY[op] for op in away & OTHER_WAY.keys()}
    if found and operators and f"round_{found[1]}" not in operators:
        return found[0], ", ".join(sorted(operators))
    return None


def _counted(rule: graph.Rule, law: Iterable[object]) -> frozenset[Fraction]:
    """Return the counts at which a law forbids one more: "no more than three" holds where it forbids at three."""
    return frozenset(
        node.arguments[1].value
        for node in law
        if isinstance(node, graph.Op) and node.op == ">=" and rule_answer(rule) is False
        if isinstance(node.arguments[0], graph.Fold) and isinstance(node.arguments[1], graph.Num)
    )


def _bounds(sentence: str, bounds: Mapping[StatedLimit, str], counted: Set[Fraction]) -> tuple[str, str] | None:
    """Compare "three or more" with comparisons to nearly the same number."""
    for phrase, number, equivalents in _sentence_bounds(sentence) if bounds else ():
        if number in counted and AT_MOST.match(phrase):
            continue
        nearby_texts = [text for (_, value), text in bounds.items() if abs(value - number) <= 1]
        if nearby_texts and not equivalents & bounds.keys():
            return phrase, nearby_texts[0]
    return _from_to(sentence, bounds) if len(bounds) == len(BOTH_ENDS) else _one_end(sentence, bounds)


def _strict_bound(sentence: str, bounds: Mapping[StatedLimit, str]) -> tuple[str, str] | None:
    """Compare "three units end it" with `> 3`, which needs four; "more than three" would agree."""
    explained = set[StatedLimit]().union(*(equivalents for _, _, equivalents in _sentence_bounds(sentence)))
    strict = {bound: text for bound, text in bounds.items() if bound[0] == ">" and bound not in explained}
    numbers = {value: text for (_, value), text in strict.items() if value not in UNCOUNTED_NUMBERS}
    if not numbers or BOUNDING_WORD.search(sentence) or FROM_TO.search(sentence):
        return None
    named = {numeral_value(word): word for word in re.findall(rf"\b{NUMBER}\b", sentence)}
    return next(((named[value], text) for value, text in numbers.items() if value in named), None)


def _off_by_one(sentence: str, law: Iterable[object], bounds: Mapping[StatedLimit, str]) -> tuple[str, str] | None:
    """Compare "shelters four" with `>= 5`: for "more than four" the law should have `> 4`."""
    named = {numeral_value(word): word for word in re.findall(rf"\b{NUMBER}\b", sentence)} if bounds else {}
    explained = {number for _, number, _ in _sentence_bounds(sentence)} | {
        numeral_value(word) for found in FROM_TO.finditer(sentence) for word in found.groups()
    }
    written = {node.value for node in law if isinstance(node, graph.Num)}
    for value, text in ((value, text) for (op, value), text in bounds.items() if op == ">="):
        stated_number = value - 1
        if stated_number in named.keys() - explained - written - UNCOUNTED_NUMBERS and value not in {
            *named,
            *UNCOUNTED_NUMBERS,
        }:
            return named[stated_number], text
    # "Three points" with `u.points >= 2`; a count of others may leave out the piece itself.
    for value in _measured_from(law):
        if value + 1 in named.keys() - explained - written - UNCOUNTED_NUMBERS and value not in named:
            return named[value + 1], next(text for (op, other), text in bounds.items() if other == value)
    return None


def _measured_from(law: Iterable[object]) -> Iterator[Fraction]:
    """Yield the numbers from which on a comparison of a track or a printed value holds."""
    for node in law:
        match node:
            case graph.Op(">=", (graph.Get(what="track" | "printed"), graph.Num(value))):
                yield value
            case _:
                pass


def _from_to(sentence: str, bounds: Mapping[StatedLimit, str]) -> tuple[str, str] | None:
    """Compare "two or three", "two to four" with two comparisons that bound the same range, except for one."""
    cuts = {value - (op in SPLIT_BELOW): text for (op, value), text in bounds.items()}
    directions = {op[0] for op, _ in bounds}
    for found in FROM_TO.finditer(sentence) if directions == BOTH_ENDS else ():
        expected_cuts = {numeral_value(found[1]) - 1, numeral_value(found[2])}
        extra_cuts, missing_cuts = cuts.keys() - expected_cuts, expected_cuts - cuts.keys()
        if len(extra_cuts) == len(missing_cuts) == 1 and abs(max(extra_cuts) - max(missing_cuts)) == 1:
            return found[0], cuts[max(extra_cuts)]
    return None


def _one_end(sentence: str, bounds: Mapping[StatedLimit, str]) -> tuple[str, str] | None:
    """Compare "on 1 to 4" with `<= 3`: a single comparison splits at one end of the range, or at neither."""
    for (op, value), text in bounds.items() if len(bounds) == 1 else ():
        cut = value - (op in SPLIT_BELOW)
        for phrase, low, high in _ranges(sentence):
            if cut not in {low - 1, high} and min(abs(cut - low + 1), abs(cut - high)) <= 1:
                return phrase, text
    return None


def _ranges(sentence: str) -> Iterator[tuple[str, Fraction, Fraction]]:
    """List the ranges of numbers in a sentence: "1 to 4", "a 5 or a 6", "1, 2 or 3"."""
    for found in IN_A_ROW.finditer(sentence):
        numbers = [numeral_value(word) for word in re.findall(rf"\b{NUMBER}\b", found[0])]
        steps = {after - before for before, after in pairwise(numbers)}
        if steps == {1} or (len(numbers) == len(BOTH_ENDS) and " to " in found[0] and numbers[0] < numbers[1]):
            yield found[0], numbers[0], numbers[-1]


def _one_of_several(sentence: str, law: Iterable[object], bounds: Mapping[StatedLimit, str]) -> tuple[str, str] | None:
    """Compare "on a 5 or a 6" with `= 6`."""
    equal = {
        part.value
        for node in law
        if isinstance(node, graph.Op) and node.op in {"=", "in"}
        for part in walk(node.arguments)
        if isinstance(part, graph.Num)
    }
    for phrase, low, high in _ranges(sentence) if equal and not bounds else ():
        if (low in equal) != (high in equal) and high - low == 1:
            return phrase, f"= {low if low in equal else high}"
    return None


def _sentence_bounds(sentence: str) -> Iterator[tuple[str, Fraction, set[StatedLimit]]]:
    """List the bounds of a sentence, each with the equivalent comparisons and their negations."""
    for pattern, least in ((AT_LEAST, 0), (FEWER, 0), (MORE_PHRASE, 1), (AT_MOST, 1)):
        for found in pattern.finditer(sentence):
            number = numeral_value(next(filter(None, found.groups())))
            at_least = number + least  # of whole numbers
            equivalents = {(">=", at_least), ("<", at_least), (">", at_least - 1), ("<=", at_least - 1)}
            yield found[0], number, equivalents


def _compared(law: Iterable[object], writer: ExpressionWriter) -> Iterator[tuple[StatedLimit, str]]:
    """List the comparisons with a number, each with its text."""
    for node in law:
        match node:
            case graph.Op(op, (_, graph.Num(value) as number)) if op in CONVERSE_ORDER:
                yield (op, value), f"{op} {writer.text(number)}"
            case graph.Op(op, (graph.Num(value) as number, _)) if op in CONVERSE_ORDER:
                yield (CONVERSE_ORDER[op], value), f"{CONVERSE_ORDER[op]} {writer.text(number)}"


def _numbers(
    sentence: str, law: Iterable[object], bounds: Mapping[StatedLimit, str], writer: ExpressionWriter
) -> tuple[str, str] | None:
    """Compare the numbers of a sentence with those of the law, where both have as many and all but one agree."""
    named = {numeral_value(word): word for word in re.findall(rf"\b{NUMBER}\b", sentence)}
    written = {node.value: writer.text(node) for node in law if isinstance(node, graph.Num)}
    places = (node for node in law if isinstance(node, graph.Place) and any(map(str.isdigit, node.name)))
    written |= {Fraction(node.at): node.name for node in places}
    compared = written.keys() - UNCOUNTED_NUMBERS - set(_identifying_numbers(law))
    # A bound may be stated from either side of it.
    adjacent_numbers = {value + difference for _, value in bounds for difference in (-1, 1)}
    forms = {form: value for value in compared for form in forms_of(value)}
    unmatched_numbers = [
        number for number in named if number not in {*UNCOUNTED_NUMBERS, *written, *forms, *adjacent_numbers}
    ]
    matched_values = {forms[number] for number in named if number in forms}
    left = compared - matched_values
    if (
        len(unmatched_numbers) != 1
        or len(left) != 1
        or len(matched_values) != len(named.keys() - UNCOUNTED_NUMBERS) - 1
    ):
        return None
    [number], [value] = unmatched_numbers, left
    return named[number], written[value]


def _identifying_numbers(law: Iterable[object]) -> Iterator[Fraction]:
    """List the numbers that only identify something: the 14 of situation 14."""
    for node in law:
        if isinstance(node, graph.Op) and node.op in {"=", "!="}:
            yield from (each.value for each in node.arguments if isinstance(each, graph.Num) and not each.measure)


def _conclusion_amount(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare the amounts of a sentence with the law's conclusion, if that is the only number in the law."""
    value = rule.value
    if not isinstance(value, graph.Num) or value.value in UNCOUNTED_NUMBERS:
        return None
    nodes = walk((rule.guard, rule.value, rule.names))
    if sum(isinstance(node, graph.Num | graph.Place | graph.Ask) for node in nodes) != 1:
        return None
    named = {numeral_value(word): word for word in re.findall(rf"\b{NUMBER}\b", sentence)}
    forms = {*forms_of(value.value), 2 * value.value}
    if COMPOUND.search(sentence):
        return None
    compared = [word for number, word in named.items() if number not in UNCOUNTED_NUMBERS]
    return None if not compared or forms & named.keys() else (compared[0], writer.text(value))


def _die_result(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "on a 6" with the numbers in the law."""
    named = {numeral_value(word): phrase for phrase, word in ((each[0], each[1]) for each in ON_A.finditer(sentence))}
    if len(named) != 1:
        return None
    law = [node for node in walk((rule.guard, rule.value)) if isinstance(node, graph.Num)]
    equal = [
        part
        for node in walk((rule.guard, rule.value))
        if isinstance(node, graph.Op) and node.op == "="
        for part in node.arguments
        if isinstance(part, graph.Num)
    ]
    unmatched_phrases = [phrase for number, phrase in named.items() if all(number != each.value for each in law)]
    left = [each for each in equal if each.value not in named]
    return (
        (unmatched_phrases[0], f"= {writer.text(left[0])}") if len(unmatched_phrases) == 1 and len(left) == 1 else None
    )


def _contrary_sum(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "one less" with a sum, and "one more" with a difference."""
    more, less = MORE_BY_NUMBER.search(sentence), LESS.search(sentence)
    if rule.value is None or not (more or less) or BOUND.search(sentence):
        return None
    signs = {node.op: node for node in walk(rule.value) if isinstance(node, graph.Op) and node.op in {"+", "-"}}
    if len(signs) != 1 or not any(isinstance(node, graph.Num) for node in next(iter(signs.values())).arguments):
        return None
    [(sign, node)] = signs.items()
    wrong, right = (less, more) if sign == "+" else (more, less)
    return (wrong[0], writer.text(node)) if wrong and not right else None


def _contrary_contribution(sentence: str, rule: graph.Rule, writer: ExpressionWriter) -> tuple[str, str] | None:
    """Compare "add two" with a contribution below zero, and "subtract two" with one above."""
    if rule.verb != "adds" or not isinstance(rule.value, graph.Num) or not rule.value.value:
        return None
    up, down = ADDS.search(sentence), TAKES.search(sentence)
    wrong = up if rule.value.value < 0 else down
    right = down if rule.value.value < 0 else up
    return (wrong[0], f"adds {writer.text(rule.value)}") if wrong and not right else None
