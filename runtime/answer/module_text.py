"""The generated functions of a graph as the text of one readable module, with long lines split.

In: a graph. Out: the functions that `GeneratedEvaluator` generates (generate.py), as text.
"""

import re
from collections.abc import Collection, Iterator
from textwrap import wrap

from runtime.answer.brackets import bracketed_spans, outermost_text, without_brackets
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_functions import write_functions
from runtime.answer.emit_guard import STEP
from runtime.answer.emit_names import comment_text
from runtime.answer.state_reads import StateDependence
from runtime.graph import nodes as graph


def module_text(rules: graph.Graph, names: Collection[str] | None = None) -> str:
    """Return all functions of a graph, or those of the wanted terms, as one readable module."""
    return "\n\n\n".join(map(break_lines, function_texts(rules, rules.terms if names is None else names))) + "\n"


def function_texts(rules: graph.Graph, names: Collection[str]) -> Iterator[str]:
    """Yield the functions of terms, in the order of the graph."""
    emitter = Emitter(rules)
    dependence = StateDependence(rules, emitter)
    stack, hash_ = comment_text(rules.stack), comment_text(rules.hash)[:12]
    yield f'"""Generated from the rule graph of {stack}, {hash_}. Do not edit."""'
    for name in (name for name in rules.terms if name in names):
        yield from write_functions(rules.terms[name], dependence)


# ---------------------------------------------------------------- line breaking


WIDTH = 100

# A statement: the text before its expression, the expression, and the text after it.
STATEMENT = re.compile(r"((?:if|elif|return|for \w+ in|[\w\[\], .]+ \+?=)(?: (?=not\b)| ))(.*?)(:?)")
COMMENT = "# "

# Where an expression splits, lowest precedence first: each operator but a comma begins a line.
BREAKS = (
    re.compile(r"(?<=,) "),
    re.compile(r" (?=for \w+ in )| (?=if (?!.* else ))"),
    re.compile(r" (?=if |else )"),
    re.compile(r" (?=or )"),
    re.compile(r" (?=and )"),
    re.compile(r" (?=[<>=!]=? )"),
    re.compile(r" (?=[-+*/]+ )"),
)


def break_lines(text: str) -> str:
    """Split the lines of a function that are too long."""
    return "\n".join(short for line in text.split("\n") for short in _break_line(line))


def _break_line(line: str) -> Iterator[str]:
    """Split one line, if it is too long."""
    inner = line.lstrip()
    indent = line[: len(line) - len(inner)]
    if len(line) <= WIDTH or inner.startswith('"""'):
        yield line
    elif inner.startswith(COMMENT):
        yield from wrap(line, WIDTH, subsequent_indent=f"{indent}#{STEP[1:]}", break_long_words=False)
    elif found := STATEMENT.fullmatch(inner):
        before, expression, after = found.groups()
        expression_text = f"({without_brackets(expression)})" if _break_points(expression) else expression
        lines = _within_brackets(expression_text, WIDTH - len(indent))
        yield f"{indent}{before}{lines[0]}"
        yield from (f"{indent}{piece}" for piece in lines[1:-1])
        yield f"{indent}{lines[-1]}{after}"
    else:
        yield from (f"{indent}{piece}" for piece in _within_brackets(inner, WIDTH - len(indent)))


def _break_expression(text: str, width: int) -> list[str]:
    """Split an expression within brackets into lines of a width."""
    if len(text) <= width:
        return [text]
    if places := _break_points(text):
        parts = [text[start:end].strip() for start, end in zip([0, *places], [*places, None], strict=True)]
        return [line for part in parts for line in _break_expression(part, width)]
    return _within_brackets(text, width)


def _break_points(text: str) -> list[int]:
    """Return the indexes at which an expression splits: at its operators of lowest precedence outside brackets."""
    seen = outermost_text(text)
    found = ([found.start() for found in pattern.finditer(seen)] for pattern in BREAKS)
    return next((places for places in found if places), [])


def _within_brackets(text: str, width: int) -> list[str]:
    """Split the contents of the longest brackets of an expression; without brackets it is returned unchanged."""
    brackets = [(start, end - 1) for start, end in bracketed_spans(text) if text[start] in "([{"]
    if not brackets:
        return [text]
    start, end = max(brackets, key=lambda ends: ends[1] - ends[0])
    while list(bracketed_spans(text[start + 1 : end])) == [(0, end - start - 1)] and text[start + 1] in "([{":
        start, end = start + 1, end - 1  # Brackets right inside of brackets open and close with them.
    lines = _break_expression(text[start + 1 : end], width - len(STEP))
    return [text[: start + 1], *(f"{STEP}{line}" for line in lines), text[end:]]
