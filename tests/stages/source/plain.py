"""Prints a source tree, one node a line, without spans."""

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from compiler.source.nodes import Scalar, Word


def plain(node: Any, label: str = "", depth: int = 0) -> list[str]:
    """Return the lines of a node without absent and empty fields."""
    values = [(part.name, getattr(node, part.name)) for part in fields(node) if part.name != "span"]
    small_values = [f"{name}={_small(value)}" for name, value in values if _is_small(value) and not _is_absent(value)]
    head = "  " * depth + label + " ".join([type(node).__name__, *small_values])
    below = [line for name, value in values if not _is_small(value) for line in _nested(value, f"{name}: ", depth + 1)]
    return [head, *below]


def _nested(value: Any, label: str, depth: int) -> list[str]:
    if isinstance(value, tuple):
        if value and all(_is_small(part) for part in value):
            return ["  " * depth + label + " ".join(_small(part) for part in value)]
        return [line for part in value for line in _nested(part, label, depth)]
    if _is_small(value):
        return ["  " * depth + label + _small(value)]
    return plain(value, label, depth)


def _is_absent(value: Any) -> bool:
    return value is None or value is False or value == ()


def _is_small(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(part, Word | int) for part in value)
    return value is None or isinstance(value, Word | Scalar | str | int | bool | Fraction) or not is_dataclass(value)


def _small(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(_small(part) for part in value)
    if isinstance(value, Word | Scalar):
        return value.text or "''"
    return f'"{value}"' if isinstance(value, str) and " " in value else str(value)
