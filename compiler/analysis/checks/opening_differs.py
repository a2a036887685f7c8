"""Sections that open with a number which nothing of them has, or that have no opening where most others do.

In: a stack. Out: findings. An opening is prose that repeats what rules state: it becomes outdated when a rule changes.
Every number in it has to occur in a sentence or a law of the section, in what a law there looks up, queries or is
queried by, or in the numbers of its procedures; a number of a measure ("two points") as one of that measure, or in
those words. Small numbers, which occur in prose without a count, and odds are skipped. Sentences are parsed as English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from compiler.analysis.numerals import NUMBER, UNCOUNTED_NUMBERS, measure_nouns, numeral_value
from compiler.analysis.omissions import OpeningDiffers, SectionUnopened
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

NUMBER_AND_WORD = re.compile(rf"\b({NUMBER})\b(?: (\w+))?")
AROUND = 24  # letters on either side of a number that a finding quotes


def opening_differs(stack: graph.Graph) -> Iterator[Problem]:
    """Find unfounded numbers in openings, and missing openings."""
    openings = {opening.case: opening for layer in stack.layers for opening in layer.openings if opening.rule}
    sections = {label: _section(stack, label) for label in stack.cases}
    laws = _LawParts(stack)
    for label, opening in openings.items():
        if label in stack.cases:
            yield from _unfounded(laws, opening, {name for name, top in sections.items() if label in top})
    filled = {sections[rule.case][-1] for rule in stack.rules.values() if rule.case in sections}
    opened = {top[-1] for label, top in sections.items() if label in openings}
    layers = {opening.origin.layer for opening in openings.values()}
    for label in sorted(filled - opened) if 2 * len(opened) > len(filled) else ():
        case = stack.cases[label]
        if case.origin.layer not in layers:
            continue  # A layer without any opening has no book.
        yield SectionUnopened(Party(label, case.title, (), case.origin), len(opened))


def _section(stack: graph.Graph, label: str) -> list[str]:
    """List a case and those that enclose it, the outermost last."""
    path = [label]
    while (parent := stack.cases[path[-1]].parent) in stack.cases and parent not in path:
        path.append(parent)
    number = stack.cases[path[-1]].number
    head = number.partition(".")[0]
    outer = next((case.label for case in stack.cases.values() if case.number == head != number), None)
    return path if outer is None else [*path, outer]


@dataclass(frozen=True, slots=True)
class _LawReferences:
    """The parts of a law: the terms it queries, the charts it looks up, its numbers with their measures."""

    asks: frozenset[str]
    tables: frozenset[str]
    numbers: frozenset[tuple[Fraction, str]]


@dataclass(frozen=True, slots=True)
class _LawParts:
    """The laws and sentences of a stack, each analyzed once."""

    stack: graph.Graph
    _known: dict[int, _LawReferences] = field(default_factory=dict)
    _numbers_by_text: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def parts_of(self, law: graph.Rule | graph.Term | graph.Procedure | graph.Table) -> _LawReferences:
        """Return the parts of a law."""
        if id(law) not in self._known:
            self._known[id(law)] = _parts(law)
        return self._known[id(law)]

    def numbers_in(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return the numbers of a text as they are written, each with the word behind it."""
        if text not in self._numbers_by_text:
            self._numbers_by_text[text] = tuple(
                (match[1], match[2]) for match in NUMBER_AND_WORD.finditer(text.lower())
            )
        return self._numbers_by_text[text]


def _parts(law: graph.Rule | graph.Term | graph.Procedure | graph.Table) -> _LawReferences:
    content: object = law
    if isinstance(law, graph.Rule):
        content = (law.guard, law.value, tuple(value for _, value in law.names))
    elif isinstance(law, graph.Procedure):
        content = law.body
    nodes = tuple(walk(content))
    return _LawReferences(
        frozenset(node.term for node in nodes if isinstance(node, graph.Ask)),
        frozenset(node.table for node in nodes if isinstance(node, graph.Cell)),
        frozenset(_numbers(nodes)),
    )


def _unfounded(laws: _LawParts, opening: graph.Opening, cases: set[str]) -> Iterator[Problem]:
    """Find the first number of an opening that nothing of its cases has."""
    stack = laws.stack
    written_numbers, numbers = _section_numbers(laws, cases)
    nouns = measure_nouns(stack)
    values = {numeral_value(word) for word, _ in written_numbers} | {number for number, _ in numbers}
    measured = {(numeral_value(word), nouns[noun]) for word, noun in written_numbers if noun in nouns} | numbers
    for text in (opening.rule, *opening.procedure):
        for found in NUMBER_AND_WORD.finditer(text.lower()):
            value, noun = numeral_value(found[1]), found[2] or ""
            known = (value, nouns[noun]) in measured if noun in nouns else value in values
            if value not in UNCOUNTED_NUMBERS and not known:
                begin = max(0, found.start() - AROUND)
                excerpt = text[text.rfind(" ", 0, begin) + 1 if begin else 0 : found.end() + AROUND]
                title = stack.cases[opening.case].title
                yield OpeningDiffers(Party(opening.case, title, (), opening.origin), excerpt.strip())
                return


def _section_numbers(laws: _LawParts, cases: set[str]) -> tuple[set[tuple[str, str]], set[tuple[Fraction, str]]]:
    """Return the numbers in the sentences of a section, and those of its laws and of what they query or are queried by.

    The first are words as they are written, with the word behind; the others are values with their measures.
    """
    stack = laws.stack
    labels = {label for label, rule in stack.rules.items() if rule.case in cases}
    terms = {term for label in labels for term in stack.rules[label].terms}
    labels |= {label for term in terms if term in stack.terms for label in stack.terms[term].rules}
    # Rulings without a case, and exceptions, belong to the rules that they refer to.
    labels |= {
        label
        for label, rule in stack.rules.items()
        if not rule.case and labels & {*rule.defeats, *(other for _, other in rule.relations)}
    }
    rules = [rule for rule in map(stack.rules.get, labels) if rule]
    term_names = terms.union(*(laws.parts_of(rule).asks for rule in rules))
    conduct = [each for each in stack.procedures.values() if not laws.parts_of(each).asks.isdisjoint(terms)]
    known = [stack.terms[term] for term in term_names if term in stack.terms]
    rules += [stack.rules[label] for label in {label for term in known for label in term.rules} - labels]
    law_parts = [*map(laws.parts_of, rules), *map(laws.parts_of, known), *map(laws.parts_of, conduct)]
    table_names = {table for parts in law_parts for table in parts.tables}
    law_parts += [laws.parts_of(stack.tables[name]) for name in table_names if name in stack.tables]
    texts = [*(rule.prose for rule in rules), *(procedure.prose for procedure in conduct)]
    texts += [
        f"{ruling.asks} {ruling.answers}"
        for ruling in stack.rulings.values()
        if not labels.isdisjoint((*ruling.rules, *ruling.clarifies))
    ]
    return set().union(*map(laws.numbers_in, texts)), set().union(*(parts.numbers for parts in law_parts))


def _numbers(nodes: tuple[object, ...]) -> Iterator[tuple[Fraction, str]]:
    """List the numbers in laws with their measures, those of dice and ranges too; a half also as a two."""
    for node in nodes:
        match node:
            case graph.Num(value, measure):
                yield from ((form, measure) for form in {value, abs(value), *([1 / value] if value else [])})
            case graph.Place(at=index):
                yield Fraction(index), ""
            case graph.Number(low=low, high=high):
                yield from ((Fraction(end), "") for end in (low, high) if end is not None)
            case _:
                pass
