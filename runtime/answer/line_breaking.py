"""Break the long lines of generated Python where one would break them by hand.

In: the text of a function, a statement a line. Out: the same program in lines of at most `WIDTH` columns, as far as
brackets allow. What is executed is not laid out: nobody reads it, and it takes time.
"""

import re
from collections.abc import Iterator
from textwrap import wrap

from runtime.answer.brackets import bracketed_spans, outermost_text, without_brackets

WIDTH = 100
STEP = "    "

# A statement: what stands before its expression, the expression, and what stands behind.
STATEMENT = re.compile(r"((?:if|elif|return|for \w+ in|[\w\[\], .]+ \+?=)(?: (?=not\b)| ))(.*?)(:?)")
COMMENT = "# "

# Where an expression breaks, what binds it least first: each but a comma stands at the head of a line.
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
    """Break all lines of a function that are too long."""
    return "\n".join(short for line in text.split("\n") for short in broken_line(line))


def broken_line(line: str) -> Iterator[str]:
    """Break one line, if it is too long."""
    inner = line.lstrip()
    indent = line[: len(line) - len(inner)]
    if len(line) <= WIDTH or inner.startswith('"""'):
        yield line
    elif inner.startswith(COMMENT):
        yield from wrap(line, WIDTH, subsequent_indent=f"{indent}#{STEP[1:]}", break_long_words=False)
    elif found := STATEMENT.fullmatch(inner):
        before, expression, after = found.groups()
        whole = f"({without_brackets(expression)})" if break_points(expression) else expression
        lines = within_brackets(whole, WIDTH - len(indent))
        yield f"{indent}{before}{lines[0]}"
        yield from (f"{indent}{piece}" for piece in lines[1:-1])
        yield f"{indent}{lines[-1]}{after}"
    else:
        yield from (f"{indent}{piece}" for piece in within_brackets(inner, WIDTH - len(indent)))


def break_expression(text: str, width: int) -> list[str]:
    """Break an expression that stands in brackets into lines of some width."""
    if len(text) <= width:
        return [text]
    if places := break_points(text):
        parts = [text[start:end].strip() for start, end in zip([0, *places], [*places, None], strict=True)]
        return [line for part in parts for line in break_expression(part, width)]
    return within_brackets(text, width)


def break_points(text: str) -> list[int]:
    """Return where an expression breaks outside of its brackets: at what binds it least."""
    seen = outermost_text(text)
    found = ([found.start() for found in pattern.finditer(seen)] for pattern in BREAKS)
    return next((places for places in found if places), [])


def within_brackets(text: str, width: int) -> list[str]:
    """Break what stands in the longest brackets of an expression; without any it stays as long as it is."""
    brackets = [(start, end - 1) for start, end in bracketed_spans(text) if text[start] in "([{"]
    if not brackets:
        return [text]
    start, end = max(brackets, key=lambda ends: ends[1] - ends[0])
    while list(bracketed_spans(text[start + 1 : end])) == [(0, end - start - 1)] and text[start + 1] in "([{":
        start, end = start + 1, end - 1  # Brackets right inside of brackets open and close with them.
    inside = break_expression(text[start + 1 : end], width - len(STEP))
    return [text[: start + 1], *(f"{STEP}{line}" for line in inside), text[end:]]
