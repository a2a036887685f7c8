"""The quick-reference card with its two sides.

In: the builder of the lines of an edition; the layers of the book define the card. Out: two sides of blocks: the
sequence of play in brief, charts, and the rules of a case or of a question.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.chart_blocks import chart_block
from compiler.rulebook.contents import Contents, rules_under
from compiler.rulebook.exception_trees import ExceptionBranch, own_tree
from compiler.rulebook.headings import BookEntry, headings_of
from compiler.rulebook.line_builder import LineBuilder, strong, text_line
from compiler.rulebook.printed_rules import PrintedRule
from compiler.rulebook.sequence_of_play import TurnStep, nested_steps, number_turn
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.table import table_lines
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole


def card_sides(lines: LineBuilder) -> tuple[tuple[DocumentBlock, ...], ...]:
    """Build the panels of each side; a layer adds to the panels of those below it."""
    sides: list[dict[str, DocumentBlock]] = [{}, {}]
    for layer in lines.contents.book.layers:
        for side, names in zip(sides, layer.card, strict=False):
            for name in names:
                panel = _panel(lines, name)
                if panel is not None:
                    side.setdefault(name, panel)
    return tuple(tuple(side.values()) for side in sides if side)


def _panel(lines: LineBuilder, name: str) -> DocumentBlock | None:
    contents = lines.contents
    book, titles = contents.book, contents.titles
    for chart in contents.charts:
        if chart.name == name:
            return chart_block(lines, chart)
    if name == "sequence":
        return _panel_of("Sequence of play", _sequence(contents))
    if name in book.cases:
        headings = (heading for section in contents.outline for heading in headings_of(section))
        case = next((heading for heading in headings if heading.label == name), None)
        parts = headings_of(case) if case else ()
        return _panel_of(titles["case", name], (line for part in parts for line in _rules(contents, part.entries)))
    if name not in contents.questions:
        return None
    return _panel_of(titles["term", name], _branches(contents, own_tree(book, book.terms[name])))


def _panel_of(title: str, lines: Iterable[DocumentLine]) -> DocumentBlock:
    return DocumentBlock(BlockRole.PANEL, title=title, lines=tuple(lines))


def _sequence(contents: Contents) -> Iterator[DocumentLine]:
    """Yield the phases and what may be done in each."""
    book = contents.book
    for _, procedure in sorted(book.procedures.items(), key=lambda item: written_rank(book, item[1])):
        if procedure.what == "sequence":
            yield from _turn(contents, number_turn(contents, table_lines(book, procedure)))


def _turn(contents: Contents, steps: tuple[TurnStep, ...]) -> Iterator[DocumentLine]:
    """Yield a line for each phase, with the cases about it and its actions, and for what is done between phases."""
    for step in steps:
        deeds = " · ".join(dict.fromkeys(contents.titles[key] for part in nested_steps(step) for key in part.leads))
        if step.title:
            numbers = ", ".join(contents.numbers[case] for case in step.cases if case in contents.numbers)
            items = [text_line(DocumentRole.REMARK, numbers)] if numbers else []
            items += [text_line(DocumentRole.AROUND, deeds)] if deeds else []
            yield text_line(DocumentRole.PHASE, strong(step.title), items=items, mark=step.mark)
        elif step.place:
            text = deeds or " ".join([step.text, *(part.text for part in step.inside)])
            yield text_line(DocumentRole.STEP, text, mark=step.mark)
        else:
            yield text_line(DocumentRole.AROUND, step.text, items=_turn(contents, step.inside))


def _rules(contents: Contents, entries: tuple[BookEntry, ...]) -> Iterator[DocumentLine]:
    """Yield the sentences of rules with their exceptions; rulings and mere definitions are only in the book."""
    for entry in rules_under(entries):
        rule, exceptions = contents.rules[entry.label], tuple(_rules(contents, entry.under))
        is_omitted = rule.ruling or not rule.prose or contents.is_advisory(entry.label)
        if exceptions or not is_omitted:
            yield text_line(DocumentRole.STEP, _rule_text(rule), items=exceptions, mark=entry.number)


def _rule_text(rule: PrintedRule) -> str:
    """Return a rule in one line: its sentence, else its logic."""
    return rule.prose or rule.logic


def _branches(contents: Contents, tree: tuple[ExceptionBranch, ...], before: str = "") -> Iterator[DocumentLine]:
    """Yield the rules of a question, each with its exceptions."""
    for branch in tree:
        number = contents.numbers.get(("rule", branch.label), "")
        exceptions = _branches(contents, branch.above, "Except: ")
        if text := _rule_text(contents.rules[branch.label]):
            yield text_line(DocumentRole.STEP, f"{before}{text}", items=exceptions, mark=number)
