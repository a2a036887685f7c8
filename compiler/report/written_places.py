"""Find the places in the texts of steps, conditions and columns of charts, which the graph does not contain.

The input is a finding about a step, a condition or a line of an example, and the texts; the output is the same finding
with the place of its party. A text is parsed again and its steps are counted like those of the graph; a condition is
found by its text. Where counts or texts differ (steps of reactions and tasks, rules inside YAML) the finding stays at
the start of the procedure or the rule.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import dirname
from typing import Any

from compiler.analysis.findings.never_holds import NeverHolds
from compiler.analysis.findings.offered_elsewhere import OfferedElsewhere
from compiler.analysis.findings.out_of_range_write import OutOfRangeWrite
from compiler.analysis.parties import Party, StepPlace
from compiler.layered.procedure_table import declared_word
from compiler.report.findings.failed_examples import ExampleFailed
from compiler.source import nodes as source
from compiler.source.files import split_lines
from compiler.source.origins import origin_of
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# The longest condition that is looked for, in lines and in characters of its last line: the texts of the parts that one
# long condition has would add up to its square.
MOST_LINES, MOST_CHARACTERS = 50, 2_000


class ParsedTexts(dict[str, str]):
    """The texts of a report by file. A file is parsed once, and the conditions of a paragraph are read once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Store the texts."""
        super().__init__(texts)
        self._statements: dict[str, tuple[source.Statement, ...]] = {}
        self._conditions: dict[tuple[str, int, int], dict[str, list[Span]]] = {}

    def statements(self, file: str) -> tuple[source.Statement, ...]:
        """Return the statements of a file of rules; () for other files."""
        if file not in self._statements:
            text = self.get(file, "") if file.endswith(".rules") else ""
            self._statements[file] = parse_rules(text, file)[0].statements if text else ()
        return self._statements[file]

    def conditions(self, file: str, line: int, column: int) -> Mapping[str, list[Span]]:
        """Return the spans of the expressions of the paragraph that begins at a place, by their texts."""
        key = file, line, column
        if key not in self._conditions:
            spans = self._conditions[key] = {}
            lines = split_lines(self.get(file, ""))
            for span in _expression_spans(self.statements(file), (line, column)):
                if text := _without_layout(_slice(lines, span)):
                    spans.setdefault(text, []).append(span)
        return self._conditions[key]


def _expression_spans(statements: tuple[source.Statement, ...], start: tuple[int, int]) -> Iterator[Span]:
    """Yield the spans of the expressions of the outermost node that begins, or whose name stands, at a place."""
    for node in walk(statements):
        words = (getattr(node, "label", None), getattr(node, "name", None))
        begins = [span for part in (node, *words) if isinstance(span := getattr(part, "span", None), Span)]
        if any((span.line, span.column) == start for span in begins):
            yield from (each.span for each in walk(node) if isinstance(each, source.Expression))
            return


def with_written_place(finding: Any, texts: ParsedTexts) -> Any:
    """Return a finding about a step, a condition or a line with its place; any other finding is returned itself."""
    match finding:
        case OutOfRangeWrite():
            return _place_write(finding, texts)
        case OfferedElsewhere(offering_procedure=party, step=step):
            return replace(finding, offering_procedure=party_at_step(party, step, texts))
        case NeverHolds(clashing=(*_, condition), form=form):
            # For an `if` that never holds, an earlier one has the same condition.
            return _place_condition(finding, condition, texts, last=form == "if")
        case ExampleFailed():
            return _place_example(finding, texts)
        case _ if isinstance(place := getattr(finding, "step", None), StepPlace):
            return replace(finding, procedure=party_at_step(finding.procedure, place, texts))
        case _:
            return finding


def _place_condition(finding: Any, condition: str, texts: ParsedTexts, *, last: bool) -> Any:
    """Set the place of a finding about a condition to its text, else to the step with it."""
    party = finding.procedure
    procedure = party if finding.step is None else party_at_step(party, finding.step, texts)
    span = _reading(condition, procedure, texts, last=last)
    return replace(finding, procedure=procedure if span is None else _with_span(party, span))


def _place_write(finding: OutOfRangeWrite, texts: ParsedTexts) -> OutOfRangeWrite:
    """Set the place of a number to its step, or to the rule that concludes it."""
    if finding.step is not None:
        return replace(finding, procedure=party_at_step(finding.procedure, finding.step, texts))
    span = _reading(finding.value, finding.procedure, texts, last=False)
    return finding if span is None else replace(finding, procedure=_with_span(finding.procedure, span))


def _place_example(finding: ExampleFailed, texts: ParsedTexts) -> ExampleFailed:
    """Set the place of a failure to the line of the example."""
    span = None if finding.step is None else _line_of(finding.origin, *finding.step, texts)
    origin = finding.origin if span is None else origin_of(finding.origin.layer, span)
    return replace(finding, origin=origin)


# Lines of an example that set it up, as opposed to those that act and query.
SETTINGS = (
    source.HexRow | source.SpaceRow | source.Connection | source.SideSetting | source.PathSetting
    | source.PieceSetting | source.Dice
)  # fmt: skip


def _line_of(origin: graph.Origin, number: int, count: int, texts: ParsedTexts) -> Span | None:
    """Return the span of a line of an example by its number."""
    for node in walk(texts.statements(origin.file)):
        if isinstance(node, source.Example) and (node.span.line, node.span.column) == (origin.line, origin.column):
            lines = [line for line in node.lines if not isinstance(line, SETTINGS)]
            return lines[number].span if len(lines) == count else None
    return None


def _reading(condition: str, party: Party, texts: ParsedTexts, *, last: bool) -> Span | None:
    """Return the span of the text of a condition within a party's paragraph: the first, or the last, of several."""
    origin = party.origin
    found = texts.conditions(origin.file, origin.line, origin.column).get(_without_layout(condition))
    return None if not found else max(found) if last else min(found)


