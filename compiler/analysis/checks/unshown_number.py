"""Rulings whose answer has a number of a measure, while their examples have only other numbers of it.

"At two points" needs an example with 2 MP in it, or with numbers that differ by two. Rulings without a number of a
measure in their answer, or without examples that have one, are skipped. Sentences are parsed as English.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.numerals import NUMERALS_IN_ORDER, measure_nouns, numeral_value
from compiler.analysis.omissions import UnshownNumber
from compiler.analysis.parties import ruling_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

COUNT_AND_WORD = re.compile(rf"\b(\d+|{'|'.join(NUMERALS_IN_ORDER)}) (\w+)(?! (?:more|less|fewer))")


def unshown_number(stack: graph.Graph) -> Iterator[Problem]:
    """Find such rulings."""
    nouns = measure_nouns(stack)
    writer = ExpressionWriter(stack.vocabulary)
    examples_by_label: dict[str, list[graph.Example]] = defaultdict(list)
    for example in stack.examples:
        examples_by_label[example.protects].append(example)
    for ruling in stack.rulings.values():
        for word, noun in COUNT_AND_WORD.findall(ruling.answers.lower()) if ruling.label in examples_by_label else ():
            example_numbers = _example_numbers(examples_by_label[ruling.label], nouns.get(noun, ""))
            if example_numbers and not _agrees(numeral_value(word), example_numbers):
                party = ruling_party(ruling)
                found = tuple(writer.text(example_numbers[number]) for number in sorted(example_numbers))
                yield UnshownNumber(party, f"{word} {noun}", found)
                break


def _example_numbers(examples: list[graph.Example], measure: str) -> Mapping[Fraction, graph.Num]:
    """Return the numbers of a measure that occur in examples."""
    nodes = (node for each in examples for node in walk((each.lines, each.rows, each.position.pieces)))
    return {node.value: node for node in nodes if isinstance(node, graph.Num) and measure and node.measure == measure}


def _agrees(stated_number: Fraction, example_numbers: Mapping[Fraction, graph.Num]) -> bool:
    """Return whether a number occurs, or is the difference of two that do."""
    return any(
        stated_number in {number, abs(number - other)} for number in example_numbers for other in example_numbers
    )
