"""Numbers in rules: their spans, and rules with another number in their place."""

import re
from collections.abc import Iterator
from typing import Any

from compiler.source import nodes as source
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from rulewright.library.stacks import Stack
from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk

PARENTHESES, QUOTED = re.compile(r"[()]"), re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|#[^\n]*')


@frozen_dataclass
class _SourceRule:
    """A rule with the text of its file."""

    node: source.Rule
    text: str

    def source_text(self, span: Span) -> str:
        """Return the text of a span, with the parentheses around its ends."""
        begin, end = self.bounds(span)
        return self.text[begin:end]

    def bounds(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span, extended until its parentheses match.

        The span of an expression in parentheses is that of what they enclose.
        """
        begin, end = self.offset_at(span.line, span.column), self.offset_at(span.end_line, span.end_column)
        depth = least = 0
        for sign in PARENTHESES.findall(QUOTED.sub("", self.text[begin:end])):
            depth += 1 if sign == "(" else -1
            least = min(least, depth)
        for _ in range(-least):
            begin = self.text.rindex("(", 0, begin)
        for _ in range(depth - least):
            end = self.text.index(")", end) + 1
        return begin, end

    def offset_at(self, line: int, column: int) -> int:
        """Convert a line and column to an offset."""
        lines = self.text.split("\n")
        return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1

    @property
    def numbers(self) -> list[source.Amount]:
        """Return the amounts in the rule, in the order of the text."""
        node = self.node
        parts = (
            node.conclusion.value if node.conclusion else None,
            tuple(name.value for name in node.names),
            node.guard,
        )
        found = [each for part in parts if part is not None for each in walk(part) if isinstance(each, source.Amount)]
        return sorted(found, key=lambda each: (each.span.line, each.span.column))


def rules_with_numbers(rules: graph.Graph) -> Iterator[graph.Rule]:
    """Yield the rules that may have a number to replace: neither definitions nor rules without a number."""
    for rule in rules.rules.values():
        is_definition = not rule.prose and rule.label.replace("-", "_") in rule.terms
        if rule.terms and rule.origin.file.endswith(".rules") and not is_definition:
            parts = [each for each in (rule.value, rule.names, rule.guard) if each is not None]
            if any(isinstance(node, graph.Num) for part in parts for node in walk(part)):
                yield rule


def _source_rule(stack: Stack, rule: graph.Rule) -> _SourceRule | None:
    """Return a rule with its text; None for one outside of rules files, such as a rule of a card."""
    text = str(stack.texts.get(rule.origin.file, "")).replace("\r\n", "\n")
    if not rule.origin.file.endswith(".rules") or not text:
        return None
    parsed, _ = parse_rules(text, rule.origin.file)
    rules = (each for each in source.nested_laws(parsed.statements) if isinstance(each, source.Rule))
    return next((_SourceRule(each, text) for each in rules if each.label.text == rule.label), None)


def amount_texts(stack: Stack, rule: graph.Rule) -> list[str]:
    """Return the texts of the amounts in a rule."""
    found = _source_rule(stack, rule)
    return [found.source_text(number.span) for number in found.numbers] if found else []


def with_number(stack: Stack, rule: graph.Rule, old_number: str, new_number: str, heading: str) -> str:
    """Format a rule that replaces another one and differs in one number; its case and relations are preserved.

    Both numbers may be given without their measure.
    """
    found = _source_rule(stack, rule)
    if found is None:
        raise UsageError(f"`{rule.label}` is not written as a rule of its own, so a number in it cannot be replaced")
    known = [found.source_text(number.span) for number in found.numbers]
    searched_text = old_number.strip()
    # A number without its measure is meant where none is written so.
    texts = known if searched_text in known else [text.partition(" ")[0] for text in known]
    occurrences = [number for number, text in zip(found.numbers, texts, strict=True) if text == searched_text]
    if not occurrences:
        raise UsageError(
            f"`{rule.label}` does not say `{old_number}`; "
            f"{suggestion_text(old_number, known) if known else 'it says no number'}"
        )
    if len(occurrences) > 1:
        raise UsageError(
            f"`{rule.label}` says `{old_number}` {len(occurrences)} times: replace that rule by one of your own"
        )
    amount = _like(found.source_text(occurrences[0].span), new_number)
    node = found.node
    conclusion = _with(found, node.conclusion.span, occurrences[0].span, amount) if node.conclusion else ""
    value = node.conclusion.value if node.conclusion else None
    expecting = f" expecting {found.source_text(_span(value))}" if value is not None else ""
    lines = [heading, f"  {conclusion}", f"  replaces {rule.label}{expecting}"]
    lines += [f"  {_with(found, name.span, occurrences[0].span, amount)}" for name in node.names]
    lines += (
        [f"  when {_with(found, _span(node.guard), occurrences[0].span, amount)}"] if node.guard is not None else []
    )
    return "\n".join(line for line in lines if line.strip()) + "\n"


def _like(old_amount: str, new_amount: str) -> str:
    """Return a new amount, with the measure of the old one if it has none."""
    measure = old_amount.partition(" ")[2]
    if measure and new_amount.strip().replace("/", "").lstrip("-").isdigit():
        return f"{new_amount.strip()} {measure}"
    return new_amount.strip()


def _with(found: _SourceRule, span: Span, place: Span, text: str) -> str:
    """Return the text of a span with another text in place of an inner span."""
    if not span.contains(place):
        return found.source_text(span)
    begin, end = found.bounds(span)
    start, stop = found.offset_at(place.line, place.column), found.offset_at(place.end_line, place.end_column)
    return found.text[begin:start] + text + found.text[stop:end]


def _span(node: Any) -> Span:
    span: Span = node.span
    return span
