"""The quick-reference card with its two sides.

The input is the contents of a book, whose layers define the card; the output is two sides of panels: the sequence of
play in brief, charts, and the rules of a case or of a question, one per line.
"""

from collections.abc import Iterator
from typing import NamedTuple

from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents
from compiler.rulebook.exception_trees import ExceptionBranch, own_tree
from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry, entries_of, headings_of
from compiler.rulebook.printed_rules import PrintedRule
from compiler.rulebook.sequence_of_play import TurnStep, nested_steps, number_turn
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


class CardLine(NamedTuple):
    """A line of the card: its depth, its number or mark, its text; for a `is_phase` also the `cases` about it."""

    depth: int
    mark: str
    text: str
    is_phase: bool = False
    cases: str = ""


@frozen_dataclass
class Panel:
    """One panel of the card: a chart, or lines."""

    title: str
    chart: PrintedChart | None
    lines: tuple[CardLine, ...]


def lay_out_card(contents: Contents) -> tuple[tuple[Panel, ...], ...]:
    """Build the sides; a layer adds to the panels of those below it."""
    sides: list[dict[str, Panel]] = [{}, {}]
    for layer in contents.book.layers:
        for side, names in zip(sides, layer.card, strict=False):
            for name in names:
                panel = _panel(contents, name)
                if panel is not None:
                    side.setdefault(name, panel)
    return tuple(tuple(side.values()) for side in sides if side)


def _panel(contents: Contents, name: str) -> Panel | None:
    book = contents.book
    charts = {chart.name: chart for chart in contents.charts}
    if name == "sequence":
        return Panel("Sequence of play", None, tuple(_sequence(contents)))
    if name in charts:
        return Panel(charts[name].title, charts[name], ())
    if name in book.cases:
        found = next(
            (candidate for top in contents.outline for candidate in headings_of(top) if candidate.label == name), None
        )
        return Panel(contents.titles["case", name], None, tuple(_rules(contents, found))) if found else None
    if name not in contents.questions:
        return None
    return Panel(contents.titles["term", name], None, tuple(_tree(contents, own_tree(book, book.terms[name]), 0)))


def _sequence(contents: Contents) -> Iterator[CardLine]:
    """Return the phases and what may be done in each."""
    book = contents.book
    for _, procedure in sorted(book.procedures.items(), key=lambda item: written_rank(book, item[1])):
        if procedure.what == "sequence":
            yield from turn_summary(contents, number_turn(contents, table_lines(book, procedure)), 0)


def turn_summary(contents: Contents, steps: tuple[TurnStep, ...], depth: int) -> Iterator[CardLine]:
    """Return a line for each phase and for what is done between phases, each followed by a line of its actions."""
    for step in steps:
        deeds = " · ".join(dict.fromkeys(contents.titles[key] for each in nested_steps(step) for key in each.leads))
        if step.title:
            numbers = ", ".join(contents.numbers[case] for case in step.cases if case in contents.numbers)
            yield CardLine(depth, step.mark, step.title, is_phase=True, cases=numbers)
            if deeds:
                yield CardLine(depth + 1, "", deeds)
        elif step.place:
            text = deeds or " ".join([step.text, *(each.text for each in step.inside)])
            yield CardLine(depth, step.mark, text)
        else:
            yield CardLine(depth, "", step.text)
            yield from turn_summary(contents, step.inside, depth + 1)


def _rules(contents: Contents, heading: Heading) -> Iterator[CardLine]:
    """Return the sentence of each rule of a case; rulings and mere definitions are only in the book."""
    printed_numbers: set[str] = set()
    above = ("", "")
    for entry in entries_of(heading):
        match entry:
            case RuleEntry(label, number, _):
                rule = contents.rules[label]
                depth = int(number[-1:].isalpha())
                above = above if depth else (number, _rule_text(rule))
                if rule.ruling or not rule.prose or contents.is_advisory(label):
                    continue
                if depth and above[0] not in printed_numbers and number.startswith(above[0]):
                    yield CardLine(
                        0, *above
                    )  # A definition, or the rule of a ruling: one that is no exception is of little use here.
                printed_numbers |= {number, above[0]}
                yield CardLine(depth, number, _rule_text(rule))
            case RulingEntry():
                pass  # An answer is of little use without its question.


def _rule_text(rule: PrintedRule) -> str:
    """Return a rule in one line: its sentence, else its logic."""
    return rule.prose or rule.logic


def _tree(contents: Contents, tree: tuple[ExceptionBranch, ...], depth: int) -> Iterator[CardLine]:
    for branch in tree:
        rule = contents.rules[branch.label]
        sentence = _rule_text(rule)
        number = contents.numbers.get(("rule", branch.label), "")
        yield CardLine(depth, number, f"unless {sentence}" if depth else sentence)
        yield from _tree(contents, branch.above, depth + 1)


def has_card(book: graph.Graph) -> bool:
    """Return whether any layer defines a panel of a card."""
    return any(layer.card for layer in book.layers)
