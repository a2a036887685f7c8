"""Format names, sentences, amounts and examples in the syntax of rules and tables."""

import re
from collections.abc import Container, Sequence
from fractions import Fraction

from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text
from runtime.witness.position_file import expression_text, scalar_text


def label_part(text: str) -> str:
    """Convert a text to a part of a label."""
    return "-".join(part for part in re.split(r"[^a-z0-9]+", text.lower()) if part).lstrip("0123456789-")


def remark_text(text: str) -> str:
    """Format a sentence for a comment."""
    sentence = " ".join(text.split())
    return sentence if sentence[-1:] in ".?!" else f"{sentence}."


def prose_string(text: str, end: str = ".") -> str:
    """Format a sentence as a string of the language, which contains no quotes; `UsageError` if it is empty."""
    sentence = " ".join(text.replace('"', "'").split())
    if not sentence:
        raise UsageError("give the reason in one sentence: it is printed as the text of the rule")
    return f'"{sentence}"' if not end or sentence[-1] in ".?!" else f'"{sentence}{end}"'


def unused_name(base: str, used: Container[str], joint: str) -> str:
    """Return a name, with a joint and the next number if it is used."""
    name, number = base, 1
    while name in used:
        number += 1
        name = f"{base}{joint}{number}"
    return name


def example_text(title: str, lines: str, card: str = "", base_answer: str = "") -> str:
    """Format an example; `base_answer` is the answer of the stack below, as a comment."""
    *first, last = lines.rstrip("\n").split("\n")
    lines = "\n".join([*first, f"  # {base_answer}", last]) + "\n" if base_answer else lines
    return f'example "{title}"{f" on {card}" if card else ""} {{\n{lines}}}\n'


def without_measure(value: graph.Expr) -> str:
    """Format a value for a table, without its measure."""
    if isinstance(value, graph.Num):
        return scalar_text(str(value.value))
    return scalar_text(expression_text(value).strip("'"))


def cell_value_text(table: graph.Table, text: str) -> str:
    """Format the value of a cell for a table: a number without its measure if the table has one kind of cells."""
    value, types = text.strip("'"), [type_ for _, type_ in table.cells]
    return value.partition(" ")[0] if len(types) == 1 and isinstance(types[0], graph.Number) else value


def plain_value(old_value: graph.Expr, text: str) -> str:
    """Parse a new value of a cell in a chart of counters; a number must remain a number."""
    value = text.strip()
    if not isinstance(old_value, graph.Num):
        return value.strip("'")
    return _read_amount(value, old_value.measure)


def _read_amount(text: str, measure: str) -> str:
    """Parse an amount with or without its measure; return the number as text."""
    number = text.removesuffix(measure).strip() if measure else text.strip()
    try:
        return str(Fraction(number))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"`{text}` is no amount{f' of {measure}' if measure else ''}; write a number") from None


def yaml_keys(matches: Sequence[graph.Match], type_: graph.Type, vocabulary: graph.Vocabulary) -> str:
    """Format the values that a row accepts for a key as YAML."""
    texts = [match_text(match, type_, vocabulary) for match in matches]
    scalars = [text if ".." in text else scalar_text(text) for text in texts]
    return scalars[0] if len(scalars) == 1 else f"[{', '.join(scalars)}]"
