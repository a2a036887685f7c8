"""Line breaking of generated Python code.

In: the text of a function, a statement per line. Out: the same program in lines of at most `WIDTH` columns, as far as
brackets allow. Only modules meant for readers are laid out, not the code that is executed.
"""

import re
from collections.abc import Iterator
from textwrap import wrap

from runtime.answer.brackets import bracketed_spans, outermost_text, without_brackets

WIDTH = 100
STEP = "    "

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
    return "\n".join(short for line in text.split("\n") for short in break_line(line))


def break_line(line: str) -> Iterator[str]:
    """Split one line, if it is too long."""
    inner = line.lstrip()
    indent = line[: len(line) - len(inner)]
    if len(line) <= WIDTH or inner.startswith('"""'):
        yield line
    elif inner.startswith(COMMENT):
        yield from wrap(line, WIDTH, subsequent_indent=f"{indent}#{STEP[1:]}", break_long_words=False)
    elif found := STATEMENT.fullmatch(inner):
        before, expression, after = found.groups()
        expression_text = f"({without_brackets(expression)})" if break_points(expression) else expression
        lines = within_brackets(expression_text, WIDTH - len(indent))
        yield f"{indent}{before}{lines[0]}"
        yield from (f"{indent}{piece}" for piece in lines[1:-1])
        yield f"{indent}{lines[-1]}{after}"
    else:
        yield from (f"{indent}{piece}" for piece in within_brackets(inner, WIDTH - len(indent)))


def break_expression(text: str, width: int) -> list[str]:
    """Split an expression within brackets into lines of a width."""
    if len(text) <= width:
        return [text]
    if places := break_points(text):
        parts = [text[start:end].strip() for start, end in zip([0, *places], [*places, None], strict=True)]
        return [line for part in parts for line in break_expression(part, width)]
    return within_brackets(text, width)


def break_points(text: str) -> list[int]:
    """Return the indexes at which an expression splits: at its operators of lowest precedence outside brackets."""
    seen = outermost_text(text)
    found = ([found.start() for found in pattern.finditer(seen)] for pattern in BREAKS)
    return next((places for places in found if places), [])


def within_brackets(text: str, width: int) -> list[str]:
    """Split the contents of the longest brackets of an expression; without brackets it is returned unchanged."""
    brackets = [(start, end - 1) for start, end in bracketed_spans(text) if text[start] in "([{"]
    if not brackets:
        return [text]
    start, end = max(brackets, key=lambda ends: ends[1] - ends[0])
    while list(bracketed_spans(text[start + 1 : end])) == [(0, end - start - 1)] and text[start + 1] in "([{":
        start, end = start + 1, end - 1  # Brackets right inside of brackets open and close with them.
    lines = break_expression(text[start + 1 : end], width - len(STEP))
    return [text[: start + 1], *(f"{STEP}{line}" for line in lines), text[end:]]
