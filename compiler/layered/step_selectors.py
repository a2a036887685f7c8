"""Find the steps that an amendment selects, and format steps as an amendment would select them.

A selector is the beginning of the form of a step (compiler/source/building/selectors.py).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from compiler.source import nodes as source
from compiler.source.building import step_forms
from compiler.source.building.selectors import selector_parts, split_selector
from compiler.source.building.template import FieldSlot, FixedWord, TemplatePart, slots_of
from compiler.source.expression_text import (
    equal_as_written,
    fill_template,
    form_of,
    slot_text,
    word_of,
)


def matches_step(selector: source.StepSelector, step: source.Step) -> bool:
    """Return whether a selector matches a step; the name suffices, and whatever else is written must be equal."""
    return any(
        (selector.what, selector.name and selector.name.text) == (each.what, each.name and each.name.text)
        and (selector.values is None or equal_as_written(selector.values, each.values))
        for each in _selectors(step)
    )


def step_name(step: source.Step) -> str:
    """Return the text by which an amendment selects a step."""
    return selector_text(_selectors(step)[0])


def selector_text(selector: source.StepSelector) -> str:
    """Return the text of a selector, without its ordinal."""

    def text_of(slot: FieldSlot) -> str | None:
        if "NAME" in slot.symbols:
            return selector.name.text if selector.name is not None else None
        values: Any = selector.values
        return slot_text(slot, values if slot.repeats or values is None else values[0])

    return fill_template(
        [FixedWord(spaced=False, text=selector.what), *_parts_behind().get(selector.what, ())], text_of
    )


def selectors_of(steps: Iterable[source.Step]) -> Iterator[str]:
    """Return the selectors of steps: a call also without its arguments, an offer by each of its actions."""
    for step in steps:
        for selector in _selectors(step):
            if isinstance(step, source.Invoke):
                yield selector_text(replace(selector, values=None))
            yield selector_text(selector)


@cache
def _parts_behind() -> dict[str, list[TemplatePart]]:
    """Return the parts of selectors behind their first words."""
    split_selectors = [split_selector(selector_parts(form)) for form in step_forms()]
    return {beginning: parts for words, parts in split_selectors for beginning in words}


def _selectors(step: source.Step) -> list[source.StepSelector]:
    """Return the selectors of a step with all that they may state; an offer has one for each of its actions."""
    if isinstance(step, source.BeginAccount):
        return [source.StepSelector(step.span, "account", None, ())]
    parts = selector_parts(form_of(step)[1])
    first, slots = parts[0], list(slots_of(parts))
    (beginning, *_), _ = split_selector(parts)
    if isinstance(first, FieldSlot):
        beginning = word_of(first, getattr(step, first.field)) or beginning
        slots.remove(first)
    names = [name for slot in slots if "NAME" in slot.symbols for name in _values_at(step, slot.field)]
    values = [value for slot in slots if "NAME" not in slot.symbols for value in _values_at(step, slot.field)]
    return [source.StepSelector(step.span, beginning, name, tuple(values)) for name in names or [None]]


def _values_at(node: object, path: str) -> list[Any]:
    """Return the values at a path of fields; the members of a tuple each."""
    nodes: list[Any] = [node]
    for name in path.split("."):
        values = [getattr(each_node, name) for each_node in nodes]
        nodes = [member for value in values for member in (value if isinstance(value, tuple) else (value,))]
    return nodes
