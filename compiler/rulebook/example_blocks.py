"""Build the blocks of examples: the position, what is done, and each answer with its reasons.

In: the builder of the lines of an edition, and an example. Out: a `DocumentBlock`.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.contents import cell_words, example_anchor
from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.evidence import DecidingRule
from compiler.rulebook.examples import ExampleStep, PrintableExample
from compiler.rulebook.line_builder import LineBuilder, cells_of, joined, row_line, strong, text_line
from compiler.rulebook.sentences import heading_words, with_capital
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan, DocumentTag

WORDS_OF_A_LINE = 40  # words of the conditions of a rule; more of them are a list


def example_block(lines: LineBuilder, example: PrintableExample) -> DocumentBlock:
    """Build an example; its cases are a table under it."""
    key = ("example", example_anchor(example.title, example.origin))
    common = f"{with_capital(example.common)} …" if example.common else ""
    return DocumentBlock(
        BlockRole.EXAMPLE,
        key,
        title=example.title,
        tags=(DocumentTag(f"under {example.stack}", "under"),) if example.stack else (),
        lines=lines.in_edition(_example_lines(lines, example)),
        blocks=(DocumentBlock(BlockRole.CASES, title=common, lines=tuple(_cases(lines, example))),)
        if example.rows
        else (),
        data=example.drawing,
    )


def _example_lines(lines: LineBuilder, example: PrintableExample) -> Iterator[DocumentLine]:
    """Yield what describes the position, and what is told."""
    yield from drawing_lines(example.drawing)
    if example.dice:
        yield text_line(DocumentRole.REMARK, f"Dice: {example.dice}.")
    for step in example.lines:
        role = DocumentRole.SHOWN if step.answer else DocumentRole.TOLD
        yield text_line(role, step.text, items=lines.in_edition(_reasons(lines, step)))


def _cases(lines: LineBuilder, example: PrintableExample) -> Iterator[DocumentLine]:
    """Yield the rows of the cases: what is given, and each answer with the numbers of the rules that decide it."""
    questions = cells_of(DocumentRole.ASKED, example.questions)
    yield row_line((*cells_of(DocumentRole.COLUMN, example.names), *questions))
    for row in example.rows:
        cells = [*cells_of(DocumentRole.GIVEN, row.given)]
        for answer, labels in row.answers:
            spans: list[DocumentSpan | str] = [answer]
            for label in labels:
                spans += [" ", _number(lines, label)]
            cells.append(text_line(DocumentRole.FOUND, *spans))
        yield row_line(cells)


def _number(lines: LineBuilder, label: str) -> DocumentSpan:
    """Return a reference by the number alone, if the thing has one: a cell has no room for its title."""
    key = lines.contents.thing_of_reason(label)
    number = lines.contents.numbers.get(key)
    return DocumentSpan(number, key) if number else next(reason_names(lines, (label,)))


def drawing_lines(drawing: Drawing) -> Iterator[DocumentLine]:
    """Yield the legend of a position and remarks on it."""
    pieces: list[DocumentSpan | str] = []
    for piece, description in drawing.legend:
        pieces += ["; " if pieces else "", strong(piece), f" {description}"]
    if pieces:
        yield text_line(DocumentRole.REMARK, *pieces, ".")
    for remark in drawing.notes:
        yield text_line(DocumentRole.REMARK, remark)


def _reasons(lines: LineBuilder, step: ExampleStep) -> Iterator[DocumentLine]:
    """Yield why an answer is what it is: the rules that decided, those that they outweigh, and other answers."""
    for reason in step.why:
        yield _reason(lines, reason)
    if step.default and not step.why:
        yield text_line(DocumentRole.REASON, step.default)
    if step.reasons and not (step.why or step.default):
        yield text_line(DocumentRole.REASON, *reason_names(lines, step.reasons))
    for label, stronger in step.overruled:
        yield text_line(
            DocumentRole.REASON, *reason_names(lines, (label,)), " gives way to ", *reason_names(lines, stronger)
        )
    if step.steps:
        answers = []
        for text, labels in step.steps:
            because: list[DocumentSpan | str] = [" (", *reason_names(lines, labels), ")"] if labels else []
            answers.append(text_line(DocumentRole.ITEM, text, *because))
        yield text_line(DocumentRole.RESTS_ON, items=answers)


def _reason(lines: LineBuilder, reason: DecidingRule) -> DocumentLine:
    """Return a rule that decided, with its conclusion, the conditions that held, and the cells that it read."""
    spans: list[DocumentSpan | str] = [*reason_names(lines, (reason.rule,)), f" ({reason.says})" if reason.says else ""]
    is_long = len(reason.why) > 1 and len(" ".join(reason.why).split()) > WORDS_OF_A_LINE
    if reason.why:
        spans.append(":" if is_long else f": {'; '.join(reason.why)}")
    for cell, says in reason.cells:
        title = cell_words(lines.contents, cell)
        spans += ["; ", DocumentSpan(title, ("cell", cell)), f": {says}"]
    items = (text_line(DocumentRole.ITEM, condition) for condition in reason.why) if is_long else ()
    return text_line(DocumentRole.REASON, *spans, items=items)


def reason_names(lines: LineBuilder, labels: Iterable[str]) -> Iterator[DocumentSpan]:
    """Yield references to what labels of reasons denote."""
    keys = map(lines.contents.thing_of_reason, labels)
    titles = lines.contents.titles
    return joined((lines.name(key, "" if key in titles else f"“{heading_words(key[1])}”") for key in keys), ", ")
