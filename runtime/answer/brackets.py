"""Brackets in Python expressions: which are needed where, what stands outside of them, and opposites of tests.

In: an expression as text. Out: the same with fewer brackets, or what holds exactly where it does not.
"""

import re
from collections.abc import Iterator

CONTRARY = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
COMPARISON = re.compile(r" (==|!=|<=|>=|<|>|not in|in|is not|is) ")
JOINED = re.compile(r" (and|or|if|else) ")
LOOSER = re.compile(r" (or|if|else) ")
CALL = re.compile(r"not \w+ +")
CHOSEN = re.compile(r" (if|else) ")
ENCLOSING = re.compile(r"""[(\[{]|'(\\.|[^'\\])*'|"(\\.|[^"\\])*\"""")


def without_brackets(text: str) -> str:
    """Drop brackets around the whole of an expression; those of a tuple are part of it."""
    while text.startswith("(") and text.endswith(")") and closes_at(text) == len(text) - 1:
        inner = text[1:-1]
        if not inner or ("," in inner and "," in outermost_text(inner)):
            return text
        text = inner
    return text


def closes_at(text: str) -> int:
    """Find where the bracket at the start closes; quoted text may hold brackets too."""
    depth, quote = 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[place - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return -1


def negated_test(text: str) -> str:
    """Write the opposite of a test: of one comparison, the contrary one."""
    inner = without_brackets(text)
    open_to_view = outermost_text(inner)
    if inner.startswith("not ") and CALL.fullmatch(open_to_view):
        return inner.removeprefix("not ")  # Whatever is called says yes or no.
    compared = list(COMPARISON.finditer(open_to_view))
    if len(compared) != 1 or JOINED.search(open_to_view) or inner.startswith("not "):
        return f"(not {without_brackets_unless_joined(text)})"
    start, end = compared[0].span()
    return f"({inner[:start]} {CONTRARY[inner[start:end].strip()]} {inner[end:]})"


def negated_condition(text: str) -> str:
    """Write the opposite of a test of which nobody wants more than whether it holds: of `not x`, that is `x`."""
    inner = without_brackets(text)
    if not inner.startswith("not ") or JOINED.search(outermost_text(inner)):
        return negated_test(text)
    return inner.removeprefix("not ")


def outermost_text(text: str) -> str:
    """Blank out what stands in brackets or quotes; everything else keeps its place."""
    for start, end in bracketed_spans(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def bracketed_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where brackets reach that stand in no others, and literals."""
    place = 0
    while found := ENCLOSING.search(text, place):
        start, place = found.span()
        if text[start] in "([{":
            place = start + closes_at(text[start:]) + 1
        yield start, place


def without_brackets_unless_joined(text: str) -> str:
    """Drop outer brackets unless they hold several conditions together."""
    return without_outer_brackets(text, JOINED)


def as_conjunct(text: str) -> str:
    """Drop outer brackets for a place among conditions that must all hold."""
    return without_outer_brackets(text, LOOSER)


def without_brackets_unless_choice(text: str) -> str:
    """Drop outer brackets unless they hold a choice by `if .. else` together."""
    return without_outer_brackets(text, CHOSEN)


def without_outer_brackets(text: str, joint: re.Pattern[str]) -> str:
    """Drop outer brackets unless they hold something together that is joined so."""
    inner = without_brackets(text)
    return f"({inner})" if joint.search(inner) and joint.search(outermost_text(inner)) else inner
