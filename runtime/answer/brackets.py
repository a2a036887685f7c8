"""Redundant brackets and negation of generated Python expressions.

In: an expression as text. Out: an equivalent with fewer brackets, or its negation.
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
    """Remove brackets that enclose the whole expression, except those of a tuple."""
    while text.startswith("(") and text.endswith(")") and closing_index(text) == len(text) - 1:
        inner = text[1:-1]
        if not inner or ("," in inner and "," in outermost_text(inner)):
            return text
        text = inner
    return text


def closing_index(text: str) -> int:
    """Return the index at which the bracket at the start closes; brackets inside string literals do not count."""
    depth, quote = 0, ""
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[index - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return index
    return -1


def negated_test(text: str) -> str:
    """Return the negation of a boolean expression; a single comparison gets the complementary operator."""
    inner = without_brackets(text)
    open_to_view = outermost_text(inner)
    if inner.startswith("not ") and CALL.fullmatch(open_to_view):
        return inner.removeprefix("not ")  # Generated calls return booleans.
    compared = list(COMPARISON.finditer(open_to_view))
    if len(compared) != 1 or JOINED.search(open_to_view) or inner.startswith("not "):
        return f"(not {without_brackets_unless_joined(text)})"
    start, end = compared[0].span()
    return f"({inner[:start]} {CONTRARY[inner[start:end].strip()]} {inner[end:]})"


def negated_condition(text: str) -> str:
    """Return the negation of an expression of which only the truth value is used: that of `not x` is `x`."""
    inner = without_brackets(text)
    if not inner.startswith("not ") or JOINED.search(outermost_text(inner)):
        return negated_test(text)
    return inner.removeprefix("not ")


def outermost_text(text: str) -> str:
    """Replace bracketed text and string literals by spaces; all other characters keep their index."""
    for start, end in bracketed_spans(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def bracketed_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of outermost brackets and of string literals."""
    place = 0
    while found := ENCLOSING.search(text, place):
        start, place = found.span()
        if text[start] in "([{":
            place = start + closing_index(text[start:]) + 1
        yield start, place


def without_brackets_unless_joined(text: str) -> str:
    """Remove outer brackets unless they enclose several conditions."""
    return _without_outer_brackets(text, JOINED)


def as_conjunct(text: str) -> str:
    """Remove outer brackets of an operand of `and`, unless its operators bind more weakly."""
    return _without_outer_brackets(text, LOOSER)


def without_brackets_unless_choice(text: str) -> str:
    """Remove outer brackets unless they enclose a conditional expression."""
    return _without_outer_brackets(text, CHOSEN)


def _without_outer_brackets(text: str, joint: re.Pattern[str]) -> str:
    """Remove outer brackets unless the text at the outermost level matches `joint`."""
    inner = without_brackets(text)
    return f"({inner})" if joint.search(inner) and joint.search(outermost_text(inner)) else inner
