"""Print the tree of any stage: one node per line, an expression on one line, places behind an @.

The input is nodes of the source, the layered or the typed stage, or of the graph; the output is lines for people, or
plain data for programs. All nodes are treated alike: fields are printed in the order of their declaration without those
that are absent or empty, so that a new node needs no code.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from textwrap import wrap
from typing import Any

from compiler.source import nodes as source
from compiler.source.span import NOWHERE, Span
from runtime.graph import nodes as graph

# Nodes that are most readable on one line: those of these packages, and nodes of the same size.
_IN_LINE = re.compile(r"\.nodes\.(expressions|types)$")
_SMALL = (source.Word, graph.Parameter, graph.Word, Span, graph.Origin)
# Longer lines are wrapped.
_WIDE = 110


def outline_lines(node: Any, label: str, depth: int, file: str = "") -> Iterator[str]:
    """Print a node with its parts indented; its file is printed where it differs from `file`."""
    values = [(part.name, getattr(node, part.name)) for part in fields(node)]
    place = next((_place(value) for _, value in values if isinstance(value, Span | graph.Origin)), None)
    words = [f"{name}={word}" for name, value in values if (word := _word(value))]
    known = any(f"{field}={label}" in words for field in ("name", "label", "id"))
    head = ["" if known else label, type(node).__name__, *words]
    if place:
        head.append(f"@{place[1]}" if place[0] == file else f"@{place[0]}:{place[1]}")
        file = place[0]
    yield "  " * depth + " ".join(part for part in head if part)
    for name, value in values:
        if not (_word(value) or _is_absent(value) or isinstance(value, Span | graph.Origin)):
            yield from _below(name, value, depth + 1, file)


def _below(name: str, value: Any, depth: int, file: str) -> Iterator[str]:
    """Print a field that does not fit into the line of its node."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _below(f"{name} {key}", item, depth, file)
    elif is_dataclass(value) and not _is_in_line(value):
        yield from outline_lines(value, name, depth, file)
    elif isinstance(value, tuple | list | frozenset) and _has_lines(value):
        for item in value:
            yield from _below(name, item, depth, file)
    else:
        yield from _wrapped(f"{name} {_formula_text(value)}", "  " * depth)


def _has_lines(values: Any) -> bool:
    """Return whether the members of a list are printed on separate lines."""
    return not _all_in_line(values) or (any(map(is_dataclass, values)) and len(_formula_text(values)) > _WIDE)


# ---------------------------------------------------------------- one line


def _formula_text(value: Any) -> str:
    """Format a value in one line, nodes in parentheses: `(compare > (field cart spent) 3 MP)`."""
    match value:
        case bool() | source.Truth() | graph.Truth():
            return "yes" if value is True or getattr(value, "value", False) else "no"
        case str():
            return value if re.fullmatch(r"\S+", value) else f'"{value}"'
        case int() | Fraction():
            return str(value)
        case source.Word(text=text) | source.Name(id=text) | graph.Var(text):
            return text
        case source.Quoted(text=text):
            return f"'{text}'"
        case source.Amount(value=number, measure=measure):
            return f"{number} {measure.text}" if measure else str(number)
        case graph.Num(number, unit):
            return f"{number} {unit}".rstrip()
        case Span() | graph.Origin():
            return "@{}:{}".format(*_place(value) or ("", ""))
        case tuple() | list() | frozenset():
            return ", ".join(map(_item, value))
        case graph.Op(op, arguments):
            return f"({' '.join([op, *map(_formula_text, arguments)])})"
        case None:
            return "-"
        case _:
            parts = [(part.name, getattr(value, part.name)) for part in fields(value)]
            argument_texts = [
                _argument(name, part) for name, part in parts if not (_is_absent(part) or isinstance(part, Span))
            ]
            return f"({' '.join([_hyphenated(type(value).__name__), *argument_texts])})"


def _argument(name: str, value: Any) -> str:
    """Format a field of a node in one line."""
    if value is True:
        return name
    return " ".join(map(_item, value)) if isinstance(value, tuple) else _formula_text(value)


def _item(value: Any) -> str:
    """Format a member of a list; a pair is parenthesized."""
    return f"({' '.join(map(_item, value))})" if isinstance(value, tuple) else _formula_text(value)


def _hyphenated(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _word(value: Any) -> str:
    """Format a value that fits into the line of its node, "" if it does not."""
    if isinstance(value, str | source.Word | int | Fraction) and not _is_absent(value):
        text = _formula_text(value)
        return "" if " " in text and isinstance(value, str) else text
    if isinstance(value, tuple) and value and all(isinstance(each, str | source.Word | int) for each in value):
        text = ",".join(map(_formula_text, value))
        return "" if " " in text or len(text) > _WIDE else text
    return ""


def _is_absent(value: Any) -> bool:
    return value is None or value is False or value in ((), "", [], {}) or value == NOWHERE


def _is_in_line(value: Any) -> bool:
    return bool(_IN_LINE.search(type(value).__module__)) or isinstance(value, _SMALL)


def _all_in_line(values: Any) -> bool:
    """Return whether no member of a list has separate lines."""
    return all(
        _all_in_line(value) if isinstance(value, tuple) else not is_dataclass(value) or _is_in_line(value)
        for value in values
    )


def _place(value: Span | graph.Origin) -> tuple[str, str] | None:
    """Return file, and line and column; None if there is none."""
    return (value.file, f"{value.line}:{value.column}") if value.file else None


# ---------------------------------------------------------------- long lines


def _wrapped(line: str, margin: str) -> list[str]:
    """Split a line that is too long for people at its spaces."""
    return wrap(
        line,
        _WIDE + len(margin),
        initial_indent=margin,
        subsequent_indent=f"{margin}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


# ---------------------------------------------------------------- plain data


def nodes_as_data(value: Any) -> Any:
    """Convert nodes to JSON data: `is` contains the class of a node."""
    if isinstance(value, dict):
        return {str(key): nodes_as_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [nodes_as_data(item) for item in value]
    if is_dataclass(value):
        return {
            "is": type(value).__name__,
            **{part.name: nodes_as_data(getattr(value, part.name)) for part in fields(value)},
        }
    return str(value) if isinstance(value, Fraction) else value
