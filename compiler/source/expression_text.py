"""Compare and print expressions as written, anywhere in a file.

`equal_as_written` compares two source trees except for their spans; `expression_text` returns one line of text, for
messages that quote what was expected and what was found. The text of a node is the template of its form, filled in.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from compiler.source import nodes as source
from compiler.source.building import forms, whole_grammar
from compiler.source.building.forms import Form
from compiler.source.building.template import FieldSlot, FixedWord, OptionalParts, TemplatePart, flat_parts, slots_of
from compiler.source.span import Node, Span

_CHOICE = re.compile(r"^\?(\w+):((?:\s+\|?\s*\w+)+)$", re.MULTILINE)


def equal_as_written(a: Any, b: Any) -> bool:
    """Return whether two trees are equal except for their spans."""
    return written_text(a) == written_text(b)


def written_text(tree: Any) -> object:
    """Return a tree without its spans, as a key: two trees have the same key if `equal_as_written` holds for them."""
    if isinstance(tree, tuple):
        return tuple(map(written_text, tree))
    if is_dataclass(tree):
        parts = (getattr(tree, part.name) for part in fields(tree))
        return (type(tree).__name__, *(written_text(part) for part in parts if not isinstance(part, Span)))
    return tree


def expression_text(node: source.Expression | source.Range | source.Type) -> str:
    """Format an expression or a type on one line, so that parsing it yields an equal tree."""
    return _node_text(node)[1]


def form_of(node: object) -> tuple[str, Form[Any]]:
    """Return the form in which a node is written, and its name."""
    candidates = _forms_by_class()[type(node)]
    if len(candidates) == 1:
        return candidates[0]
    return next((name, form) for name, form in candidates if _fits(form, node))


@cache
def _forms_by_class() -> Mapping[type, list[tuple[str, Form[Any]]]]:
    by_class: dict[type, list[tuple[str, Form[Any]]]] = {}
    for name, form in forms().items():
        if isinstance(form.kind, type):
            by_class.setdefault(form.kind, []).append((name, form))
    return by_class


def _fits(form: Form[Any], node: object) -> bool:
    """Return whether a node has the constants of a form, and a value in each slot that is not optional."""
    if any(getattr(node, name) != value for name, value in form.constants.items() if not callable(value)):
        return False
    for part, is_optional in flat_parts(form.parts):
        if isinstance(part, FieldSlot) and part.field and not is_optional:
            value = getattr(node, part.field)
            if value is None or (part.words and word_of(part, value) is None):
                return False
    return True


def word_of(slot: FieldSlot, value: object) -> str | None:
    """Return the word of a slot that means a value."""
    return next((word for word, meaning in slot.words.items() if (word if meaning is None else meaning) == value), None)


# ---------------------------------------------------------------- text


def fill_template(parts: list[TemplatePart], text_of: Callable[[FieldSlot], str | None]) -> str:
    """Return the text of parts; optional ones are left out if `text_of` is None for a slot in them."""
    text = ""
    for part in parts:
        match part:
            case FixedWord():
                part_text = part.text
            case OptionalParts(parts=inner):
                is_absent = any(text_of(slot) is None for slot in slots_of(inner))
                part_text = "" if is_absent else fill_template(inner, text_of)
            case _:
                part_text = text_of(part) or ""
        text += f" {part_text}" if part.spaced and text and part_text else part_text
    return text


def slot_text(slot: FieldSlot, value: Any) -> str | None:
    """Return the text of a slot that has a value; None if its optional part is absent."""
    if slot.words:
        return word_of(slot, value)
    if value is None or (slot.repeats.startswith("+") and not value):
        return None
    if not slot.repeats:
        return _value_text(value, slot)
    separator = {",": ", ", "|": "|"}.get(slot.separator, f" {slot.separator} ")
    return separator.join(_value_text(member, slot) for member in value)


def _value_text(value: Any, slot: FieldSlot) -> str:
    match value:
        case source.Word():
            return value.text
        case str():
            return f"'{value}'" if "QUOTED" in slot.symbols else value
        case tuple():
            (symbol,) = slot.symbols
            entry = forms()[symbol]
            values = dict(zip((inner.field for inner in slots_of(entry.parts)), value, strict=True))
            return fill_template(entry.parts, lambda inner: slot_text(inner, values[inner.field]))
        case source.Call(name=called, arguments=()) if slot.conversion == "question":
            return called.text
        case Node():
            name, text = _node_text(value)
            return text if any(name in _reachable(symbol) for symbol in slot.symbols) else f"({text})"
        case _:
            return str(value)


def _node_text(node: Any) -> tuple[str, str]:
    """Return the name of a node's form, and its text."""
    name, form = form_of(node)
    return name, fill_template(form.parts, lambda slot: slot_text(slot, getattr(node, slot.field)))


@cache
def _reachable(symbol: str) -> frozenset[str]:
    """Return the forms that a symbol of the grammar may be without parentheses."""
    chosen = _choices().get(symbol, ())
    return frozenset({symbol}).union(*map(_reachable, chosen))


@cache
def _choices() -> dict[str, list[str]]:
    """Return the rules that only choose among others."""
    return {name: re.findall(r"\w+", others) for name, others in _CHOICE.findall(whole_grammar())}
