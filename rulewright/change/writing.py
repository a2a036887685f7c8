"""Format names, sentences, amounts and examples in the syntax of rules and tables."""

import re
from collections.abc import Sequence
from fractions import Fraction

from rulewright.errors import UsageError
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text
from runtime.witness.position_file import expression_text, scalar_text


def slug(text: str) -> str:
    """Convert a text to a part of a label."""
    return "-".join(part for part in re.split(r"[^a-z0-9]+", text.lower()) if part).lstrip("0123456789-")


def remark_text(text: str) -> str:
    """Format a sentence for a comment."""
    said = " ".join(text.split())
    return said if said[-1:] in ".?!" else f"{said}."


def prose_string(text: str, end: str = ".") -> str:
    """Format a sentence as a string of the language, which contains no quotes; `UsageError` if it is empty."""
    said = " ".join(text.replace('"', "'").split())
    if not said:
        raise UsageError("say why, in one sentence: it is printed as the rule's own")
    return f'"{said}"' if not end or said[-1] in ".?!" else f'"{said}{end}"'


def quote_name(name: str) -> str:
    """Format a name in the language, with quotes if it is no identifier."""
    return name if name.isidentifier() else f"'{name}'"


def example_text(title: str, lines: str, on: str = "", below: str = "") -> str:
    """Format an example; `below` is the answer of the stack below, as a comment."""
    *first, last = lines.rstrip("\n").split("\n")
    lines = "\n".join([*first, f"  # {below}", last]) + "\n" if below else lines
    return f'example "{title}"{f" on {on}" if on else ""} {{\n{lines}}}\n'


def without_measure(value: graph.Expr) -> str:
    """Format a value for a table, without its measure."""
    return (
        scalar_text(str(value.value))
        if isinstance(value, graph.Num)
        else scalar_text(expression_text(value).strip("'"))
    )


def bare_text(table: graph.Table, text: str) -> str:
    """Format the value of a cell for a table: a number without its measure if the table has one kind of cells."""
    said = text.strip("'")
    return said.partition(" ")[0] if len(table.cells) == 1 and said[:1].isdigit() else said


def plain_value(was: graph.Expr, now: str) -> str:
    """Parse a new value of a cell in a chart of counters; a number must remain a number."""
    said = now.strip()
    if not isinstance(was, graph.Num):
        return said.strip("'")
    return read_amount(said, was.measure)


def read_amount(text: str, measure: str) -> str:
    """Parse an amount with or without its measure; return the number as text."""
    said = text.removesuffix(measure).strip() if measure else text.strip()
    try:
        return str(Fraction(said))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"`{text}` is no amount{f' of {measure}' if measure else ''}; write a number") from None


def yaml_keys(matches: Sequence[graph.Match], of: graph.Type, vocabulary: graph.Vocabulary) -> str:
    """Format the values that a row accepts for a key as YAML."""
    texts = [match_text(each, of, vocabulary) for each in matches]
    shown = [each if ".." in each else scalar_text(each) for each in texts]
    return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