def _slice(lines: list[str], span: Span) -> str:
    """Return the text of a span, or "" if it is too long."""
    first_column = span.column if span.line == span.end_line else 1
    if span.end_line - span.line > MOST_LINES or span.end_column - first_column > MOST_CHARACTERS:
        return ""
    cut = lines[span.line - 1 : span.end_line]
    if not cut:
        return ""
    cut[-1] = cut[-1][: span.end_column - 1]
    cut[0] = cut[0][span.column - 1 :]
    return "\n".join(line.partition("#")[0] for line in cut)


def _without_layout(text: str) -> str:
    """Remove what has no effect on the meaning: blanks and parentheses."""
    return re.sub(r"[\s()]", "", text)


def party_at_step(party: Party, place: StepPlace, texts: ParsedTexts) -> Party:
    """Return a party with the place of its step; one that has it already stays."""
    steps = _steps_at(party.origin, texts)
    if steps is None:
        return party
    span = _numbered_step_span(steps, place) or (_separate_phase(party, place, texts) if place.phase else None)
    return party if span is None else _with_span(party, span)


def _separate_phase(party: Party, place: StepPlace, texts: ParsedTexts) -> Span | None:
    """Find a step in a phase that is written apart from its sequence; phases have unique names in a stack.

    Other packages may have phases of that name: files in the folder of the party come first.
    """
    place_in_phase = StepPlace(*place.place_in_phase, place.step_class)
    folder = dirname(party.origin.file)
    for file in sorted(texts, key=lambda each: dirname(each) != folder):
        text = texts[file]
        if file.endswith(".rules") and re.search(rf"\bphase\s+{place.phase}\b", text):
            for word, body in _bodies(texts.statements(file)):
                if word.text == place.phase and (
                    span := _numbered_step_span(list(source.nested_steps(body)), place_in_phase)
                ):
                    return span
    return None


def _with_span(party: Party, span: Span) -> Party:
    return replace(party, origin=origin_of(party.origin.layer, span))


def _steps_at(origin: graph.Origin, texts: ParsedTexts) -> list[source.Step] | None:
    """Return the steps of the procedure or phase whose name is at a place; None if there is none."""
    for word, body in _bodies(texts.statements(origin.file)):
        if (word.span.line, word.span.column) == (origin.line, origin.column):
            return list(source.nested_steps(body))
    return None


def _bodies(statements: tuple[source.Statement, ...]) -> Iterator[tuple[source.Word, tuple[source.Step, ...]]]:
    """Return the steps of declarations, with the name of each."""
    for statement in statements:
        if isinstance(statement, source.Conduct) and not isinstance(statement, source.Beside | source.Phase):
            node = statement.phase if isinstance(statement, source.Insert) else statement
            phases = (step for step in source.nested_steps(node.body) if isinstance(step, source.Phase))
            yield from ((declared_word(each), each.body) for each in (node, *phases))


def _numbered_step_span(steps: list[source.Step], place: StepPlace) -> Span | None:
    """Return the span of a step by its number; a side behind `by` is an additional condition before all others."""
    more = place.step_count - len(steps)
    number = place.number - more
    step_class = "Invoke" if place.step_class in {"Do", "Tell"} else place.step_class
    if more not in (0, 1) or number < 0 or type(steps[number]).__name__ != step_class:
        return None
    match steps[number]:
        case source.Branch(condition=condition):
            return condition.span
        case step:
            return step.span
